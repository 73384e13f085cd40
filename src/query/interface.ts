// The questions that the API may ask of the query engine, and the answers it gets.
import type { Dictionary } from '../model/dictionary.ts';
import type { LabelSet } from '../model/labels.ts';
import type { MatchOperator } from '../model/matcher.ts';
import type { LabelledStacks } from '../model/merged-stacks.ts';
import type { NameSearch } from '../model/pattern.ts';
import type { ProfileType, ValueType } from '../model/profile-type.ts';
import type { BaseScale } from '../report/base-ratio.ts';
import type { CallGraph } from '../report/call-graph.ts';
import type { Changes, FunctionMeasure } from '../report/changes.ts';
import type { FlameGraph } from '../report/flame-graph.ts';
import type { FunctionSummer, FunctionSums } from '../report/function-sums.ts';
import type { SearchTotals } from '../report/name-search.ts';
import type { SourceFile, SourceLines } from '../report/source-lines.ts';
import type { StackView } from '../report/stacks/stack-view.ts';
import type { Table } from '../report/table.ts';
import type { Top } from '../report/top.ts';
import type { DeletedSeries, TimeRange } from '../storage/interface.ts';
import type { RecordingQuerier } from './kept/recording-querier.ts';

/** The most that one query may cost; 0 = no limit. */
export interface QueryLimits {
  /** Rows of the profiles that it selects, of both sides of a diff. */
  readonly rowsMax: number;
  /** Bytes that it holds at once, about: what it selected, its sums, its buckets of time. */
  readonly memoryBytesMax: number;
  /** Milliseconds from the question to the answer, waiting for its turn included. */
  readonly timeMillisMax: number;
}

/** Who asks. */
export interface QueryCaller {
  /** Aborted when the answer is not wanted any more; an AppError as its reason says why. */
  readonly signal: AbortSignal;
  /** Callers take turns by it: an address, say. Absent: all are one. */
  readonly peer?: string;
  /** Limits of this question, where they are lower than those of all. */
  readonly limits?: Partial<QueryLimits>;
  /** What those who wait for the answer call the question; changes as they come and go. */
  readonly tags?: readonly string[];
  /** Asked instead of the store, to note what the answer is made of. */
  readonly reads?: RecordingQuerier;
}

/** Which series a question about labels is about; every field honoured (Parca ignores some). */
export interface LabelQuestion {
  /** Selectors in the query language; a series belongs when it satisfies all. */
  readonly match: readonly string[];
  /** Text of a profile type, "" = any. */
  readonly profileType: string;
  /** Whole history when absent. */
  readonly range: TimeRange | undefined;
}

/**
 * Series and profiles that something holds for. A series is one label set with one profile type, as
 * everywhere in the query language.
 */
export interface SeriesCount {
  readonly seriesCount: number;
  readonly profileCount: number;
}

/** One label; of labels of samples alone, series are not counted. */
export interface LabelCount extends SeriesCount {
  readonly name: string;
  /** Distinct values. */
  readonly valueCount: number;
  /** Whether samples have it, not series. */
  readonly isOfSamples: boolean;
}

export interface LabelCounts {
  /** By name. */
  readonly labels: readonly LabelCount[];
  /** All that the question is about. */
  readonly total: SeriesCount;
  readonly missing: readonly string[];
}

export interface LabelValueCounts {
  /** By number of profiles descending, then by value; of labels of samples, without counts. */
  readonly values: readonly (SeriesCount & { readonly value: string })[];
  /** Series without the label. */
  readonly absent: SeriesCount;
  readonly isOfSamples: boolean;
  readonly missing: readonly string[];
}

export interface FunctionsQuestion {
  readonly query: string;
  readonly range: TimeRange;
  /** Width of a bucket, > 0. */
  readonly stepNanos: bigint;
  /** Names of functions, each once; none: the largest ones of the range. */
  readonly names: readonly string[];
  /** Where no names are given: how many, and by what. */
  readonly top: number;
  readonly measure: FunctionMeasure;
}

/** One function over time; columns by bucket. A recursive function counts once. */
export interface FunctionSeries {
  readonly name: string;
  readonly flat: BigInt64Array;
  readonly cumulative: BigInt64Array;
  /** Of the whole range. */
  readonly flatTotal: bigint;
  readonly cumulativeTotal: bigint;
}

/** Functions over time. */
export interface FunctionsAnswer {
  readonly profileType: ProfileType;
  readonly valueType: ValueType;
  /** Of the whole range, all functions together. */
  readonly total: bigint;
  readonly profileCount: number;
  /** Columns in order of time, an element for each bucket that has profiles. */
  readonly buckets: {
    /** Where it starts: a multiple of the step. */
    readonly timeNanos: BigInt64Array;
    readonly total: BigInt64Array;
    readonly profileCount: Uint32Array;
    /** What makes rates and averages of its sums; as in ReportHead. */
    readonly durationNanos: BigInt64Array;
    readonly snapshots: Float64Array;
  };
  readonly functions: readonly FunctionSeries[];
  readonly missing: readonly string[];
}

/** What is asked when an answer was empty. */
export interface NearestQuestion {
  readonly query: string;
  readonly range: TimeRange;
}

