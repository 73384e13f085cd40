// What a store answers to a query: series of profiles in pieces, each piece from one part.
import type { Dictionary } from '../model/dictionary.ts';
import type { LabelSet } from '../model/labels.ts';
import type { ProfileType } from '../model/profile-type.ts';
import type { ChunkBytes } from './chunk/chunk-bytes.ts';

/**
 * A fixed piece of row memory, shared with merge workers.
 *
 * Layout of one run (the rows of one profile, V value columns, n rows), starting at a multiple of
 * 8 bytes: V planes of n int64 values, then n uint32 stacks, then n uint32 sample labels if the
 * profile has any.
 */
export interface RowSegment {
  readonly buffer: SharedArrayBuffer;
  /** Views of the whole buffer. */
  readonly words: Uint32Array;
  readonly values: BigInt64Array;
}

/** Profiles as columns, in order of time. Ownership: views, valid until the next await. */
export interface ProfileColumns {
  readonly profileCount: number;
  readonly timeNanos: BigInt64Array;
  readonly durationNanos: BigInt64Array;
  readonly period: BigInt64Array;
  /** Sum of each profile's values of the selected type; without regard to row filters. */
  readonly total: BigInt64Array;
  /** Number of each profile's rows whose value of this type is not 0. */
  readonly count: Uint32Array;
}

/**
 * Sums over all profiles before each one and, in the last element, over all: so what any run of
 * profiles adds up to is the difference of two elements, modulo 2^64 and 2^32.
 */
export interface RunningSums {
  readonly total: BigInt64Array;
  readonly count: Uint32Array;
}

/** Consecutive profiles as columns, and sums over them where those are kept. */
export interface ProfileRun {
  readonly columns: ProfileColumns;
  readonly sums: RunningSums | undefined;
}

/**
 * What is known about the profiles of a piece together, without reading them one by one; as
 * `digestOf` computes it.
 */
export interface PieceDigest {
  readonly profileCount: number;
  /** Rows of all profiles. */
  readonly rowCount: number;
  readonly firstNanos: bigint;
  readonly lastNanos: bigint;
  /** Sum of the values of the selected type, modulo 2^64. */
  readonly total: bigint;
  /** About the sum of the magnitudes of the profiles' totals. */
  readonly magnitude: number;
  /** Rows whose value of the selected type is not 0. */
  readonly count: number;
  /** The profiles' period, when all share one. */
  readonly period: bigint | undefined;
  /** Shortest and longest time from one profile to the next; 0 of fewer than two profiles. */
  readonly spacingMinNanos: number;
  readonly spacingMaxNanos: number;
  /**
   * What each profile but the last covers before the next one starts, in all: the smaller of its
   * duration and the spacing. Exact up to 2^53 ns, 104 days.
   */
  readonly coveredNanos: number;
  /** Of the last profile; the longest, when several share the last time. */
  readonly lastDurationNanos: number;
}

/** Rows of profiles in the head: one run of a segment for each profile. */
export interface RunRows {
  readonly kind: 'runs';
  readonly segments: readonly RowSegment[];
  /** Columns with one element for each profile; views, valid until the next await. */
  readonly profileCount: number;
  readonly period: BigInt64Array;
  /** Row of `segments`. */
  readonly runSegment: Uint32Array;
  /** Where the run starts in its segment, in units of 8 bytes. */
  readonly runOffset: Uint32Array;
  /** Rows of the run, n. */
  readonly runRows: Uint32Array;
  /** 1 where the run has sample labels. */
  readonly runLabelled: Uint8Array;
  /** V, and which of the V planes is the selected type's. */
  readonly planeCount: number;
  readonly plane: number;
}

/** Rows of profiles of one period in a chunk, or sums of such profiles over windows of time. */
export interface ChunkRows {
  readonly kind: 'chunk';
  /** In memory that merge workers share. */
  readonly chunk: ChunkBytes;
  /** Which of the chunk's value planes is the selected type's. */
  readonly plane: number;
  /** Profiles (or windows) first .. end of the chunk. */
  readonly first: number;
  readonly end: number;
  /** Rows they hold. */
  readonly rowCount: number;
  readonly period: bigint;
}

export type RowSource = RunRows | ChunkRows;

/**
 * Profiles of one series that lie in one part and belong to the asked range, in order of time.
 * Pieces of different parts may overlap in time; no profile is in two.
 */
export interface SeriesPiece {
  /** Row of Selection.parts. */
  readonly part: number;
  /** Known without looking at the profiles, which a digest in the head does. */
  readonly profileCount: number;
  digest(): PieceDigest;
  profiles(): ProfileColumns | Promise<ProfileColumns>;
  /** The same as they lie: runs in order of time, each later than all of the one before. */
  profileRuns(): readonly ProfileRun[] | Promise<readonly ProfileRun[]>;
  /** At least the sum of the magnitudes of the profiles' totals, about; known without a digest. */
  magnitudeMax(): number;
  /**
   * Where the rows are, `rowFilter` not applied. `isWhole` = false promises rows of single
   * profiles in `runs` or chunks of raw profiles; true allows sums over windows of time as well,
   * which are equal when summed by (stack, sample labels, period). With `isWhole` = false the
   * sources follow each other in order of time and hold one profile for each of `profiles()`.
   */
  rows(isWhole: boolean): readonly RowSource[] | Promise<readonly RowSource[]>;
  /**
   * Set when matchers look at sample labels: by SampleLabelsIndex of the part's dictionary, 1 = the
   * row belongs. Totals do not apply then.
   */
  readonly rowFilter: Uint8Array | undefined;
  /** Whether some row of it may have sample labels. */
  readonly isLabelled: boolean;
}

/** The profiles of one series: label set and profile type. */
export interface SelectedSeries {
  readonly labels: LabelSet;
  readonly profileType: ProfileType;
  /** At least one; by their first profile's time. */
  readonly pieces: readonly SeriesPiece[];
}

/** A part that has some of the selected profiles; its rows refer to its own dictionary. */
export interface SelectedPart {
  readonly id: string;
  /**
   * Loads the symbols. Errors: AppError 'data-loss' when they cannot be read; then the caller
   * leaves the part out and notes it as missing.
   */
  dictionary(): Promise<Dictionary>;
}

/**
 * An answer of the store: of all that was acknowledged before it was asked for, and maybe of what
 * came while very many series were looked through. Disposing it lets the parts be removed.
 *
 * Errors of pieces and parts that cannot be read do not fail an answer: they are noted in
 * `missing`, and the rest is served.
 */
export interface Selection extends Disposable {
  readonly parts: readonly SelectedPart[];
  readonly series: readonly SelectedSeries[];
  /** Of all pieces. */
  readonly profileCount: number;
  readonly rowCount: number;
  /** What belongs here and cannot be read, as sentences; grows while pieces are loaded. */
  readonly missing: string[];
}
