// The storage seam. Ingest writes through an Appender, and queries read sums from a Querier.
import type { Steps } from '../base/pacer.ts';
import type { Dictionary } from '../model/dictionary.ts';
import type { LabelSet } from '../model/labels.ts';
import type { LabelMatcher } from '../model/matcher.ts';
import type { MergedStacks } from '../model/merged-stacks.ts';
import type { NameGaps } from '../model/name-gaps.ts';
import type { ProfileType, ValueType } from '../model/profile-type.ts';
import type { PeriodSum } from '../model/profiles/period-sums.ts';
import type { ProfileColumns, ProfileTimes } from '../model/profiles/profile-columns.ts';
import type { StepParts, IncreaseSteps } from '../model/profiles/steps.ts';
import type { Timeline } from '../model/profiles/timeline.ts';

/** A range of time in nanoseconds since the epoch, including both ends. */
export interface TimeRange {
  readonly from: bigint;
  readonly to: bigint;
}

/**
 * One interned profile to write.
 *
 * Shape: `stacks`, each array in `values`, and `sampleLabels` if present, have `rowCount` used
 * elements. No two rows have the same stack and sample labels. The store may drop a row whose
 * values are all 0. `stacks` has the StackIndex of each row in the appender's dictionary.
 * Ownership: the columns must not change until `append` returns.
 */
export interface IncomingProfile {
  /** Labels without the name; sorted, unique. */
  readonly labels: LabelSet;
  /** Name of the profile: process_cpu, memory, ... */
  readonly name: string;
  /** Types of the value columns; at least one. */
  readonly sampleTypes: readonly ValueType[];
  readonly periodType: ValueType;
  /** Number of events or units between two samples; 0 = unknown. */
  readonly period: bigint;
  readonly timeNanos: bigint;
  /** Duration; if it is not 0, the profile has delta types, as in Parca. */
  readonly durationNanos: bigint;
  readonly rowCount: number;
  readonly stacks: Uint32Array;
  readonly values: readonly BigInt64Array[];
  /** SampleLabelsIndex of each row; absent when no row has labels. */
  readonly sampleLabels: Uint32Array | undefined;
  /** Hash of the uploaded bytes. Together with series and time, it identifies a retry. */
  readonly contentHash: bigint;
  /**
   * Times of the samples of all rows, as encodeSampleTimes writes them; absent if there are none.
   */
  readonly sampleTimes?: Uint8Array | undefined;
  /**
   * Reason why sample times were not stored: there are too many, or some are far from the profile.
   */
  readonly lostTimes?: 'limit' | 'far' | undefined;
}

/**
 * A batch of profiles that is written completely or not at all; nothing is stored before `commit`.
 * Requests must not share an appender.
 */
export interface Appender {
  /** Dictionary in which symbols are interned before `append`; its rows never become invalid. */
  readonly dictionary: Dictionary;
  /** Adds a profile to the batch, which is not visible or durable yet. */
  append(profile: IncomingProfile): void;
  /**
   * Like `append`, but in steps, for profiles that may have millions of rows. Absent if `append`
   * never takes longer than a step.
   */
  appendInSteps?(profile: IncomingProfile): Steps<void>;
  /**
   * Resolves when every profile of the batch is durable and visible. All profiles become visible at
   * the same moment, or a few thousand at a time if the batch is very large. A retry of a stored
   * profile changes nothing, and resolves once the first copy is durable.
   *
   * Errors: AppError 'resource-exhausted' (disk or memory full), 'unavailable' (closing, or the log
   * failed), 'aborted' (the head was cut after the appender was created; a new appender accepts the
   * batch). After an error, no profile of the batch is visible.
   */
  commit(): Promise<void>;
}

/**
 * A query for the profiles of some series in a time range. If a label is on neither a series nor
 * its samples, matchers compare the value "".
 */
export interface SeriesQuery {
  readonly matchers: readonly LabelMatcher[];
  /** Profile type; undefined = every type. */
  readonly profileType: ProfileType | undefined;
  readonly range: TimeRange;
}

