// The seam of storage: ingest writes through an Appender, query asks a Querier for sums.
import type { Dictionary } from '../model/dictionary.ts';
import type { LabelSet } from '../model/labels.ts';
import type { LabelMatcher } from '../model/matcher.ts';
import type { MergedStacks } from '../model/merged-stacks.ts';
import type { ProfileType, ValueType } from '../model/profile-type.ts';
import type { PeriodSum } from '../model/profiles/period-sums.ts';
import type { ProfileColumns } from '../model/profiles/profile-columns.ts';
import type { StepParts, Steps } from '../model/profiles/steps.ts';
import type { Timeline } from '../model/profiles/timeline.ts';

/** A range of time in nanoseconds since the epoch; both ends belong to it. */
export interface TimeRange {
  readonly from: bigint;
  readonly to: bigint;
}

/**
 * One profile, interned, on its way into the store.
 *
 * Shape: `stacks`, each of `values` and (if any) `sampleLabels` have `rowCount` used elements; no
 * two rows share stack and sample labels; a row whose values are all 0 may be forgotten. Stacks
 * are StackIndex of the appender's dictionary.
 * Ownership: the columns are borrowed until `append` returns.
 */
export interface IncomingProfile {
  /** Without the name; sorted, unique. */
  readonly labels: LabelSet;
  /** The profile's name: process_cpu, memory, ... */
  readonly name: string;
  /** What each value column measures; at least one. */
  readonly sampleTypes: readonly ValueType[];
  readonly periodType: ValueType;
  /** Events or units between two samples; 0 = unknown. */
  readonly period: bigint;
  readonly timeNanos: bigint;
  /** Not 0 makes the profile's types delta types, as in Parca. */
  readonly durationNanos: bigint;
  readonly rowCount: number;
  readonly stacks: Uint32Array;
  readonly values: readonly BigInt64Array[];
  /** SampleLabelsIndex of each row; absent when no row has labels. */
  readonly sampleLabels: Uint32Array | undefined;
  /** Equal for byte-equal uploads: with series and time it recognizes a retry. */
  readonly contentHash: bigint;
}

/** One all-or-nothing batch of profiles. Not to be shared between requests. */
export interface Appender {
  /** Where symbols are interned before `append`; rows stay valid for good. */
  readonly dictionary: Dictionary;
  /** Adds a profile to the batch; nothing is visible or durable yet. */
  append(profile: IncomingProfile): void;
  /**
   * Resolves when every profile of the batch is durable and visible; a retry of what is stored
   * already resolves too, once the first copy is durable, and changes nothing.
   *
   * Errors: AppError 'resource-exhausted' (disk or memory full), 'unavailable' (closing, or the
   * log failed), 'aborted' (the head was cut since the appender was made: a new one takes the
   * batch); then nothing of the batch is visible.
   */
  commit(): Promise<void>;
  /** Forgets the batch. */
  rollback(): void;
}

/** What to read. Matchers on names that no label has see the value "". */
export interface SeriesQuery {
  readonly matchers: readonly LabelMatcher[];
  /** Absent: every type. */
  readonly profileType: ProfileType | undefined;
  readonly range: TimeRange;
}

/** What goes along with a question: whether its answer is still wanted, and what it may cost. */
export interface ReadContext {
  readonly signal: AbortSignal;
  readonly budget: ReadBudget;
  /** Called often in long work: lets everything else run if it is time to; undefined if not. */
  pause(): Promise<void> | undefined;
  /** Errors: AppError that says why the answer is no longer wanted. */
  throwIfAborted(): void;
}

/** Counts what a question takes. Errors of its methods: AppError 'resource-exhausted'. */
export interface ReadBudget {
  /** Rows that were read so far. */
  rowsDone: number;
  /** Counts rows that are about to be read. */
  selectRows(rows: number): void;
  /** Counts memory that is held until `release`. */
  hold(bytes: number): void;
  release(bytes: number): void;
}

/**
 * Answers questions. Every method sees all that was acknowledged.
 *
 * Each question is one GROUP BY over a table of samples (series, time, stack, value, labels) and a
 * table of profiles, which has the sums of each; see "The seam" in ARCHITECTURE.md.
 */
