// Targets page: targets by job, their recent scrapes, and links to their profiles.
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { formatBytes, formatNanos, groupDigits } from '../format/numbers.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import * as clock from '../page/clock.ts';
import { useRepeat } from '../page/hooks.ts';
import { useResource } from '../page/use-resource.ts';
import { Icon } from '../parts/icon.tsx';
import { BreakableUrl } from '../parts/breakable-url.tsx';
import {
  type ActiveTarget,
  askTargets,
  type DroppedTarget,
  type Labels,
  type PoolCounts,
  type TargetList,
  type TargetQuestion,
} from '../rpc/targets.ts';
import { PanelState } from '../states/panel-state.tsx';
import '../styles/health.css';
import '../styles/targets.css';
import { formatSelector } from './label-steps.ts';
import type { RelabelSubject } from './relabel-dialog.tsx';
import { ScrapeStrip } from './scrape-strip.tsx';

const RelabelDialog = lazy(async () => {
  const { RelabelDialog: dialog } = await import('./relabel-dialog.tsx');
  return { default: dialog };
});

const refreshMillis = 5_000;
/** Maximum number of targets per job; to show a few thousand, a browser takes a second. */
const rowsMax = 100;

const healthNames: readonly (readonly [TargetQuestion['health'], string])[] = [
  ['all', 'All'],
  ['up', 'Up'],
  ['down', 'Down'],
  ['unknown', 'Not scraped yet'],
  ['dropped', 'Dropped'],
];

/** Targets page, with one section per job; refreshes every five seconds while it is visible. */
export function TargetsPage() {
  const { base, url } = useApp();
  const { state } = usePlace();
  const [now, setNow] = useState(clock.now);
  clock.useClockChange(() => setNow(clock.now()));
  const [subject, setSubject] = useState<RelabelSubject>();
  const question = { health: state.targetHealth, search: state.targetSearch, limit: rowsMax };
  const kind = `targets ${question.health} ${question.search}`;
  const targets = useResource(
    `${kind} ${now}`,
    ({ signal }) => askTargets(base, question, signal),
    { topic: kind, isQuiet: true },
  );
  useRepeat(refreshMillis, () => setNow(clock.now()));
  const list = targets.value ?? { activeTargets: [], droppedTargets: [], pools: [] };
  const known = list.pools.reduce((sum, pool) => sum + countTargets(pool, question.health), 0);
  const matching = list.pools.filter((pool) => pool.matching > 0);

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
              {name}{' '}
              {groupDigits(list.pools.reduce((sum, pool) => sum + countTargets(pool, health), 0))}
            </button>
          ))}
        </div>
      </div>
      <div className="targets-body">
        <PanelState resource={targets} what="the targets" />
        {targets.value !== undefined && known === 0 && <NoTargets health={question.health} />}
        {known > 0 && matching.length === 0 && (
          <p className="panel-message static">No target fits. {groupDigits(known)} are hidden.</p>
        )}
        {matching.map((pool) => (
          <Job key={pool.scrapePool} pool={pool} list={list} now={now} onTest={setSubject} />
        ))}
      </div>
      {subject !== undefined && (
        <Suspense>
          <RelabelDialog subject={subject} onClose={() => setSubject(undefined)} />
        </Suspense>
      )}
    </div>
  );
}

/** Returns the number of targets in a tab, regardless of the search. */
function countTargets(pool: PoolCounts, health: TargetQuestion['health']): number {
  return health === 'all' ? pool.up + pool.down + pool.unknown : pool[health];
}

function NoTargets({ health }: { readonly health: TargetQuestion['health'] }) {
  if (health === 'dropped') {
    return <p className="panel-message static">Relabeling drops no target.</p>;
  }
  if (health !== 'all') return <p className="panel-message static">There are none.</p>;
  return (
    <p className="panel-message static">
      This server scrapes no targets. Add some to <code>scrape_configs</code> in{' '}
      <code>parca.yaml</code>.
    </p>
  );
}

interface JobProps {
  readonly pool: PoolCounts;
  readonly list: TargetList;
  readonly now: number;
  readonly onTest: (subject: RelabelSubject) => void;
}

function Job({ pool, list, now, onTest }: JobProps) {
  const { scrapePool: job, up, dropped, matching } = pool;
  const active = list.activeTargets.filter(({ scrapePool }) => scrapePool === job);
  const unscraped = list.droppedTargets.filter(({ scrapePool }) => scrapePool === job);
  const rest = matching - active.length - unscraped.length;
  const all = groupDigits(countTargets(pool, 'all'));
  return (
    <section className="job" aria-label={job}>
      <h2>
        {job}
        <span className="hint">
          {unscraped.length > 0
            ? `${groupDigits(dropped)} dropped`
            : `${groupDigits(up)} of ${all} up, every ${active[0]?.scrapeInterval ?? ''}`}
        </span>
      </h2>
      {active.length > 0 && (
        <table className="target-table">
          <thead>
            <tr>
              <th scope="col" className="col-health">
                Health
              </th>
              <th scope="col">Address</th>
              <th scope="col">Labels</th>
              <th scope="col" className="col-time">
                Last
              </th>
              <th scope="col" className="col-size">
                Size
              </th>
              <th scope="col" className="col-strip">
                Scrapes
              </th>
              <th scope="col" className="col-failed">
                Failed
              </th>
              <th scope="col" className="col-actions">
                <span className="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {active.map((target, i) => (
              <Target key={`${target.scrapeUrl}${i}`} target={target} now={now} onTest={onTest} />
            ))}
          </tbody>
        </table>
      )}
      {unscraped.length > 0 && (
        <ul className="dropped-targets">
          {unscraped.map((target, i) => (
            <Dropped key={i} target={target} onTest={onTest} />
          ))}
        </ul>
      )}
      {rest > 0 && <p className="hint">{groupDigits(rest)} more: search to find them</p>}
    </section>
  );
}