/** Context of a query: its limits, and whether its answer is still wanted. */
export interface ReadContext {
  readonly signal: AbortSignal;
  readonly budget: ReadBudget;
  /**
   * Pauses if the current slice of time is used up; otherwise returns undefined. Long-running work
   * must call it often.
   */
  pause(): Promise<void> | undefined;
  /** Throws if the answer is no longer wanted. Errors: AppError with the reason. */
  throwIfAborted(): void;
  /**
   * Waits for function names that are still being looked up. Returns false once the query has
   * waited for the longest allowed time. Absent if the query never waits. Errors: as in
   * throwIfAborted.
   */
  awaitNames?(coming: (signal: AbortSignal) => Promise<void>): Promise<boolean>;
}

/** Counts what a query uses. Errors of its methods: AppError 'resource-exhausted'. */
export interface ReadBudget {
  /** Number of rows read so far. */
  rowsDone: number;
  /** Counts rows that are about to be read. */
  selectRows(rows: number): void;
  /** Counts memory that is in use until `release`. */
  hold(bytes: number): void;
  release(bytes: number): void;
}

/**
 * Answers queries. Every method sees all acknowledged profiles.
 *
 * Each query is a GROUP BY over a table of samples (series, time, stack, value, labels) and a table
 * of profiles with their sums; see "The seam" in ARCHITECTURE.md.
 */
export interface Querier {
  /** Selects profiles. The caller disposes of the selection. */
  select(query: SeriesQuery, signal?: AbortSignal): Promise<Selection>;
  /**
   * Returns the label names of the matching series and of their samples, sorted. A search may stop
   * when the signal is aborted, and then throws the signal's reason.
   */
  labelNames(query: SeriesQuery, signal?: AbortSignal): Promise<string[]>;
  /** Returns the values of one label, sorted, without ""; `signal` is as in `labelNames`. */
  labelValues(name: string, query: SeriesQuery, signal?: AbortSignal): Promise<string[]>;
  /**
   * Returns the distinct profile types of the matching series that have profiles in the range,
   * sorted by their string form. Without matchers, all series match.
   */
  profileTypes(
    range: TimeRange,
    matchers?: readonly LabelMatcher[],
    signal?: AbortSignal,
  ): Promise<ProfileType[]>;
  hasData(): Promise<boolean>;
  /**
   * Returns a string that stays the same only as long as every query about the range has the same
   * answer, unless data becomes unreadable. Absent or undefined if the store has no such string.
   */
  state?(range: TimeRange): string | undefined;
  /**
   * Returns sentences about data that is currently missing from answers about the range. If the
   * method is absent, nothing is missing.
   */
  missingIn?(range: TimeRange): string[];
}

/** A label set and profile type, with at least one selected profile. */
export interface SelectedSeries {
  readonly labels: LabelSet;
  readonly profileType: ProfileType;
  readonly profileCount: number;
  /** Returns the times of the first and the last profile, which may need a search. */
  times(): TimeRange;
}

/**
 * The profiles that a query selects. All answers of a selection are about the same profiles.
 *
 * A matcher on a label that a series does not have applies to the labels of its samples. The series
 * is selected if any of its rows matches. Sums include only matching rows; `periods`, `timelines`
 * and `profiles` include all rows.
 *
 * Unreadable data does not make an answer fail: it is reported in `missing`, and the rest is
 * served.
 */
