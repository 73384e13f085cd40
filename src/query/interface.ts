// The queries that the API can send to the query engine, and its answers.
import type { LabelSet } from '../model/labels.ts';
import type { MatchOperator } from '../model/matcher.ts';
import type { NameGaps } from '../model/name-gaps.ts';
import type { NameSearch } from '../model/pattern.ts';
import type { ProfileType, ValueType } from '../model/profile-type.ts';
import type { BaseScale } from '../report/base-ratio.ts';
import type { FunctionMeasure } from '../report/changes.ts';
import type { FunctionSummer } from '../report/function-sums.ts';
import type { WantedCode } from '../report/instruction-values.ts';
import type { LoadRatio } from '../report/load-ratio.ts';
import type { SearchTotals } from '../report/name-search.ts';
import type { SourceFile } from '../report/source-lines.ts';
import type { StackView } from '../report/stacks/stack-view.ts';
import type { DeletedSeries, TimeRange } from '../storage/interface.ts';
import type { ReportBody, ReportKind } from './report-kinds.ts';

/** Limits of one query; 0 = no limit, unless a field says otherwise. */
export interface QueryLimits {
  /** Maximum number of rows of the selected profiles, for both sides of a diff together. */
  readonly rowsMax: number;
  /** Approximate number of bytes in use at any time: selection, sums, time buckets. */
  readonly memoryBytesMax: number;
  /** Milliseconds from the query to the answer, including the wait for its turn. */
  readonly timeMillisMax: number;
  /** Total milliseconds that the answer may wait for names of addresses; 0 = it never waits. */
  readonly namesMillisMax: number;
}

/** The caller of a query. */
export interface QueryCaller {
  /** Aborted when the answer is no longer wanted; the reason is an AppError. */
  readonly signal: AbortSignal;
  /**
   * Id of the caller. Each caller gets an equal share of time; all callers without an id get one
   * share together.
   */
  readonly caller?: string;
  /** Limits of this query, which apply if they are lower than the general limits. */
  readonly limits?: Partial<QueryLimits>;
  /** Names that the callers give the query. The list changes as callers join and leave. */
  readonly tags?: readonly string[];
}

/** The series that a query about labels covers. All fields are used (Parca ignores some). */
export interface LabelQuestion {
  /** Selectors in the query language; a series must satisfy all of them. */
  readonly match: readonly string[];
  /** String form of a profile type; "" = any. */
  readonly profileType: string;
  /** Time range; undefined = all times. */
  readonly range: TimeRange | undefined;
}

/** Label sets, with sentences about data that could not be read. */
export interface LabelSets {
  readonly labelSets: readonly LabelSet[];
  readonly missing: readonly string[];
}

/**
 * Number of series and profiles. A series is one label set with one profile type, as everywhere in
 * the query language.
 */
export interface SeriesCount {
  readonly seriesCount: number;
  readonly profileCount: number;
}

/** Counts for one label. If only samples have the label, series are not counted. */
export interface LabelCount extends SeriesCount {
  readonly name: string;
  /** Number of distinct values. */
  readonly valueCount: number;
  /** True if the label is on samples, not on series. */
  readonly isOfSamples: boolean;
}

export interface LabelCounts {
  /** Labels by name. */
  readonly labels: readonly LabelCount[];
  /** Counts of all series and profiles that the query covers. */
  readonly total: SeriesCount;
  readonly missing: readonly string[];
}

export interface LabelValueCounts {
  /**
   * Values. The value with the most profiles is first; equally frequent values are in alphabetic
   * order. Values of sample labels have no counts.
   */
  readonly values: readonly (SeriesCount & { readonly value: string })[];
  /** Counts of series without the label. */
  readonly absent: SeriesCount;
  readonly isOfSamples: boolean;
  readonly missing: readonly string[];
}

/** Buckets that cover `range`, and the state of the data that they were computed from. */
export interface KnownBuckets {
  readonly range: TimeRange;
  readonly state: string;
}

