// Symbols page: the server's files for each build id, missing names with reasons, and upload by
// drag and drop.
import { type DragEvent, useId, useState } from 'react';
import { bestProfileType, profileTypeOptions } from '../format/profile-type.ts';
import { formatBytes, formatPercent } from '../format/numbers.ts';
import { plural } from '../format/plural.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import * as clock from '../page/clock.ts';
import { useRepeat } from '../page/hooks.ts';
import { useResource } from '../page/use-resource.ts';
import { Icon } from '../parts/icon.tsx';
import { askSymbols, type SymbolFile, uploadSymbols } from '../rpc/symbols.ts';
import { PanelState } from '../states/panel-state.tsx';
import { describeRange, resolveRange } from '../url/time-range.ts';
import { namesSentence, type SymbolRow, symbolRows, type UnnamedValues } from './symbol-rows.ts';
import '../styles/pages.css';
import '../styles/health.css';
import '../styles/targets.css';

const refreshMillis = 5_000;

/**
 * Symbols page, which refreshes every five seconds while it is visible. Build ids with the largest
 * share of unnamed values come first.
 */
export function SymbolsPage() {
  const { base, api, trees } = useApp();
  const [round, setRound] = useState(0);
  const [now, setNow] = useState(clock.now);
  clock.useClockChange(() => setNow(clock.now()));
  const { from, to, utc } = usePlace().state;
  const symbols = useResource(`symbols ${round}`, ({ signal }) => askSymbols(base, signal), {
    topic: 'symbols',
    isQuiet: true,
  });
  const again = (): void => setRound((n) => n + 1);
  useRepeat(refreshMillis, again);
  const hidden = useResource(`hidden ${from} ${to}`, async (asking) => {
    const types = profileTypeOptions(await api.profileTypes(asking.signal));
    const values = types.map(({ value }) => value);
    const best = bestProfileType(values);
    // The agent's profiles contain most of the addresses.
    const asked = new Set([best, values.find((type) => type.startsWith('parca_agent:'))]);
    const span = resolveRange({ from, to }, now);
    const found: HiddenOfType[] = [];
    for (const query of asked) {
      if (query === undefined) continue;
      const table = await trees.functions({ base, query, span }, asking);
      found.push({ table, label: types.find(({ value }) => value === query)?.label ?? query });
    }
    return found;
  });
  const { value } = symbols;
  const tables = hidden.value ?? [];
  const values = tables.map(({ table }) => table);
  const rows = symbolRows(value?.builds ?? [], values);
  const lacking = rows.filter(({ state }) => state === 'unnamed').length;
  return (
    <div className="plain-page" data-query={symbols.valueKey}>
      <h1>Symbols</h1>
      <PanelState resource={symbols} what="the symbols" />
      {tables.map(({ table, label }) => (
        <p key={label}>
          {label}, {describeRange({ from, to }, utc).replace(/^Last/, 'last')}:{' '}
          {namesSentence(table, lacking)}
        </p>
      ))}
      {value !== undefined && rows.length === 0 && (
        <p>
          No profile and no file has a build id yet. Names of Go, JVM and scripts come with their
          profiles.
        </p>
      )}
      {rows.length > 0 && (
        <ul className="agents">
          {rows.map((row) => (
            <Build key={row.buildId} row={row} onUploaded={again} />
          ))}
        </ul>
      )}
      {value !== undefined && value.more > 0 && (
        <p className="hint">{plural(value.more, 'more build id')}</p>
      )}
    </div>
  );
}

/** Functions in one profile type. */
interface HiddenOfType {
  readonly table: UnnamedValues;
  readonly label: string;
}

const looks = {
  named: { icon: 'check', health: 'up' },
  unnamed: { icon: 'warning', health: 'down' },
  pending: { icon: 'clock', health: 'unknown' },
  unasked: { icon: 'clock', health: 'unknown' },
} as const;

const words = {
  named: 'has names',
  unnamed: 'no names',
  pending: 'being looked up',
  unasked: 'looked up when a query needs it',
};

interface BuildProps {
  readonly row: SymbolRow;
  readonly onUploaded: () => void;
}

/** A build id; a file dropped on it is uploaded. */
function Build({ row, onUploaded }: BuildProps) {
  const { base } = useApp();
  const { buildId, state, reason, notes, files, binary, hidden } = row;
  const input = useId();
  const [said, setSaid] = useState('');
  const upload = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    setSaid(`Uploading ${file.name} …`);
    try {
      await uploadSymbols(base, buildId, file);
      setSaid(`${file.name} is uploaded.`);
      onUploaded();
    } catch (error) {
      setSaid(error instanceof Error ? error.message : String(error));
    }
  };
  const dropped = (event: DragEvent): void => {
    // A file dropped elsewhere on the page is opened as a profile.
    event.preventDefault();
    event.stopPropagation();
    delete document.documentElement.dataset['drop'];
    void upload(event.dataTransfer.files[0]);
  };
  return (
    <li onDrop={dropped}>
      <span className={`health ${looks[state].health}`}>
        <Icon name={looks[state].icon} />
        {words[state]}
      </span>
      {binary !== '' && <b>{binary}</b>}
      <code className="settings-value">{buildId}</code>
      {hidden > 0 && <span>hides {formatPercent(hidden)}</span>}
      <span>{files.length === 0 ? 'no files' : files.map(describe).join('; ')}</span>
      {[reason, ...notes].map(
        (text) =>
          text !== '' && (
            <span className={state === 'unnamed' ? 'field-error' : 'hint'} key={text}>
              {text}
            </span>
          ),
      )}
      <label className="button" htmlFor={input}>
        Upload, or drop a file here
      </label>
      <input
        id={input}
        className="visually-hidden"
        type="file"
        aria-label={`File for ${binary || buildId}`}
        onChange={(event) => void upload(event.target.files?.[0])}
      />
      <span className="hint" role="status">
        {said}
      </span>
    </li>
  );
}

function describe({ kind, bytes, content }: SymbolFile): string {
  const holds = content.length === 0 ? '' : ` with ${content.join(', ')}`;
  return `${kind}, ${formatBytes(bytes)}${holds}`;
}