const healthLook = {
  up: { icon: 'check', word: 'up' },
  down: { icon: 'warning', word: 'down' },
  unknown: { icon: 'clock', word: 'waiting' },
} as const;

interface TargetProps {
  readonly target: ActiveTarget;
  readonly now: number;
  readonly onTest: (subject: RelabelSubject) => void;
}

function Target({ target, now, onTest }: TargetProps) {
  const { health, scrapeUrl, lastError, labels, discoveredLabels, profile, scrapePool } = target;
  const { icon, word } = healthLook[health];
  const scraped = parseMillis(target.lastScrape);
  const since = parseMillis(target.healthSince);
  const selector = formatSelector(labels);
  const results = formatSelector({ ...withoutProfile(labels), profile });
  return (
    <tr className="target">
      <td>
        <span className={`health ${word}`}>
          <Icon name={icon} />
          {word}
        </span>
        {since > 0 && <span className="hint"> for {formatAge(now - since)}</span>}
      </td>
      <td className="target-what">
        <span className="target-url mono">
          <BreakableUrl url={scrapeUrl} />
        </span>
        {lastError !== '' && <span className="field-error">{lastError}</span>}
      </td>
      <td className="target-what">
        <LabelList labels={labels} />
        <details>
          <summary>before relabeling</summary>
          <LabelList labels={discoveredLabels} />
        </details>
      </td>
      <td className="target-time">
        {scraped > 0 ? (
          <>
            <span>{formatAge(now - scraped)} ago</span>
            <span className="hint">took {formatNanos(target.lastScrapeDuration * 1e9)}</span>
          </>
        ) : (
          <span className="hint">never scraped</span>
        )}
      </td>
      <td>{target.lastScrapeBytes > 0 && formatBytes(target.lastScrapeBytes)}</td>
      <td>
        <ScrapeStrip scrapes={target.recentScrapes} />
      </td>
      <td>
        {target.scrapes > 0 && `${groupDigits(target.failures)} of ${groupDigits(target.scrapes)}`}
      </td>
      <td className="target-actions">
        <ExploreLink query={selector}>Explore</ExploreLink>
        <ExploreLink query={`scrape:up${results}`}>Health</ExploreLink>
        <button
          type="button"
          className="button"
          onClick={() => onTest({ job: scrapePool, labels: discoveredLabels })}
        >
          Rules
        </button>
      </td>
    </tr>
  );
}

/** Renames the label `profile` as scraping does, because scrape results use this name. */
function withoutProfile({ profile, ...labels }: Labels): Labels {
  return profile === undefined ? labels : { ...labels, exported_profile: profile };
}

interface DroppedProps {
  readonly target: DroppedTarget;
  readonly onTest: (subject: RelabelSubject) => void;
}

function Dropped({ target: { scrapePool, discoveredLabels, reason }, onTest }: DroppedProps) {
  return (
    <li>
      <span className="field-error">{reason}</span>
      <LabelList labels={discoveredLabels} />
      <button
        type="button"
        className="button"
        onClick={() => onTest({ job: scrapePool, labels: discoveredLabels })}
      >
        Rules
      </button>
    </li>
  );
}

function ExploreLink({
  query,
  children,
}: {
  readonly query: string;
  readonly children: ReactNode;
}) {
  const { url } = useApp();
  const { state } = usePlace();
  const place = { ...state, query, targetSearch: '', targetHealth: 'all' } as const;
  return (
    <a className="button" href={url.formatHref('explore', place)}>
      {children}
    </a>
  );
}

function LabelList({ labels }: { readonly labels: Labels }) {
  return (
    <span className="target-labels">
      {Object.entries(labels).map(([name, value]) => (
        <span className="label" key={name}>
          {name}=<b>{value}</b>
        </span>
      ))}
    </span>
  );
}

/** Returns milliseconds since the epoch; at most 0 if there is no time. */
function parseMillis(time: string): number {
  return Date.parse(time);
}

/** Formats an age; an age below a minute is in whole seconds, because it changes fast. */
function formatAge(millis: number): string {
  const seconds = Math.round(millis / 1_000);
  return seconds < 1 ? '0\u202fs' : formatNanos(seconds * 1e9).replace(/\.0+(?=\D)/, '');
}