export interface FunctionsQuestion {
  readonly query: string;
  readonly range: TimeRange;
  /** Width of a bucket, greater than 0. */
  readonly stepNanos: bigint;
  /** Distinct names of functions; if empty, the largest functions of the range. */
  readonly names: readonly string[];
  /** If no names are given: how many functions to choose, and the measure that ranks them. */
  readonly top: number;
  readonly measure: FunctionMeasure;
  /** Buckets that the caller already has; they are left out if they are still valid. */
  readonly known?: KnownBuckets | undefined;
}

/** One function over time; columns by bucket. Recursive calls count once. */
export interface FunctionSeries {
  readonly name: string;
  readonly flat: BigInt64Array;
  readonly cumulative: BigInt64Array;
  /** Sum over the complete range. */
  readonly flatTotal: bigint;
  readonly cumulativeTotal: bigint;
}

/** Functions over time. */
export interface FunctionsAnswer {
  /** Types that the query was resolved to, as in ReportHead. */
  readonly profileTypes: readonly ProfileType[];
  readonly valueType: ValueType;
  /** Sum over the complete range and all functions. */
  readonly total: bigint;
  readonly profileCount: number;
  /** Columns in order of time, with one element for each bucket that has profiles. */
  readonly buckets: {
    /** Start of each bucket: a multiple of the step. */
    readonly timeNanos: BigInt64Array;
    readonly total: BigInt64Array;
    readonly profileCount: Uint32Array;
    /** Divisor that turns each sum into a rate or an average, as in ReportHead. */
    readonly durationNanos: BigInt64Array;
    readonly snapshots: Float64Array;
  };
  readonly functions: readonly FunctionSeries[];
  readonly missing: readonly string[];
  /** Missing names; they do not affect the values. */
  readonly nameGaps: NameGaps;
  /** Buckets that a later query can leave out; undefined if there are none. */
  readonly settled: KnownBuckets | undefined;
  /** Time whose buckets are left out, also from totals, because the caller already has them. */
  readonly leftOut: TimeRange | undefined;
}

/** A query for the largest functions of a range. */
export interface LargestQuestion {
  readonly query: string;
  readonly range: TimeRange;
  /** Largest number of functions to return. */
  readonly count: number;
  readonly measure: FunctionMeasure;
}

/** Functions of a range, the largest values first. */
export interface LargestFunctions {
  /** Sum of all functions. */
  readonly total: number;
  /** Number of samples in the total, as in AnswerFacts. */
  readonly sampleCount: number;
  /** Number of profiles whose states the total adds up, as in AnswerFacts; 0 for delta types. */
  readonly snapshots: number;
  readonly functions: readonly {
    readonly name: string;
    readonly flat: number;
    readonly cumulative: number;
  }[];
}

/** Functions by name, by package, or by a regular expression that matches a part of their names. */
export interface WantedFunctions {
  readonly kind: 'function' | 'package' | 'pattern';
  readonly text: string;
}

/** A query for the services that use functions. */
export interface UsersQuestion {
  readonly query: string;
  readonly range: TimeRange;
  /** Width of a bucket, greater than 0. */
  readonly stepNanos: bigint;
  readonly wanted: WantedFunctions;
  /** Largest number of services and versions. */
  readonly limit: number;
}

/** One version of a service that uses functions; columns by bucket, in order of time. */
export interface UserOfFunctions {
  /** Label that names the service; undefined if its series have no such label. */
  readonly service: { readonly name: string; readonly value: string } | undefined;
  readonly version: { readonly name: string; readonly value: string } | undefined;
  /** Sum of the stacks with one of the functions, and sum of all stacks. */
  readonly total: bigint;
  readonly whole: bigint;
  /** Divisors that turn both sums into rates or averages, as in ReportHead. */
  readonly durationNanos: bigint;
  readonly snapshots: number;
  readonly timeNanos: BigInt64Array;
  /** Rates for the covered time, as in CoveredValues. */
  readonly rate: Float64Array;
  readonly coveredNanos: BigInt64Array;
}

