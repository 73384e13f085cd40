// The state of every target, as the API sees it.
import type { Steps } from '../base/pacer.ts';
import type { Label, LabelSet } from '../model/labels.ts';
import type { RelabelRule } from '../model/relabel.ts';
import type { RecentScrape } from './recent-scrapes.ts';

export type TargetHealth = 'unknown' | 'good' | 'bad';

/** One target on the targets page. */
export interface TargetStatus {
  readonly job: string;
  /** Labels before relabeling, including `__address__` and `__meta_*`. */
  readonly discoveredLabels: LabelSet;
  /** Public labels of its series, without the profile's name. */
  readonly labels: LabelSet;
  /** Name of the scraped profile; "" if the target has none. */
  readonly profileName: string;
  /** The requested address, with path and query. */
  readonly url: string;
  readonly intervalMillis: number;
  /** Longest time of a whole scrape. */
  readonly deadlineMillis: number;
  readonly health: TargetHealth;
  /**
   * Error of the last scrape, "" after a success; or why the target is dropped or cannot be
   * scraped.
   */
  readonly lastError: string;
  /**
   * Number of consecutive scrapes that ended with lastError; 0 if the last scrape succeeded, or
   * there was none.
   */
  readonly errorCount: number;
  /** Start of the first of these scrapes. */
  readonly firstErrorNanos: bigint;
  /** Start of the last scrape; 0 = never. */
  readonly lastScrapeNanos: bigint;
  /** Duration of fetch and write together. */
  readonly lastScrapeDurationNanos: bigint;
  /** Bytes of the last successful fetch; 0 = there was none. */
  readonly lastBodyBytes: number;
  /** Start of the first scrape with the current health; 0 = never. */
  readonly healthSinceNanos: bigint;
  /** Number of scrapes with the current config, and number of failed scrapes. */
  readonly scrapeCount: number;
  readonly failureCount: number;
  /**
   * Lists the last scrapes, oldest first. A function, because it is called for only a few of many
   * targets.
   */
  readonly recentScrapes: () => readonly RecentScrape[];
}

/** Labels after one rule. */
export interface RelabelStep {
  readonly rule: RelabelRule;
  /** Labels, including internal ones. */
  readonly labels: LabelSet;
  readonly isDropped: boolean;
}

/** The steps from discovered labels to a target. */
export interface RelabelSteps {
  readonly job: string;
  /** The rules in YAML. */
  readonly rulesText: string;
  /** Labels before the first rule, including those that the job adds. */
  readonly discoveredLabels: LabelSet;
  /** A step for each rule, up to the rule that drops the target. */
  readonly steps: readonly RelabelStep[];
  /** Undefined for a target that is dropped or cannot be scraped. */
  readonly target: { readonly url: string; readonly labels: LabelSet } | undefined;
  /** Reason why the target cannot be scraped; "" if it can, or is dropped. */
  readonly mistake: string;
}

/** Rules to test on a target. */
export interface RelabelTest {
  /** Name of the job whose settings apply; "" = a job with the default settings. */
  readonly job: string;
  readonly labels: readonly Label[];
  /** Undefined = the rules of the job. */
  readonly rules: TestedRules | undefined;
}

/** Rules to test, and their text as in `relabel_configs`. */
export interface TestedRules {
  readonly rules: readonly RelabelRule[];
  readonly text: string;
}

/**
 * Reads a list of rules in YAML for a test, when it is the turn of the caller.
 *
 * Errors: AppError 'invalid-argument' with the positions of mistakes, 'resource-exhausted' for a
 * long text and if too many wait, 'cancelled'.
 */
export type ReadRules = (
  yaml: string,
  call: { readonly caller: string; readonly signal: AbortSignal },
) => Promise<TestedRules>;

/** Read-only view of the scrape manager. */
export interface ScrapeStatus {
  /**
   * Applies rules, with a pause after each, without changing anything.
   *
   * Errors: AppError 'not-found' for an unknown job, 'resource-exhausted' for a test that would
   * take too long.
   */
  testRelabeling(test: RelabelTest): Steps<RelabelSteps>;

  /**
   * Targets that are scraped, and those that cannot be, grouped by job in config order. Each state
   * is made on demand: 100,000 of them at once would take more memory than the targets.
   */
  activeTargets(): Iterable<TargetStatus>;
  /** Targets that relabeling dropped: job, discoveredLabels, and the rule in lastError. */
  droppedTargets(): Iterable<TargetStatus>;
}
