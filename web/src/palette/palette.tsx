// The command palette: reaches every page, time and service by a few letters of its name.
import { serviceLabels } from '../../../src/model/service-labels.ts';
import { type KeyboardEvent, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { bestProfileType, profileTypeOptions } from '../format/profile-type.ts';
import { withIncrease } from '../language/query-text.ts';
import { useApp } from '../page/app-context.ts';
import { useResource } from '../page/use-resource.ts';
import { rowStep } from '../parts/row-range.ts';
import { type Command, escapePattern, listCommands, matchingCommands } from './commands.ts';
import '../styles/help.css';
import '../styles/palette.css';

interface PaletteProps {
  readonly pages: readonly (readonly [route: string, title: string])[];
  readonly actions: readonly Command[];
  readonly onClose: () => void;
  /** Returns what was typed before the palette was there. */
  readonly takeTyped: () => string;
}

/** A modal dialog: the browser keeps the focus in it, and returns it afterwards. */
export function Palette({ pages, actions, onClose, takeTyped }: PaletteProps) {
  const { url, api } = useApp();
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const [cursor, setCursor] = useState(0);
  const open = useEffectEvent(() => {
    if (dialog.current?.open !== false) return;
    dialog.current.showModal();
    setTyped(takeTyped());
  });
  useEffect(() => open(), []);
  const services = useResource('palette services', async ({ signal }) => {
    const types = profileTypeOptions(await api.profileTypes(signal));
    const best = bestProfileType(types.map(({ value }) => value));
    if (best === undefined) return [];
    const byLabel = await Promise.all(
      serviceLabels.map(async (label) => {
        const names = await api.labelValues(label, best, signal);
        return names.map((name) => {
          return { name, query: withIncrease(`${best}{${label}=${JSON.stringify(name)}}`, best) };
        });
      }),
    );
    // A program that the agent found may have the name of a job, which comes first.
    const all = byLabel.flat();
    return all.filter(({ name }, i) => all.findIndex((one) => one.name === name) === i);
  });
  const all = useMemo(
    () => listCommands(url, pages, services.value ?? [], actions),
    [url, pages, services.value, actions],
  );
  const search: Command = {
    kind: 'Search functions',
    title: typed.trim(),
    run: () => {
      const { state } = url.get();
      url.goTo(url.formatHref('explore', { ...state, search: typed.trim(), searchMode: 'text' }));
    },
  };
  const users: Command = {
    kind: 'Who uses',
    title: typed.trim(),
    run: () => {
      const { state } = url.get();
      const wanted = `(?i)${escapePattern(typed.trim())}`;
      url.goTo(url.formatHref('users', { ...state, query: '', wanted, wantedKind: 'pattern' }));
    },
  };
  const ofText = url.onlyRoute === undefined ? [search, users] : [search];
  const shown = [...matchingCommands(all, typed), ...(typed.trim() === '' ? [] : ofText)];
  const current = Math.min(cursor, shown.length - 1);
  const run = (command: Command): void => {
    // The dialog closes first: it returns the focus, and then a page may take it.
    dialog.current?.close();
    command.run();
  };
  const pressed = (event: KeyboardEvent): void => {
    const step = event.key.startsWith('Arrow') ? rowStep(event.key, shown.length) : undefined;
    if (step !== undefined) setCursor(Math.max(0, Math.min(shown.length - 1, current + step)));
    else if (event.key === 'Enter' && current >= 0) run(shown[current]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog className="help palette" ref={dialog} onClose={onClose} aria-label="Commands">
      <input
        className="palette-input"
        role="combobox"
        aria-label="Go to, do, find"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={current >= 0 ? `palette-${current}` : undefined}
        placeholder="Go to, do, find"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setCursor(0);
        }}
        onKeyDown={pressed}
      />
      <div id="palette-list" role="listbox" aria-label="Commands" className="palette-list">
        {shown.map((command, i) => (
          <div
            key={`${command.kind} ${command.title}`}
            id={`palette-${i}`}
            role="option"
            aria-selected={i === current}
            ref={(element) => {
              if (i === current) element?.scrollIntoView({ block: 'nearest' });
            }}
            onClick={() => run(command)}
          >
            <span className="palette-kind">{command.kind}</span> {command.title}
          </div>
        ))}
      </div>
    </dialog>
  );
}