/** Services that use functions, the largest sums first. */
export interface UsersAnswer {
  /** Types that the query was resolved to, as in ReportHead. */
  readonly profileTypes: readonly ProfileType[];
  readonly valueType: ValueType;
  /** Sum of the stacks with one of the functions, and sum of all stacks. */
  readonly total: bigint;
  readonly wholeTotal: bigint;
  readonly users: readonly UserOfFunctions[];
  /** Number of users that the limit leaves out, and their sum. */
  readonly more: number;
  readonly moreTotal: bigint;
  readonly missing: readonly string[];
  /** Missing names; functions without a name are not found. */
  readonly nameGaps: NameGaps;
}

/** A query for values by sample times. */
export interface SamplesQuestion {
  readonly query: string;
  readonly range: TimeRange;
  /** Width of a bucket, a whole number of milliseconds above 0. */
  readonly stepNanos: bigint;
  /** Labels that form lines, in addition to the labels that the query groups by. */
  readonly by: readonly string[];
  /** Largest number of lines; 0 = all. */
  readonly limit: number;
}

/** Values by sample times. */
export interface SamplesAnswer {
  /** Types that the query was resolved to, as in ReportHead. */
  readonly profileTypes: readonly ProfileType[];
  readonly valueType: ValueType;
  /** Start time of the first bucket. */
  readonly startNanos: bigint;
  readonly stepNanos: bigint;
  /** Lines, the largest sum first; each has a value for each bucket. */
  readonly lines: readonly {
    readonly labels: LabelSet;
    readonly total: bigint;
    readonly values: BigInt64Array;
  }[];
  /** Number of lines that the limit leaves out, and their sum. */
  readonly moreLines: number;
  readonly moreTotal: bigint;
  /** Sum of the profiles in the range that have no sample times. */
  readonly untimed: bigint;
  readonly missing: readonly string[];
}

/** A request for alternatives to an empty answer. */
export interface NearestQuestion {
  readonly query: string;
  readonly range: TimeRange;
}

/** Alternatives to an empty answer. */
export interface NearestData {
  /** True if the range does have profiles. */
  readonly hasData: boolean;
  /** Times of the last profile before the range and of the first profile after it. */
  readonly earlier: bigint | undefined;
  readonly later: bigint | undefined;
  /** Conditions in the order of the query. */
  readonly conditions: readonly NearestCondition[];
}

/**
 * One condition of the query on a label, checked against all stored profiles of the profile type,
 * not only those in the range.
 */
export interface NearestCondition {
  readonly name: string;
  readonly operator: MatchOperator;
  readonly value: string;
  /** True if a profile has the label. */
  readonly hasName: boolean;
  /** True if a profile satisfies this condition, regardless of the others. */
  readonly hasMatch: boolean;
  /**
   * Label names if the name is unknown, or else values that exist together with the other
   * conditions; the nearest first.
   */
  readonly alternatives: readonly string[];
  /** The alternative that the user probably meant; undefined if the condition can be satisfied. */
  readonly meant: string | undefined;
}

export interface RangeQuestion {
  readonly query: string;
  readonly range: TimeRange;
  /** Width of a bucket, greater than 0. */
  readonly stepNanos: bigint;
  /** Label names; each distinct combination of values is one series. */
  readonly sumBy: readonly string[];
  /**
   * Largest number of series to return: the series with the highest maxima; 0 = all.
   */
  readonly limit: number;
  /**
   * True to request averages of each line and each bucket over their covered time, which requires
   * the times of all profiles. A bucket of states then has the average of all its snapshots.
   */
  readonly averages?: boolean;
  /** True to form lines only by the first label in `sumBy` that a series has. */
  readonly isByFirstLabel?: boolean;
  /**
   * Lists of labels in `sumBy`. In each list, only the first label that a series has counts. Each
   * combination of the values of these labels is one line.
   */
  readonly firstOf?: readonly (readonly string[])[];
  /** Changes to stacks, applied after the changes of the query; if absent, there are none. */
  readonly view?: StackView | undefined;
}

