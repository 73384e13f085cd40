// What lies where: series of profiles in pieces, each piece from one part, and their rows.
import type { Dictionary } from '../model/dictionary.ts';
import type { LabelSet } from '../model/labels.ts';
import type { ProfileType } from '../model/profile-type.ts';
import type { ProfileColumns } from '../model/profiles/profile-columns.ts';
import type { ProfileDigest } from '../model/profiles/profile-digest.ts';
import type { Querier, SeriesQuery, TimeRange } from './interface.ts';
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
  /** Row of StoredSelection.parts. */
  readonly part: number;
  /** Known without looking at the profiles, which a digest in the head does. */
  readonly profileCount: number;
  digest(): ProfileDigest;
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
export interface StoredSeries {
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
export interface StoredSelection extends Disposable {
  readonly parts: readonly SelectedPart[];
  readonly series: readonly StoredSeries[];
  /** Of all pieces. */
  readonly profileCount: number;
  readonly rowCount: number;
  /** What belongs here and cannot be read, as sentences; grows while pieces are loaded. */
  readonly missing: string[];
}

/** Finds series and what is known about labels; as Querier does. */
export interface SeriesStore extends Omit<Querier, 'select' | 'state'> {
  /** The caller disposes the selection. */
  select(query: SeriesQuery): Promise<StoredSelection>;
  state(range: TimeRange): string;
}
