// The state of every target, as the API sees it.
import type { LabelSet } from '../model/labels.ts';
import type { RecentScrape } from './recent-scrapes.ts';

export type TargetHealth = 'unknown' | 'good' | 'bad';

/** One target as the targets page shows it. */
export interface TargetStatus {
  readonly job: string;
  /** Before relabeling, `__address__` and `__meta_*` included. */
  readonly discoveredLabels: LabelSet;
  /** Public labels of its series, without the profile's name. */
  readonly labels: LabelSet;
  /** Name of the profile that is scraped; "" where the target has none. */
  readonly profileName: string;
  /** Address with path and query, as it is fetched. */
  readonly url: string;
  readonly intervalMillis: number;
  /** The whole scrape must be done in this time. */
  readonly deadlineMillis: number;
  readonly health: TargetHealth;
  /** "" after a success; the reason, of a target that is dropped or cannot be scraped at all. */
  readonly lastError: string;
  /** Scrapes in a row that ended with lastError; 0 = the last one was good, or there was none. */
  readonly errorCount: number;
  /** Start of the first of them. */
  readonly firstErrorNanos: bigint;
  /** Start of the last scrape; 0 = never. */
  readonly lastScrapeNanos: bigint;
  /** Fetch and write together. */
  readonly lastScrapeDurationNanos: bigint;
  /** Bytes that the last good fetch gave; 0 = there was none. */
  readonly lastBodyBytes: number;
  /** Start of the first of the scrapes since which the target has this health; 0 = never. */
  readonly healthSinceNanos: bigint;
  /** Scrapes since the target is scraped by this config, and those of them that failed. */
  readonly scrapeCount: number;
  readonly failureCount: number;
  /** Oldest first. */
  readonly recentScrapes: readonly RecentScrape[];
}

/** Read-only view of the scrape manager. */
export interface ScrapeStatus {
  /**
   * Targets that are scraped, or would be if their address made sense, grouped by job in config
   * order.
   */
  activeTargets(): readonly TargetStatus[];
  /** Targets that relabeling dropped: job, discoveredLabels, and in lastError the rule. */
  droppedTargets(): readonly TargetStatus[];
}