/** One line of the metrics graph; columns in order of time. */
export interface MetricsSeries {
  readonly labels: LabelSet;
  readonly sampleType: ValueType;
  readonly periodType: ValueType;
  readonly timeNanos: BigInt64Array;
  readonly value: BigInt64Array;
  readonly valuePerSecond: Float64Array;
  readonly durationNanos: BigInt64Array;
  readonly count: Uint32Array;
  /** Sum of all its profiles, including states that no bucket shows. */
  readonly total: bigint;
  /**
   * Contribution of the line to the average of all lines, per nanosecond or snapshot; 0 if averages
   * are not requested.
   */
  readonly average: number;
  /** Values divided by covered time, if averages are requested. */
  readonly covered?: CoveredValues;
}

/** Values of a line divided by the time that its profiles cover. */
export interface CoveredValues extends Pick<ReportHead, 'durationNanos' | 'snapshots'> {
  /**
   * Value of each bucket divided by the time that profiles cover in it, in the unit of
   * `valuePerSecond`.
   */
  readonly rate: Float64Array;
  /** Covered time of each bucket; 0 if profiles have no duration. */
  readonly coveredNanos: BigInt64Array;
}

/** The lines of a metrics graph. */
export interface RangeAnswer {
  /** Types that the query was resolved to, as in ReportHead. */
  readonly profileTypes: readonly ProfileType[];
  readonly series: readonly MetricsSeries[];
  /** Sentences about unreadable data; empty if the answer is complete. */
  readonly missing: readonly string[];
  /** Names that were missing when a filter compared names. */
  readonly nameGaps: NameGaps;
  /** Sentences about totals and groups that are not real amounts. */
  readonly notes: readonly string[];
}

/** The profiles to merge. */
export type ProfileSelector =
  | { readonly mode: 'single'; readonly query: string; readonly timeNanos: bigint }
  | { readonly mode: 'merge'; readonly query: string; readonly range: TimeRange };

/** Two selections to compare. Values are the values of `compared`. */
export interface DiffSelector {
  readonly mode: 'diff';
  /**
   * Base of the diff. If absent, the base comes from the query of `compared` if that query is a
   * diff. Otherwise it is the same selection in the preceding time range of equal length.
   */
  readonly base?: ProfileSelector | undefined;
  readonly compared: ProfileSelector;
  /** Scale of the base before it is subtracted. It is computed from totals before filters. */
  readonly baseScale: BaseScale;
}

export interface ReportQuestion {
  readonly select: ProfileSelector | DiffSelector;
  readonly report: ReportKind;
  /** Parca's threshold, 0..1: a child is kept if its share of its *parent* is above this. */
  readonly nodeTrimFraction: number;
  /** Our threshold, 0..1: a node is kept if its share of the *root* is above this; 0 = off. */
  readonly rootTrimFraction: number;
  /**
   * Maximum number of nodes that a flame graph keeps, the largest first; all if absent. Nodes with
   * the same value as the smallest of these are also kept.
   */
  readonly rowsMax?: number | undefined;
  /** `labels.<name>` and frame fields; empty = by function name. */
  readonly groupBy: readonly string[];
  /** Changes to stacks; if absent, there are none. */
  readonly view?: StackView;
  /** Names of the frames from the root to the frame that a flame graph shows; see `rowsOfPath`. */
  readonly zoomPath?: readonly string[];
  /** Search for names; the share of the matching stacks is computed. */
  readonly search?: NameSearch;
  /** The file of a 'source' report. */
  readonly source?: SourceFile;
  /** The function of an 'instructions' report. */
  readonly code?: WantedCode;
  /** Sums the functions of a 'functions' report; shared by all queries about the same functions. */
  readonly functions?: FunctionSummer;
  /** Measure that ranks functions; 'flat' if absent. */
  readonly measure?: FunctionMeasure;
  /** Number of functions in a 'top' report, and the measure that ranks them; all if absent. */
  readonly topLimit?: { readonly count: number; readonly by: FunctionMeasure } | undefined;
  /**
   * True to encode a 'top' report as a record of columns instead of one message for each function.
   */
  readonly isRecord?: boolean;
  /**
   * Number of functions in an encoded list of changes, or of the largest functions; all if absent.
   */
  readonly limit?: number;
}

