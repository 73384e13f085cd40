// Status page: data of the server, running queries with Cancel, labels, settings.
import { type ReactNode, useState } from 'react';
import { formatBytes, formatNanos, groupDigits } from '../format/numbers.ts';
import { plural } from '../format/plural.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import { useRepeat } from '../page/hooks.ts';
import { useResource } from '../page/use-resource.ts';
import {
  askLabels,
  askSettings,
  askStatus,
  cancelQuery,
  type LabelsAnswer,
  type RunningQuery,
  type ServerStatus,
  type SettingsAnswer,
} from '../rpc/status.ts';
import { PanelState } from '../states/panel-state.tsx';
import { toInputText } from '../url/time-range.ts';
import { ActiveSeries } from './active-series.tsx';
import { Table } from './status-table.tsx';
import '../styles/pages.css';

const refreshMillis = 2_000;
/** Maximum number of labels; labels with the most series come first. */
const labelsMax = 50;

type Figure = readonly [title: string, metric: string, format: (value: number) => string];

const formatAge = (seconds: number): string => formatNanos(seconds * 1e9);

/** Formats a limit; 0 = no limit. */
const limit =
  (format: (value: number) => string) =>
  (value: number): string =>
    value === 0 ? 'no limit' : format(value);

const figures: readonly Figure[] = [
  ['Memory of the process', 'process_resident_memory_bytes', formatBytes],
  ['Streams not yet in blocks', 'parca_storage_series', groupDigits],
  ['Profiles not yet in blocks', 'parca_storage_profiles', groupDigits],
  ['Samples not yet in blocks', 'parca_storage_rows', groupDigits],
  ['Blocks', 'parca_storage_blocks', groupDigits],
  ['Size of the blocks', 'parca_storage_block_bytes', formatBytes],
  ['Memory of the newest profiles', 'parca_storage_head_bytes', formatBytes],
  ['Size on the disk', 'parca_storage_used_bytes', formatBytes],
  ['Free on that disk', 'parca_storage_disk_free_bytes', formatBytes],
  ['Kept free: writes are refused below', 'parca_storage_disk_kept_free_bytes', formatBytes],
  ['Profiles are kept for', 'parca_storage_retention_limit_seconds', limit(formatAge)],
  ['Size at which the oldest go', 'parca_storage_retention_limit_bytes', limit(formatBytes)],
  ['Damaged blocks', 'parca_storage_damaged_blocks_total', groupDigits],
  ['Parts that were lost', 'parca_storage_lost_parts', groupDigits],
  ['Failed retentions', 'parca_storage_retention_failures_total', groupDigits],
];

/** Status page, which refreshes every two seconds while it is visible. */
export function StatusPage() {
  const { base } = useApp();
  const [round, setRound] = useState(0);
  const status = useResource(`status ${round}`, ({ signal }) => askStatus(base, signal), {
    topic: 'status',
    isQuiet: true,
  });
  const labels = useResource('labels', ({ signal }) => askLabels(base, signal));
  const again = () => setRound((n) => n + 1);
  useRepeat(refreshMillis, again);
  const { value } = status;
  return (
    <div className="plain-page">
      <h1>Status</h1>
      <PanelState resource={status} what="the status" />
      {value !== undefined && (
        <>
          <Queries
            queries={value.queries}
            onCancel={(id) => void cancelQuery(base, id).then(again)}
          />
          <Figures status={value} />
        </>
      )}
      <ActiveSeries />
      {labels.value !== undefined && <Labels answer={labels.value} />}
      <Settings />
    </div>
  );
}

interface QueriesProps {
  readonly queries: readonly RunningQuery[];
  readonly onCancel: (id: string) => void;
}