export interface Selection extends Disposable {
  readonly series: readonly SelectedSeries[];
  /** Sentences about data of the selection that is unreadable. Each answer may add some. */
  readonly missing: string[];
  /**
   * Names that are missing from the answers; absent if there are none. May change with each answer.
   */
  readonly nameGaps?: NameGaps;
  /** Returns the sums of profiles by period. */
  periods(context: ReadContext): Promise<readonly PeriodSum[]>;
  /** Returns the timeline of each series, without profiles that cannot be read. */
  timelines(context: ReadContext): Promise<ReadonlyMap<SelectedSeries, Timeline>>;
  /**
   * Yields the profiles of one series at a time. Ownership: columns are valid until the next await.
   */
  profiles(context: ReadContext): AsyncIterable<SeriesProfiles>;
  /**
   * Returns sums by stack.
   *
   * Errors: AppError 'resource-exhausted' for too many groups; 'data-loss' if the profile at the
   * start or the end of a step cannot be read.
   */
  merge(question: MergeQuestion, context: ReadContext): Promise<StackSums>;
  /**
   * Returns sums over time. Profiles without a stack that `keeps` accepts count as 0.
   *
   * Errors: as in `merge`.
   */
  overTime(question: TimeQuestion, context: ReadContext): Promise<SumsOverTime>;
  /**
   * Returns sums over time that use the times of samples, which are more precise than the times of
   * profiles.
   *
   * Errors: as in `merge`; 'resource-exhausted' for too many lines or buckets.
   */
  samplesOverTime(question: SampleQuestion, context: ReadContext): Promise<SamplesOverTime>;
}

export interface SeriesProfiles {
  readonly series: SelectedSeries;
  readonly columns: ProfileColumns;
}

/**
 * Differences between profiles of a series. The value of a step is the profile at its end minus the
 * profile at its start. In terms of tables, steps are rows (series, time, factor) that are joined
 * with samples.
 */
export interface SeriesSteps extends StepParts {
  readonly steps: IncreaseSteps;
}

/** Fields that are common to all queries for sums. */
interface SumQuestion {
  /** True to multiply each value by the period of its profile. */
  readonly timesPeriod: boolean;
  /** Steps to sum instead of profiles; series without steps are left out. */
  readonly steps: ReadonlyMap<SelectedSeries, SeriesSteps> | undefined;
}

export interface MergeQuestion extends SumQuestion {
  /**
   * Label names: each distinct combination of their values is a group. A sample label is used if
   * its series has no label of that name.
   */
  readonly groupBy: readonly string[];
  /** True to group also by the time and duration of profiles or steps. */
  readonly byTime: boolean;
  /** Called with each dictionary before its rows are summed. */
  readonly onDictionary?: (dictionary: Dictionary) => void;
  /**
   * Sums only samples in this time range; if absent, all samples. A profile without sample times
   * counts as one sample at the time of the profile. Ignored if there are steps.
   */
  readonly samplesIn?: TimeRange | undefined;
}

/** Sum of the rows of a group. */
export interface StackGroupSum {
  /** Values of the labels in `groupBy`; "" = absent. */
  readonly labelValues: readonly string[];
  /** Time of the profiles or steps, if they are grouped by time. */
  readonly span: ProfileTimes | undefined;
  readonly merged: MergedStacks;
}

/** Groups with a nonzero sum, in any order. Stacks are rows of `dictionary`. */
export interface StackSums {
  /** Dictionary of the stacks; undefined when there are no groups. */
  readonly dictionary: Dictionary | undefined;
  readonly groups: readonly StackGroupSum[];
}

export interface TimeQuestion extends SumQuestion {
  /**
   * Width of a bucket in nanoseconds. Buckets begin at multiples of the width; 0 = one bucket for
   * each distinct time.
   */
  readonly stepNanos: bigint;
  /** Offset that is added to the time of every profile. A step counts at the time of its end. */
  readonly offsetNanos: bigint;
  /** Labels that form lines, as in MergeQuestion; if undefined, each series is a line. */
  readonly groupBy: readonly string[] | undefined;
  /**
   * True if a bucket includes only the earliest time of each series; false if it includes all
   * profiles.
   */
  readonly isFirstOnly: boolean;
  /** Returns the filter for the stacks of a dictionary; if undefined, all stacks are summed. */
  readonly keeps: ((dictionary: Dictionary) => StackFilter) | undefined;
  /** True to return how much each series contributes to each line, too. */
  readonly tellsShares: boolean;
}

