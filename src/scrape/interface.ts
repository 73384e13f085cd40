// State of each target, as shown by the API.
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
  /** Public labels of the target's series, without the profile's name. */
  readonly labels: LabelSet;
  /** Name of the scraped profile; "" if the target has none. */
  readonly profileName: string;
  /** The requested address, with path and query. */
  readonly url: string;
  readonly intervalMillis: number;
  /** Longest duration of a scrape, from connecting to the last byte. */
  readonly deadlineMillis: number;
  readonly health: TargetHealth;
  /**
   * Error of the last scrape, or the reason why the target is dropped or cannot be scraped; ""
   * after a success.
   */
  readonly lastError: string;
  /** Number of consecutive scrapes that failed with lastError; 0 after a success. */
  readonly errorCount: number;
  /** Start of the first scrape that failed with lastError. */
  readonly firstErrorNanos: bigint;
  /** Start of the last scrape; 0 = never. */
  readonly lastScrapeNanos: bigint;
  /** Duration of the fetch and the write. */
  readonly lastScrapeDurationNanos: bigint;
  /** Size of the last successful response in bytes; 0 = none yet. */
  readonly lastBodyBytes: number;
  /** Start of the first scrape with the current health; 0 = never. */
  readonly healthSinceNanos: bigint;
  /** Number of scrapes and of failed scrapes since the last change of config. */
  readonly scrapeCount: number;
  readonly failureCount: number;
  /**
   * Returns the last scrapes, oldest first. This is a function, because only a few targets are
   * shown at a time.
   */
  readonly recentScrapes: () => readonly RecentScrape[];
}

/** Labels after one relabeling rule. */
export interface RelabelStep {
  readonly rule: RelabelRule;
  /** Labels, including internal ones. */
  readonly labels: LabelSet;
  readonly isDropped: boolean;
}

/** All steps of relabeling one target. */
export interface RelabelSteps {
  readonly job: string;
  /** The rules in YAML. */
  readonly rulesText: string;
  /** Labels before the first rule, including the labels that the job adds. */
  readonly discoveredLabels: LabelSet;
  /** One step per rule, up to the rule that drops the target. */
  readonly steps: readonly RelabelStep[];
  /** Undefined for a target that is dropped or cannot be scraped. */
  readonly target: { readonly url: string; readonly labels: LabelSet } | undefined;
  /** Reason why the target cannot be scraped; "" if it can be scraped or is dropped. */
  readonly mistake: string;
}

/** Rules to test with the labels of a target. */
export interface RelabelTest {
  /** Name of the job whose settings apply; "" = a job with the default settings. */
  readonly job: string;
  readonly labels: readonly Label[];
  /** Undefined = the rules of the job. */
  readonly rules: TestedRules | undefined;
}

/** Rules to test, and the same rules in YAML, as in `relabel_configs`. */
export interface TestedRules {
  readonly rules: readonly RelabelRule[];
  readonly text: string;
}

/**
 * Parses a YAML list of rules for a test. Callers wait in a queue.
 *
 * Errors: AppError 'invalid-argument' with the positions of mistakes, 'resource-exhausted' if the
 * text is too long or the queue is full, 'cancelled'.
 */
export type ReadRules = (
  yaml: string,
  call: { readonly caller: string; readonly signal: AbortSignal },
) => Promise<TestedRules>;

/** Read-only view of the scrape manager. */
export interface ScrapeStatus {
  /**
   * Applies rules to labels, and pauses after each rule. Has no other effect.
   *
   * Errors: AppError 'not-found' for an unknown job, 'resource-exhausted' for a test that would
   * take too long.
   */
  testRelabeling(test: RelabelTest): Steps<RelabelSteps>;

  /**
   * Yields the states of targets that are scraped and of targets that cannot be scraped, job by job
   * in the order of the config. States are created one by one, because the states of 100,000
   * targets would take more memory than the targets.
   */
  activeTargets(): Iterable<TargetStatus>;
  /**
   * Yields the targets that relabeling dropped. Only job, discoveredLabels and lastError (the rule)
   * are set.
   */
  droppedTargets(): Iterable<TargetStatus>;
}