export interface Querier {
  /** The caller disposes the selection. */
  select(query: SeriesQuery): Promise<Selection>;
  /** Names of labels (of series and of samples) that the matching series have, sorted. */
  labelNames(query: SeriesQuery): Promise<string[]>;
  /** Values of one label, sorted, without "". */
  labelValues(name: string, query: SeriesQuery): Promise<string[]>;
  /**
   * Distinct types of profiles in the range of series that match (absent: of every series), sorted
   * by their text form.
   */
  profileTypes(range: TimeRange, matchers?: readonly LabelMatcher[]): Promise<ProfileType[]>;
  hasData(): Promise<boolean>;
  /**
   * A text that is equal at two moments only if every question about the range has equal answers
   * then, as far as they can be read. Absent: nobody can tell.
   */
  state?(range: TimeRange): string;
}

/** The profiles of one label set and profile type that a selection has; at least one. */
export interface SelectedSeries {
  readonly labels: LabelSet;
  readonly profileType: ProfileType;
  readonly profileCount: number;
  /** Times of the first and the last profile; may have to be looked for. */
  times(): TimeRange;
}

/**
 * What a query selects: all answers of a selection are about the same profiles.
 *
 * A matcher on a label that a series does not have is about the labels of its samples. Then the
 * series belongs if one of its rows does. Sums are of rows that belong; `periods`, `timelines` and
 * `profiles` tell of all rows.
 *
 * What cannot be read does not fail an answer: it is noted in `missing`, and the rest is served.
 */
export interface Selection extends Disposable {
  readonly series: readonly SelectedSeries[];
  /** What belongs here and cannot be read, as sentences; grows while answers are made. */
  readonly missing: string[];
  /** What profiles add up to, by period. */
  periods(context: ReadContext): Promise<readonly PeriodSum[]>;
  /** When each series was profiled, without those that cannot be read. */
  timelines(context: ReadContext): Promise<ReadonlyMap<SelectedSeries, Timeline>>;
  /** The profiles of one series after the other. Ownership: columns are good until the next await. */
  profiles(context: ReadContext): AsyncIterable<SeriesProfiles>;
  /**
   * Sums by stack.
   *
   * Errors: AppError 'resource-exhausted' for too many groups; 'data-loss' when a profile cannot be
   * read that a step starts or ends at.
   */
  merge(question: MergeQuestion, context: ReadContext): Promise<StackSums>;
  /**
   * Sums over time. Profiles that are left nothing by `keeps` count as 0.
   *
   * Errors: as of `merge`.
   */
  overTime(question: TimeQuestion, context: ReadContext): Promise<SumsOverTime>;
}

export interface SeriesProfiles {
  readonly series: SelectedSeries;
  readonly columns: ProfileColumns;
}

/**
 * Differences between profiles: a step is worth what the profiles at its end have, less what those
 * at its start have. As a table: (series, time, factor), to be joined with samples.
 */
export interface SeriesSteps extends StepParts {
  readonly steps: Steps;
}

/** What sums are made of. */
interface SumQuestion {
  /** Whether each value is multiplied by the period of its profile. */
  readonly timesPeriod: boolean;
  /** Steps that are summed instead of profiles; series without any are left out. */
  readonly steps: ReadonlyMap<SelectedSeries, SeriesSteps> | undefined;
}

export interface MergeQuestion extends SumQuestion {
  /**
   * Names of labels: each distinct combination of values is a group. The label of a sample counts
   * where its series has none of that name.
   */
  readonly groupBy: readonly string[];
  /** Whether profiles of another time or duration, or other steps, are other groups. */
  readonly byTime: boolean;
  /** Told of each dictionary before rows that are of it are summed. */
  readonly onDictionary?: (dictionary: Dictionary) => void;
}

/** When a profile was taken, or a step began, and how long it lasted. */
export interface ProfileTimes {
  readonly timeNanos: bigint;
  readonly durationNanos: bigint;
}

/** What rows of a group add up to. */
export interface StackGroupSum {
  /** One for each of `groupBy`, "" = absent. */
  readonly labelValues: readonly string[];
  /** Of the profiles, or the steps, if they are told apart by time. */
  readonly span: ProfileTimes | undefined;
  readonly merged: MergedStacks;
}