/** What there is instead of an empty answer. */
export interface NearestData {
  /** Whether the range has profiles after all. */
  readonly hasData: boolean;
  /** Times of the last profile before the range and of the first one behind it. */
  readonly earlier: bigint | undefined;
  readonly later: bigint | undefined;
  /** In the order of the query. */
  readonly conditions: readonly NearestCondition[];
}

/** One condition on a label, against the whole history of the profile type. */
export interface NearestCondition {
  readonly name: string;
  readonly operator: MatchOperator;
  readonly value: string;
  /** Whether some profile has the label. */
  readonly hasName: boolean;
  /** Whether some profile satisfies the condition, other conditions aside. */
  readonly hasMatch: boolean;
  /** Names of labels where the name is not known, else values beside other conditions; nearest first. */
  readonly alternatives: readonly string[];
  /** The alternative that was probably meant; undefined where the condition can be satisfied. */
  readonly meant: string | undefined;
}

export interface RangeQuestion {
  readonly query: string;
  readonly range: TimeRange;
  /** Width of a bucket, > 0. */
  readonly stepNanos: bigint;
  /** Label names; each distinct combination of values is one series. */
  readonly sumBy: readonly string[];
  /** Most series to return, the largest by their maximum; 0 = all. */
  readonly limit: number;
  /** Whether averages of lines are asked for, which takes to look at the times of all profiles. */
  readonly averages?: boolean;
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
  /** Sum of the values of all its profiles, of those of states that no bucket shows, too. */
  readonly total: bigint;
  /**
   * What the line adds to the average of all lines together, a nanosecond or a snapshot; 0 when it
   * was not asked for.
   */
  readonly average: number;
}

/** The lines of a metrics graph. */
export interface RangeAnswer {
  readonly series: readonly MetricsSeries[];
  /** What belongs here and could not be read, as sentences; empty: the answer is whole. */
  readonly missing: readonly string[];
}

/** Which profiles are merged. */
export type ProfileSelector =
  | { readonly mode: 'single'; readonly query: string; readonly timeNanos: bigint }
  | { readonly mode: 'merge'; readonly query: string; readonly range: TimeRange };

/** Two selections to compare; values are those of `compared`. */
export interface DiffSelector {
  readonly mode: 'diff';
  /**
   * Absent: what the query of `compared` says, if it is a diff; else the same in the time of equal
   * length right before.
   */
  readonly base?: ProfileSelector | undefined;
  readonly compared: ProfileSelector;
  /** How the base is scaled before it is subtracted; totals are those before filters. */
  readonly baseScale: BaseScale;
}

/** What to make of the selected profiles. */
export type ReportKind = Report['kind'];

export interface ReportQuestion {
  readonly select: ProfileSelector | DiffSelector;
  readonly report: ReportKind;
  /** Parca's threshold: a child is kept when its share of its *parent* is above it; 0..1. */
  readonly nodeTrimFraction: number;
  /** Ours: a node is kept when its share of the *root* is above it; 0..1, 0 = off. */
  readonly rootTrimFraction: number;
  /** `labels.<name>` and frame fields; empty = by function name. */
  readonly groupBy: readonly string[];
  /** Absent: stacks as they are. */
  readonly view?: StackView;
  /** Names of the frame that a flame graph shows, from the root, see `rowsOfPath`. */
  readonly zoomPath?: readonly string[];
  /** Names whose share is to be told. */
  readonly search?: NameSearch;
  /** The file of a 'source' report. */
  readonly source?: SourceFile;
  /** Sums the functions of a 'functions' report; of all questions about the same ones. */
  readonly functions?: FunctionSummer;
  /** What functions are ranked by; 'flat' when absent. */
  readonly measure?: FunctionMeasure;
  /** Most functions that an encoded list of changes, or of largest ones, names; absent: all. */
  readonly limit?: number;
}

/**
 * An answer; `total` is the sum of what filters leave, `filtered` of what they drop. Both are exact
 * and untouched by trimming.
 */
export type Report = ReportHead & ReportBody;

export type ReportBody =
  | { readonly kind: 'flame-graph'; readonly graph: FlameGraph }
  // The same without labels, for the nested messages of old clients.
  | { readonly kind: 'nested-flame-graph'; readonly graph: FlameGraph }
  | { readonly kind: 'flame-graph-table'; readonly graph: FlameGraph }
  | { readonly kind: 'top'; readonly top: Top }
  | { readonly kind: 'table'; readonly table: Table }
  | { readonly kind: 'call-graph'; readonly graph: CallGraph }
  | { readonly kind: 'source'; readonly lines: SourceLines }
  | { readonly kind: 'functions'; readonly sums: FunctionSums }
  // Of diffs alone.
  | {
      readonly kind: 'changes';
      readonly changes: Changes;
      /** Most functions to name, by the stage `top` of the query; 0 = all. */
      readonly top: number;
      /** Of the totals: that of `compared` less the scaled one of the base. */
      readonly difference: bigint;
    }
  | {
      readonly kind: 'profile';
      readonly dictionary: Dictionary;
      /** By grouped labels; one that has none when there is nothing to group by. */
      readonly groups: readonly LabelledStacks[];
    }
  | {
      readonly kind: 'metadata';
      /** Paths of the binaries that frames lie in, sorted. */
      readonly mappingFiles: readonly string[];
      /** Names of labels of the selected series and samples, sorted. */
      readonly labelNames: readonly string[];
    };