/** A query for sums over time that uses the times of samples. */
export interface SampleQuestion {
  /** Time range of the samples; the first bucket begins at its start. */
  readonly range: TimeRange;
  /** Width of a bucket, a whole number of milliseconds. */
  readonly stepNanos: bigint;
  /** Labels that form lines, as in MergeQuestion. */
  readonly groupBy: readonly string[];
  /** True to multiply each value by the period of its profile. */
  readonly timesPeriod: boolean;
}

export interface SamplesOverTime {
  readonly lines: readonly SampleLine[];
  /** Sum of the profiles in the range that have no sample times, modulo 2^64. */
  readonly untimed: bigint;
}

/** Buckets in order of time, from the start of the range to its end. */
export interface SampleLine {
  /** Values of the labels in `groupBy`; "" = absent. */
  readonly labelValues: readonly string[];
  readonly values: BigInt64Array;
}

export interface StackFilter {
  /**
   * Returns true if a stack must be included in the sum. Errors: AppError 'data-loss' for a stack
   * that is not in the dictionary.
   */
  keeps(stack: number): boolean;
}

export interface SumsOverTime {
  readonly lines: readonly LineOverTime[];
  /** Approximate upper bound for the sum of the magnitudes of all added profiles. */
  readonly magnitude: number;
}

/** Buckets that have profiles, in any order, as columns. */
export interface LineOverTime {
  readonly labels: LabelSet;
  readonly startNanos: BigInt64Array;
  /** Time of the earliest profile in the bucket. */
  readonly firstNanos: BigInt64Array;
  /** 1 if the bucket has profiles with different times. */
  readonly isMixed: Uint8Array;
  /** Shortest duration of the profiles in the bucket, if all have the same time. */
  readonly durationNanos: BigInt64Array;
  readonly value: BigInt64Array;
  /** Number of nonzero rows in the bucket. */
  readonly count: Uint32Array;
  /**
   * For steps that are longer than the bucket: the sum of their values, and the sum of value /
   * duration.
   */
  readonly longValue: BigInt64Array;
  readonly longRate: Float64Array;
  /** Sum of all profiles, modulo 2^64, including stacks that a filter drops. */
  readonly total: bigint;
  /** The same sum for each series, if requested. */
  readonly shares: ReadonlyMap<SelectedSeries, bigint>;
}

/** Result of a delete. */
export interface DeletedSeries {
  /** Number of blocks that contain matching profiles in the range. */
  readonly blockCount: number;
  readonly seriesCount: number;
}

/** A copy of the data stored at one instant, in the server's storage path. */
export interface Snapshot {
  /** Absolute path of the copy. */
  readonly path: string;
  readonly fileCount: number;
  /** Number of bytes, most of them in files shared with the store. */
  readonly bytes: number;
}

/** Operations on stored data for operators. */
export interface StorageAdmin {
  /**
   * True while writes are refused because the disk is nearly full. Becomes false again without
   * help.
   */
  readonly isReadOnly: boolean;
  /**
   * Deletes all profiles of matching series in the range that were acknowledged before the call.
   * When it resolves, the profiles are durably hidden from readers; the next compaction of their
   * blocks removes them from the disk.
   *
   * Errors: AppError 'invalid-argument' if the selector matches only a part of an upload, because
   * it names sample labels or one of several types that were uploaded together; I/O errors, after
   * which the delete may be incomplete and can be repeated.
   */
  delete(query: SeriesQuery): Promise<DeletedSeries>;
  /**
   * Creates a data directory with everything that was acknowledged before the call, using hard
   * links. Leaves out blocks that are only in a bucket.
   */
  snapshot(): Promise<Snapshot>;
}

/** A store, which is ready when the function that opens it resolves. */
export interface Storage {
  appender(): Appender;
  readonly querier: Querier;
  /**
   * Resolves when everything that was acknowledged before the call is in blocks.
   *
   * Errors: AppError 'unavailable' when the store closes first.
   */
  rotate(): Promise<void>;
  /** Makes all committed profiles durable, and releases the directory. Idempotent. */
  close(): Promise<void>;
}
