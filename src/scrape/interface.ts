// The state of every target, as the API sees it.
import type { Label, LabelSet } from '../model/labels.ts';
import type { RelabelRule } from '../model/relabel.ts';
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
  /** Lists the last scrapes, oldest first; few targets of many are asked for theirs. */
  readonly recentScrapes: () => readonly RecentScrape[];
}

/** Labels as one rule left them. */
export interface RelabelStep {
  readonly rule: RelabelRule;
  /** Labels after the rule, internal ones included. */
  readonly labels: LabelSet;
  readonly isDropped: boolean;
}

/** Steps from the labels that were discovered to a target. */
export interface RelabelSteps {
  readonly job: string;
  /** The rules in YAML. */
  readonly rulesText: string;
  /** Before the first rule, with what the job adds. */
  readonly discoveredLabels: LabelSet;
  /** A step for each rule, up to the one that drops the target. */
  readonly steps: readonly RelabelStep[];
  /** Undefined for a target that is dropped or cannot be scraped. */
  readonly target: { readonly url: string; readonly labels: LabelSet } | undefined;
  /** Why the target cannot be scraped; "" where it can, or is dropped. */
  readonly mistake: string;
}

/** Rules to try on a target. */
export interface RelabelTest {
  /** "" = a job with the usual settings. */
  readonly job: string;
  readonly labels: readonly Label[];
  /** A list of rules in YAML; undefined = those of the job. */
  readonly rules: string | undefined;
}

/** Read-only view of the scrape manager. */
export interface ScrapeStatus {
  /**
   * Tries rules, and changes nothing.
   *
   * Errors: AppError 'not-found' for a job that is not there, 'invalid-argument' with the places of
   * mistakes in the rules, 'resource-exhausted' for what would take long.
   */
  testRelabeling(test: RelabelTest): RelabelSteps;

  /**
   * Targets that are scraped, or would be if their address made sense, grouped by job in config
   * order.
   */
  activeTargets(): readonly TargetStatus[];
  /** Targets that relabeling dropped: job, discoveredLabels, and in lastError the rule. */
  droppedTargets(): readonly TargetStatus[];
}