/**
 * An answer; `total` is the sum of the values that pass the filters, and `filtered` is the sum of
 * the other values. Both are exact, and trimming does not change them.
 */
export type Report = ReportHead & ReportBody;

/** Numbers about an answer, or about one side of a diff. */
export interface AnswerFacts {
  readonly total: bigint;
  readonly filtered: bigint;
  /** Number of merged profiles; for an increase, number of steps between profiles. */
  readonly profileCount: number;
  /**
   * Number of samples in the total if the values determine it; otherwise the number of nonzero
   * rows, before filters.
   */
  readonly sampleCount: bigint;
  /** Time of the earliest profile; for an increase, the start of its first step. */
  readonly timeNanos: bigint;
  /** Divisor that turns a total into a rate; 0 for states. See averagingDivisor. */
  readonly durationNanos: bigint;
  /** Divisor that turns a total of states into their average; 0 for delta types. */
  readonly snapshots: number;
  /** Period if all profiles have the same period, else 0. */
  readonly period: bigint;
}

/** Facts about a report; for a diff, the numbers are those of the compared side. */
export interface ReportHead extends AnswerFacts {
  /** First of `profileTypes`. */
  readonly profileType: ProfileType;
  /**
   * Types that the query was resolved to. All of them are one measure, which the profilers of
   * different programs name differently.
   */
  readonly profileTypes: readonly ProfileType[];
  /** Type of the values: the sample type's unit, or the period's if samples were scaled. */
  readonly valueType: ValueType;
  /** Facts of the base, for a diff. */
  readonly base?: AnswerFacts;
  /** For a diff, the load of the compared side relative to the base; undefined if unknown. */
  readonly load?: LoadRatio | undefined;
  /** Totals of the names that match the search. */
  readonly search?: SearchTotals;
  /** Sentences about unreadable data; empty if the answer is complete. */
  readonly missing: readonly string[];
  /** Missing names; they do not affect the values. */
  readonly nameGaps: NameGaps;
  /** Sentences about a total or about groups that are not real amounts; see `sumNotes`. */
  readonly notes: readonly string[];
}

/** A running query, as it is listed. */
export interface RunningQuery {
  /** Id, which is unique until the server restarts. */
  readonly id: string;
  readonly kind: string;
  /** The query in the query language; for a diff, the queries of both sides. */
  readonly text: string;
  /** Id of the caller that started it. */
  readonly caller: string;
  /** Tags of the callers that wait for it. */
  readonly tags: readonly string[];
  /** True if other queries must end first. */
  readonly isWaiting: boolean;
  /** Start of the query, in milliseconds since the Unix epoch. */
  readonly startedMillis: number;
  readonly ageMillis: number;
  /** Number of rows selected so far, and number of rows summed. */
  readonly rowsSelected: number;
  readonly rowsDone: number;
  /** Approximate memory in use, in bytes. */
  readonly memoryBytes: number;
}

/** A report as bytes. */
export interface EncodedReport extends Pick<
  ReportHead,
  'profileCount' | 'missing' | 'nameGaps' | 'notes'
> {
  readonly bytes: Uint8Array;
}

/** An encoded answer. Ownership: it is shared and must not be changed. */
export interface EncodedAnswer {
  readonly bytes: Uint8Array;
  /** True if nothing is missing and no name is still being looked up. */
  readonly isWhole: boolean;
}

/** A picture of a comparison to draw. Two equal pictures have equal texts. */
export interface AskedPicture {
  readonly select: DiffSelector;
  readonly title: string;
  /** Text below the graph. */
  readonly foot: string;
}

/** Draws a picture as a PNG. Errors: those of the engine; 'resource-exhausted' above a limit. */
export type DrawPicture = (asked: AskedPicture, caller: QueryCaller) => Promise<Uint8Array>;