/** Groups in no order, each with a sum that is not 0; stacks are those of `dictionary`. */
export interface StackSums {
  /** Undefined: there are no groups. */
  readonly dictionary: Dictionary | undefined;
  readonly groups: readonly StackGroupSum[];
}

export interface TimeQuestion extends SumQuestion {
  /** Width of a bucket, which begins at a multiple of it; 0 = one for each moment. */
  readonly stepNanos: bigint;
  /** Every profile counts as so much later than it is; a step is counted where it ends. */
  readonly offsetNanos: bigint;
  /** As in MergeQuestion, for lines; undefined: each series is a line. */
  readonly groupBy: readonly string[] | undefined;
  /** Whether a bucket has the sum of all its profiles, or of each series those of its first moment. */
  readonly isFirstOnly: boolean;
  /** Says of stacks of a dictionary which are summed; undefined: all. */
  readonly keeps: ((dictionary: Dictionary) => StackFilter) | undefined;
  /** Whether to tell what series add to lines. */
  readonly tellsShares: boolean;
}

export interface StackFilter {
  /** Errors: AppError 'data-loss' for a stack that the dictionary does not have. */
  keeps(stack: number): boolean;
}

export interface SumsOverTime {
  readonly lines: readonly LineOverTime[];
  /** At least the sum of the magnitudes of all profiles that were added, about. */
  readonly magnitude: number;
}

/** Buckets that have profiles, in no order, as columns. */
export interface LineOverTime {
  readonly labels: LabelSet;
  readonly startNanos: BigInt64Array;
  /** Time of the earliest profile. */
  readonly firstNanos: BigInt64Array;
  /** 1 where profiles of several moments are in it. */
  readonly isMixed: Uint8Array;
  /** Shortest duration of a profile, where all are of one moment. */
  readonly durationNanos: BigInt64Array;
  readonly value: BigInt64Array;
  /** Rows that are not 0. */
  readonly count: Uint32Array;
  /** Of steps that are longer than a bucket: what they are worth, and the sum of worth / duration. */
  readonly longValue: BigInt64Array;
  readonly longRate: Float64Array;
  /** What all profiles add up to, shown or not; modulo 2^64. */
  readonly total: bigint;
  /** The same by series, if asked for. */
  readonly shares: ReadonlyMap<SelectedSeries, bigint>;
}

/** What a delete did. */
export interface DeletedSeries {
  /** Blocks that had profiles of them in the range. */
  readonly blockCount: number;
  readonly seriesCount: number;
}

/** A copy of what was stored at one instant, in the server's storage path. */
export interface Snapshot {
  /** Absolute. */
  readonly path: string;
  readonly fileCount: number;
  /** Of files that are shared with the store, mostly. */
  readonly bytes: number;
}

/** What operators may do to what is stored. */
export interface StorageAdmin {
  /** Whether writes are refused because the disk is nearly full; it takes them again by itself. */
  readonly isReadOnly: boolean;
  /**
   * Deletes all profiles of matching series in the range that are acknowledged now: gone for
   * readers when it resolves, durably, and from the disk with the next compaction of their blocks.
   *
   * Errors: AppError 'invalid-argument' when the selector names less than whole uploads: labels of
   * samples, or one type of several that are uploaded together; the disk's: then it may be done in
   * part, and can be repeated.
   */
  delete(query: SeriesQuery): Promise<DeletedSeries>;
  /**
   * Makes a data directory of its own with everything that is acknowledged now, of links; without
   * blocks that are only in a bucket.
   */
  snapshot(): Promise<Snapshot>;
}

/** A store: opened by its constructor function, ready when that resolves. */
export interface Storage {
  appender(): Appender;
  readonly querier: Querier;
  /**
   * Resolves when all that was acknowledged so far is in immutable form.
   *
   * Errors: AppError 'unavailable' when the store closes before that.
   */
  rotate(): Promise<void>;
  /** Makes all that was committed durable, releases the directory; idempotent. */
  close(): Promise<void>;
}