function Queries({ queries, onCancel }: QueriesProps) {
  return (
    <section aria-label="Running queries">
      <h2>Running queries</h2>
      {queries.length === 0 ? (
        <p className="hint">No query runs or waits.</p>
      ) : (
        <Table heads={['Query', 'State', 'For', 'Rows', 'Memory', '']}>
          {queries.map(({ id, kind, query, state, seconds, rows, memoryBytes, mayCancel }) => (
            <tr key={id}>
              <td>
                <code>{query || kind}</code>
                {query !== '' && <span className="hint"> {kind}</span>}
              </td>
              <td>{state}</td>
              <td>{formatNanos(seconds * 1e9)}</td>
              <td>
                {groupDigits(rows.done)} of {groupDigits(rows.selected)}
              </td>
              <td>{formatBytes(memoryBytes)}</td>
              <td>
                {mayCancel && (
                  <button type="button" className="button" onClick={() => onCancel(id)}>
                    Cancel
                  </button>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

function Figures({ status: { metrics, version } }: { readonly status: ServerStatus }) {
  const { utc } = usePlace().state;
  const started = metrics.get('process_start_time_seconds');
  return (
    <section aria-label="Server">
      <h2>Server</h2>
      <dl className="figures">
        {version !== '' && <FigureRow title="Version">{version}</FigureRow>}
        {started !== undefined && (
          <FigureRow title="Started">
            {toInputText(started * 1_000, utc).replace('T', ' ')}
          </FigureRow>
        )}
        {figures.map(([title, metric, format]) => {
          const value = metrics.get(metric);
          return value === undefined ? null : (
            <FigureRow key={metric} title={title}>
              {format(value)}
            </FigureRow>
          );
        })}
      </dl>
      <p className="hint">
        All figures: <a href="metrics">metrics</a>, for Prometheus.
      </p>
    </section>
  );
}

function FigureRow({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd className="mono">{children}</dd>
    </div>
  );
}

function Labels({ answer: { labels, total } }: { readonly answer: LabelsAnswer }) {
  const shown = labels.toSorted((a, b) => b.values - a.values || (a.name < b.name ? -1 : 1));
  if (shown.length === 0) return null;
  return (
    <section aria-label="Labels">
      <h2>Labels with most values, last hour</h2>
      <p className="hint">
        {plural(total.series, 'series', 'series')} with {plural(total.profiles, 'profile')}. Each
        sample type of a stream is a series.
      </p>
      <Table heads={['Label', 'Values', 'Series', 'Profiles']}>
        {shown.slice(0, labelsMax).map(({ name, values, series, profiles }) => (
          <tr key={name}>
            <td>
              <code>{name}</code>
            </td>
            {[values, series, profiles].map((count, i) => (
              <td key={i}>{groupDigits(count)}</td>
            ))}
          </tr>
        ))}
      </Table>
      {shown.length > labelsMax && <p className="hint">{shown.length - labelsMax} more</p>}
    </section>
  );
}

/** Flags and config files, or a note that the user lacks the scope. */
function Settings() {
  const { base } = useApp();
  const settings = useResource('settings', ({ signal }) => askSettings(base, signal));
  const { value, error } = settings;
  if (value === undefined && error === undefined) return null;
  const given = value?.flags.filter(({ isGiven }) => isGiven) ?? [];
  const others = value?.flags.filter(({ isGiven }) => !isGiven) ?? [];
  return (
    <section aria-label="Settings">
      <h2>Settings</h2>
      {error !== undefined && <p className="hint">Not shown: {error.message}</p>}
      {given.length > 0 && <Flags label="Flags that were given" flags={given} />}
      {others.length > 0 && (
        <details>
          <summary>
            {plural(others.length, 'flag')} with{' '}
            {others.length === 1 ? 'its default' : 'their defaults'}
          </summary>
          <Flags label="Flags with their defaults" flags={others} />
        </details>
      )}
      {value?.config.map(({ file, yaml }) => (
        <details key={file}>
          <summary>
            Config file <code>{file}</code>
          </summary>
          <pre className="settings-text" tabIndex={0}>
            {yaml === '' ? 'It is empty.' : yaml}
          </pre>
        </details>
      ))}
    </section>
  );
}

interface FlagsProps {
  readonly label: string;
  readonly flags: SettingsAnswer['flags'];
}

function Flags({ label, flags }: FlagsProps) {
  return (
    <Table label={label} heads={['Flag', 'Value']}>
      {flags.map(({ name, value }) => (
        <tr key={name}>
          <td>
            <code>--{name}</code>
          </td>
          <td className="settings-value">{value}</td>
        </tr>
      ))}
    </Table>
  );
}
