// Command palette: reaches pages, times and services by typing a part of their name.
import { serviceLabels } from '../../../src/model/service-labels.ts';
import { type KeyboardEvent, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { bestProfileType, profileTypeOptions } from '../format/profile-type.ts';
import { toggled } from '../compare/toggle.ts';
import { profileTypeOfQuery, withIncrease } from '../language/query-text.ts';
import { useApp } from '../page/app-context.ts';
import { now } from '../page/clock.ts';
import { type Command, useOffered } from '../page/commands.ts';
import { type SavedView, useSavedViews } from '../page/saved-views.ts';
import { useResource } from '../page/use-resource.ts';
import { rowStep } from '../parts/row-range.ts';
import { patternOf } from '../parts/users-offer.tsx';
import type { Api } from '../rpc/api.ts';
import type { UrlStore } from '../url/url-store.ts';
import { resolveRange } from '../url/time-range.ts';
import { appActions, type FrameActions } from './app-actions.ts';
import { listCommands, matchingCommands, type ServiceCommand } from './commands.ts';
import '../styles/help.css';
import '../styles/palette.css';

interface PaletteProps extends FrameActions {
  readonly pages: readonly (readonly [route: string, title: string])[];
  readonly onClose: () => void;
  /** Returns the text that was typed before the palette was loaded. */
  readonly takeTyped: () => string;
  /** Opens the list of saved views, which saves, renames and removes them. */
  readonly onViews: () => void;
}

/** A modal dialog: the browser keeps the focus in it, and returns it afterwards. */
export function Palette(props: PaletteProps) {
  const { pages, onHelp, onLogOut, onClose, takeTyped, onViews } = props;
  const { url, api, base } = useApp();
  const isServer = url.onlyRoute === undefined;
  const views = useSavedViews();
  const offered = useOffered();
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const [cursor, setCursor] = useState(0);
  const open = useEffectEvent(() => {
    if (dialog.current?.open !== false) return;
    dialog.current.showModal();
    setTyped(takeTyped());
  });
  useEffect(() => open(), []);
  const services = useResource('palette services', ({ signal }) => askServices(api, signal));
  const all = useMemo(() => {
    const found = services.value ?? [];
    return [
      ...listCommands(url, pages, found, [...offered, ...appActions(url, { onHelp, onLogOut })]),
      ...deployCommands(url, api, found),
      ...(isServer ? viewCommands(base, url, views ?? [], onViews) : []),
    ];
  }, [url, api, base, isServer, pages, services.value, offered, onHelp, onLogOut, views, onViews]);
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
      const wanted = patternOf(typed.trim(), 'text');
      url.goTo(url.formatHref('users', { ...state, query: '', wanted, wantedKind: 'pattern' }));
    },
  };
  const ofText = isServer ? [search, users] : [search];
  const shown = [...matchingCommands(all, typed), ...(typed.trim() === '' ? [] : ofText)];
  const current = Math.min(cursor, shown.length - 1);
  const run = (command: Command): void => {
    // Closes the dialog first, because it restores the focus, which a page may then move.
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

/** Requests the services of the best profile type, and the services with memory profiles. */
async function askServices(api: Api, signal: AbortSignal): Promise<ServiceCommand[]> {
  const types = profileTypeOptions(await api.profileTypes(signal)).map(({ value }) => value);
  const ask = async (kind: string, type: string | undefined): Promise<ServiceCommand[]> => {
    if (type === undefined) return [];
    const byLabel = await Promise.all(
      serviceLabels.map(async (label) => {
        const names = await api.labelValues(label, type, signal);
        return names.map((name) => {
          const query = withIncrease(`${type}{${label}=${JSON.stringify(name)}}`, type);
          return { kind, name, query };
        });
      }),
    );
    // A program that the agent found may have the same name as a job; the job comes first.
    const all = byLabel.flat();
    return all.filter(({ name }, i) => all.findIndex((one) => one.name === name) === i);
  };
  const memory = types.find((type) => /^[^:]+:(inuse_)?space:bytes:/.test(type));
  const found = [ask('Service', bestProfileType(types)), ask('Memory of', memory)];
  return (await Promise.all(found)).flat();
}

/** Returns commands that compare a service with its version before the last deploy. */
function deployCommands(
  url: UrlStore,
  api: Api,
  services: readonly ServiceCommand[],
): readonly Command[] {
  const compare = async (query: string) => {
    const { state } = url.get();
    const selectedSpan = resolveRange({ from: state.from, to: state.to }, now());
    const profileType = profileTypeOfQuery(query);
    const compared = await toggled({ query, profileType, selectedSpan }, api);
    const there = { ...state, zoom: '', search: '', selection: undefined, ...compared };
    url.goTo(url.formatHref('explore', there));
  };
  return services
    .filter(({ kind }) => kind === 'Service')
    .map(({ name, query }) => {
      return { kind: 'Last deploy of', title: name, run: () => void compare(query) };
    });
}

/** Returns commands that open saved views, and one that opens their list. */
function viewCommands(
  base: string,
  url: UrlStore,
  views: readonly SavedView[],
  onViews: () => void,
): readonly Command[] {
  return [
    ...views.map(({ name, address }) => {
      const { pathname, search } = new URL(address, base);
      return { kind: 'View', title: name, run: () => url.goTo(pathname + search) };
    }),
    { kind: 'Do', title: 'Save this view, rename or delete views', run: onViews },
  ];
}