/** Shares answers to equal queries. */
export interface AnswerSharing {
  /**
   * Returns the result of `answer`, or its earlier result for an equal query with unchanged data.
   * `answer` queries the engine for the caller that it is given. That caller is not aborted while
   * anyone still waits for the answer.
   *
   * `question` must contain everything that the answer depends on, except the store, as plain data.
   * A question that contains other values is never shared. Errors: as in `answer`; the reason why
   * the caller's signal was aborted.
   */
  once(
    question: object,
    caller: QueryCaller,
    answer: (caller: QueryCaller) => Promise<EncodedAnswer>,
  ): Promise<Uint8Array>;
}

/** Controls the running queries. */
export interface QueryControl {
  /** Returns the queries, oldest first. */
  list(): RunningQuery[];
  /** Cancels a query; returns false if there is no query with this id. */
  cancel(id: string): boolean;
}

/**
 * The query engine as the API sees it. Errors: AppError 'invalid-argument', 'not-found',
 * 'cancelled'; 'resource-exhausted' and 'deadline-exceeded' when a limit is reached.
 */
export interface QueryEngine {
  profileTypes(range: TimeRange | undefined, caller: QueryCaller): Promise<ProfileType[]>;
  labelNames(question: LabelQuestion, caller: QueryCaller): Promise<string[]>;
  labelValues(name: string, question: LabelQuestion, caller: QueryCaller): Promise<string[]>;
  /** Returns the label sets of the series, each once, in order. Errors: 'resource-exhausted'. */
  labelSets(question: LabelQuestion, caller: QueryCaller): Promise<LabelSets>;
  countLabels(question: LabelQuestion, caller: QueryCaller): Promise<LabelCounts>;
  countLabelValues(
    name: string,
    question: LabelQuestion,
    caller: QueryCaller,
  ): Promise<LabelValueCounts>;
  queryFunctions(question: FunctionsQuestion, caller: QueryCaller): Promise<FunctionsAnswer>;
  /** Returns the functions with the largest values; functions without a name are left out. */
  largestFunctions(question: LargestQuestion, caller: QueryCaller): Promise<LargestFunctions>;
  /** Returns the services and versions that use functions, the largest sums first. */
  users(question: UsersQuestion, caller: QueryCaller): Promise<UsersAnswer>;
  /**
   * Returns values by sample times. Stages that change stacks have no effect.
   *
   * Errors: AppError 'resource-exhausted' for too many buckets; QueryError for a diff.
   */
  querySamples(question: SamplesQuestion, caller: QueryCaller): Promise<SamplesAnswer>;
  nearestData(question: NearestQuestion, caller: QueryCaller): Promise<NearestData>;
  hasProfileData(): Promise<boolean>;
  /** Returns sentences about data that is currently missing from every answer about the range. */
  missingIn(range: TimeRange | undefined): readonly string[];
  queryRange(question: RangeQuestion, caller: QueryCaller): Promise<RangeAnswer>;
  report(question: ReportQuestion, caller: QueryCaller): Promise<Report>;
  /** Returns a report in one of the engine's encodings; a large one is made in another thread. */
  encodedReport(
    question: ReportQuestion,
    encoding: ReportEncoding,
    caller: QueryCaller,
  ): Promise<EncodedReport>;
}

/**
 * Encodings of reports: the message of QueryService, changes and instructions as JSON, function
 * names with and without values, answers for Pyroscope's clients, and files.
 */
export type ReportEncoding =
  | 'message'
  | 'json'
  | 'names'
  | 'functions'
  | `pyroscope-${string}`
  | FileEncoding;

/** Encodings of exported files. */
export type FileEncoding = 'pprof' | 'pgo' | 'collapsed' | 'speedscope' | 'firefox';

/**
 * Deletes the profiles that a query selects in a range. Errors: AppError 'invalid-argument' for
 * queries that cannot be parsed or that select only a part of an upload; I/O errors.
 */
export type SeriesDeleter = (query: string, range: TimeRange) => Promise<DeletedProfiles>;

/** Profiles that a delete removes, or would remove. */
export interface DeletedProfiles extends DeletedSeries {
  readonly profileCount: number;
  /** Times of the first and the last profile; undefined without profiles. */
  readonly times: TimeRange | undefined;
}
