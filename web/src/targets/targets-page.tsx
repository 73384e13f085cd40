// The targets page: targets by job, their health, and links to their profiles.
import { useState } from 'react';
import { formatNanos } from '../format/numbers.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import { useRepeat } from '../page/hooks.ts';
import { useResource } from '../page/use-resource.ts';
import { Icon } from '../parts/icon.tsx';
import { toNanos } from '../rpc/messages.ts';
import { PanelState } from '../states/panel-state.tsx';
import {
  countHealth,
  filterTargets,
  type Health,
  healthOf,
  readTargets,
  type TargetRow,
} from './target-rows.ts';
import '../styles/targets.css';

const refreshMillis = 5_000;
/** Targets of a job that are drawn; a browser takes a second for some thousands. */
const rowsMax = 500;

const healthNames: readonly (readonly [Health | 'all', string])[] = [
  ['all', 'All'],
  ['up', 'Up'],
  ['down', 'Down'],
  ['unknown', 'Not scraped yet'],
  ['dropped', 'Dropped'],
];

/** Whole seconds below a minute: ages change too fast for more. */
function formatAge(millis: number): string {
  return formatNanos(Math.max(0, Math.round(millis / 1_000)) * 1e9).replace(/\.0+(?=\D)/, '');
}

/** Jobs as sections; asks again every five seconds while it is seen. */
export function TargetsPage() {
  const { api, url } = useApp();
  const { state } = usePlace();
  const [now, setNow] = useState(() => Date.now());
  // Dropped targets are asked for when they are looked at: discovery may find thousands.
  const isDropped = state.targetHealth === 'dropped';
  const kind = isDropped ? 'dropped' : 'active';
  const targets = useResource(`${kind} targets ${now}`, ({ signal }) => api.targets(kind, signal), {
    topic: `${kind} targets`,
    isQuiet: true,
  });
  useRepeat(refreshMillis, () => setNow(Date.now()));
  const rows = readTargets(targets.value ?? new Map());
  const counts = countHealth(rows);
  const shown = filterTargets(rows, state.targetSearch, state.targetHealth);
  const jobs = [...new Set(shown.map(({ job }) => job))];

  return (
    <div className="targets" data-query={targets.valueKey}>
      <div className="targets-head">
        <h1>Targets</h1>
        <div className="search-box">
          <Icon name="search" />
          <input
            aria-label="Search targets"
            placeholder="Address, label or error"
            value={state.targetSearch}
            onChange={(event) => url.change({ targetSearch: event.target.value }, 'adjust')}
          />
        </div>
        <div className="tabs" role="group" aria-label="Health">
          {healthNames.map(([health, name]) => (
            <button
              type="button"
              key={health}
              aria-pressed={state.targetHealth === health}
              onClick={() => url.change({ targetHealth: health }, 'adjust')}
            >
              {name} {isDropped === (health === 'dropped') && counts[health]}
            </button>
          ))}
        </div>
      </div>
      <div className="targets-body">
        <PanelState resource={targets} what="the targets" />
        {isDropped && targets.value !== undefined && rows.length === 0 && (
          <p className="panel-message static">Relabeling drops no target.</p>
        )}
        {!isDropped && targets.value !== undefined && rows.length === 0 && (
          <p className="panel-message static">
            This server scrapes no targets. Add some to <code>scrape_configs</code> in{' '}
            <code>parca.yaml</code>.
          </p>
        )}
        {rows.length > 0 && shown.length === 0 && (
          <p className="panel-message static">No target fits. {rows.length} are hidden.</p>
        )}
        {jobs.map((job) => (
          <Job key={job} job={job} rows={shown.filter((row) => row.job === job)} now={now} />
        ))}
      </div>
    </div>
  );
}

interface JobProps {
  readonly job: string;
  readonly rows: readonly TargetRow[];
  readonly now: number;
}

function Job({ job, rows, now }: JobProps) {
  const up = rows.filter((row) => healthOf(row) === 'up').length;
  const isDropped = rows.every(({ url }) => url === '');
  return (
    <section className="job" aria-label={job}>
      <h2>
        {job}
        <span className="hint">
          {isDropped ? `${rows.length} dropped` : `${up} of ${rows.length} up`}
        </span>
      </h2>
      <ul>
        {rows.slice(0, rowsMax).map((row, i) => (
          <Target key={`${row.url}${i}`} row={row} now={now} />
        ))}
        {rows.length > rowsMax && (
          <li className="hint">{rows.length - rowsMax} more: search to find them</li>
        )}
      </ul>
    </section>
  );
}

function Labels({ labels }: { readonly labels: TargetRow['labels'] }) {
  return (
    <span className="target-labels">
      {labels.map(([name, value]) => (
        <span className="label" key={name}>
          {name}=<b>{value}</b>
        </span>
      ))}
    </span>
  );
}

const healthLook = {
  up: { icon: 'check', word: 'up' },
  down: { icon: 'warning', word: 'down' },
  unknown: { icon: 'clock', word: 'waiting' },
  dropped: { icon: 'close', word: 'dropped' },
} as const;

function Target({ row, now }: { readonly row: TargetRow; readonly now: number }) {
  const { url } = useApp();
  const { state } = usePlace();
  const { icon, word } = healthLook[healthOf(row)];
  const conditions = row.labels.map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const query = `{${conditions.join(', ')}}`;
  const scraped = Number(toNanos(row.lastScrape)) / 1e6;
  return (
    <li className="target">
      <span className={`health ${word}`}>
        <Icon name={icon} />
        {word}
      </span>
      <div className="target-what">
        <span className="target-url mono">{row.url}</span>
        {row.lastError !== '' && <span className="field-error">{row.lastError}</span>}
      </div>
      <div className="target-what">
        <Labels labels={row.labels} />
        {row.discovered.length > 0 && (
          <details open={row.url === ''}>
            <summary>before relabeling</summary>
            <Labels labels={row.discovered} />
          </details>
        )}
      </div>
      {row.url !== '' && (
        <>
          <span className="target-time">
            {scraped > 0 ? (
              <>
                <span>{formatAge(now - scraped)} ago</span>
                <span className="hint">took {formatNanos(toNanos(row.lastScrapeDuration))}</span>
              </>
            ) : (
              <span className="hint">never scraped</span>
            )}
          </span>
          <a
            className="button"
            href={url.hrefOf('explore', {
              ...state,
              query,
              targetSearch: '',
              targetHealth: 'all',
            })}
          >
            Explore
          </a>
        </>
      )}
    </li>
  );
}