/** What an answer is made of; of a diff, one side of it. */
export interface AnswerFacts {
  readonly total: bigint;
  readonly filtered: bigint;
  /** Number of profiles merged; of an increase, of steps from one to the next. */
  readonly profileCount: number;
  /** Samples behind the total where values tell; else rows that are not 0, before filters. */
  readonly sampleCount: bigint;
  /** Time of the earliest profile; of an increase, where its first step begins. */
  readonly timeNanos: bigint;
  /** What a total must be divided by to become a rate; 0 for states. See averagingDivisor. */
  readonly durationNanos: bigint;
  /** What a total of states must be divided by to become their average; 0 for delta types. */
  readonly snapshots: number;
  /** Period when all profiles share one, else 0. */
  readonly period: bigint;
}

/** Of a diff, the facts are those of what is compared. */
export interface ReportHead extends AnswerFacts {
  readonly profileType: ProfileType;
  /** What the values are: the sample type's unit, or the period's where samples were scaled. */
  readonly valueType: ValueType;
  /** Of a diff: those of the other side. */
  readonly base?: AnswerFacts;
  /** Of the names that were searched for. */
  readonly search?: SearchTotals;
  /** What belongs here and could not be read, as sentences; empty: the answer is whole. */
  readonly missing: readonly string[];
}

/** One query under way, as it is told. */
export interface RunningQuery {
  /** Unique while the server runs. */
  readonly id: string;
  readonly kind: string;
  /** In the query language; of a diff, base and compared. */
  readonly text: string;
  /** Of the callers that wait for it. */
  readonly tags: readonly string[];
  /** Whether others have to end first. */
  readonly isWaiting: boolean;
  /** Milliseconds since the Unix epoch. */
  readonly startedMillis: number;
  readonly ageMillis: number;
  /** Rows selected so far, and how many of them are summed. */
  readonly rowsSelected: number;
  readonly rowsDone: number;
  /** About. */
  readonly memoryBytes: number;
}

/** A report as bytes. */
export interface EncodedReport extends Pick<ReportHead, 'profileCount' | 'missing'> {
  readonly bytes: Uint8Array;
}

/** An encoded answer. Ownership: not to be changed. */
export interface EncodedAnswer {
  readonly bytes: Uint8Array;
  /** Whether nothing is missing in it. */
  readonly isWhole: boolean;
}

/** Answers equal questions once. */
export interface AnswerSharing {
  /**
   * What `answer` makes, or what it made for an equal question that reads the same. It is called
   * with a caller of its own, who is there as long as anyone waits.
   *
   * `question` must be all that the answer depends on besides the store, as plain data; what is
   * not is never shared. Errors: those of `answer`; why the caller's signal was aborted.
   */
  once(
    question: object,
    caller: QueryCaller,
    answer: (caller: QueryCaller) => Promise<EncodedAnswer>,
  ): Promise<Uint8Array>;
}

/** The queries under way. */
export interface QueryControl {
  /** Oldest first. */
  list(): RunningQuery[];
  /** Ends a query; false when there is none of this id. */
  cancel(id: string): boolean;
}

/**
 * The engine as the API sees it. Errors: AppError 'invalid-argument', 'not-found', 'cancelled';
 * 'resource-exhausted' and 'deadline-exceeded' past a limit.
 */
export interface QueryEngine {
  profileTypes(range: TimeRange | undefined, caller: QueryCaller): Promise<ProfileType[]>;
  labelNames(question: LabelQuestion, caller: QueryCaller): Promise<string[]>;
  labelValues(name: string, question: LabelQuestion, caller: QueryCaller): Promise<string[]>;
  countLabels(question: LabelQuestion, caller: QueryCaller): Promise<LabelCounts>;
  countLabelValues(
    name: string,
    question: LabelQuestion,
    caller: QueryCaller,
  ): Promise<LabelValueCounts>;
  queryFunctions(question: FunctionsQuestion, caller: QueryCaller): Promise<FunctionsAnswer>;
  nearestData(question: NearestQuestion, caller: QueryCaller): Promise<NearestData>;
  hasProfileData(): Promise<boolean>;
  queryRange(question: RangeQuestion, caller: QueryCaller): Promise<RangeAnswer>;
  report(question: ReportQuestion, caller: QueryCaller): Promise<Report>;
  /** A report in one of the encodings that the engine was given; a large one is made elsewhere. */
  encodedReport(
    question: ReportQuestion,
    encoding: string,
    caller: QueryCaller,
  ): Promise<EncodedReport>;
}

/**
 * Deletes what a query selects in a range. Errors: AppError 'invalid-argument' for queries that
 * cannot be read or that name less than whole uploads; those of the disk.
 */
export type SeriesDeleter = (query: string, range: TimeRange) => Promise<DeletedSeries>;
