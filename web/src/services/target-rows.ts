// Extracts what the services page needs from targets: labels, health and last scrape.
import type { LabelSet, TargetMessage, Timestamp } from '../rpc/messages.gen.ts';

export type Health = 'up' | 'down' | 'unknown' | 'dropped';

/** One target. */
export interface TargetRow {
  readonly job: string;
  readonly url: string;
  readonly labels: readonly (readonly [name: string, value: string])[];
  readonly discovered: readonly (readonly [name: string, value: string])[];
  /** Health as in the message: 0 unknown, 1 good, 2 bad. */
  readonly health: number;
  readonly lastError: string;
  readonly lastScrape: Timestamp | undefined;
  readonly lastScrapeDuration: Timestamp | undefined;
}

/** Returns rows by job, then by address. */
export function readTargets(jobs: ReadonlyMap<string, readonly TargetMessage[]>): TargetRow[] {
  const rows = [...jobs].flatMap(([job, targets]) => targets.map((target) => toRow(job, target)));
  return rows.sort((a, b) => compare(a.job, b.job) || compare(a.url, b.url));
}

function toRow(job: string, target: TargetMessage): TargetRow {
  return {
    job,
    url: target.url,
    labels: toLabels(target.labels),
    discovered: toLabels(target.discoveredLabels),
    health: target.health,
    lastError: target.lastError,
    lastScrape: target.lastScrape,
    lastScrapeDuration: target.lastScrapeDuration,
  };
}

function toLabels(set: LabelSet | undefined): (readonly [string, string])[] {
  return (set?.labels ?? []).map(({ name, value }) => [name, value] as const);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Returns the health. A target whose last scrape failed is down; a target without a URL is dropped.
 */
export function judgeHealth({ url, health, lastError }: TargetRow): Health {
  if (url === '') return 'dropped';
  if (health === 2 || lastError !== '') return 'down';
  return health === 1 ? 'up' : 'unknown';
}
