// Positions of selected data: series of profiles in slices, each slice from one part, and their
// rows.
import type { Dictionary } from '../model/dictionary.ts';
import type { LabelSet } from '../model/labels.ts';
import type { ProfileType } from '../model/profile-type.ts';
import type { ProfileColumns } from '../model/profiles/profile-columns.ts';
import type { ProfileDigest } from '../model/profiles/profile-digest.ts';
import type { Querier, SeriesQuery, TimeRange } from './interface.ts';

/**
 * A fixed segment of row memory, shared with merge workers.
 *
 * Layout of one run (the rows of one profile, V value columns, n rows), starting at a multiple of
 * 8 bytes: V planes of n int64 values, then n uint32 stacks, then n uint32 sample labels if the
 * profile has any.
 */
export interface RowSegment {
  readonly buffer: SharedArrayBuffer;
  /** Words of the whole buffer. */
  readonly words: Uint32Array;
  readonly values: BigInt64Array;
}

/**
 * Sums over all profiles before each one and, in the last element, over all profiles. The sum of
 * any run of profiles is the difference of two elements, modulo 2^64 and 2^32.
 */
export interface RunningSums {
  readonly total: BigInt64Array;
  readonly count: Uint32Array;
}

/** Consecutive profiles as columns, with running sums where those exist. */
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
  /** Start of the run in its segment, in units of 8 bytes. */
  readonly runOffset: Uint32Array;
  /** Number of rows of the run, n. */
  readonly runRows: Uint32Array;
  /** 1 if the run has sample labels. */
  readonly runLabelled: Uint8Array;
  /** V, and the number of the selected type's plane. */
  readonly planeCount: number;
  readonly plane: number;
}

/**
 * A chunk: the rows of consecutive profiles of one series, encoded.
 *
 * Ownership: views of shared memory, so that merge workers read them without a copy; never changed.
 */
export interface ChunkBytes {
  /** The chunk's dictionary of (stack, sample labels), and each entry's sum over all profiles. */
  readonly stacks: Uint8Array<SharedArrayBuffer>;
  /** The rows; undefined when only sums over all profiles are requested. */
  readonly rows: Uint8Array<SharedArrayBuffer> | undefined;
}

/** Rows of profiles of one period in a chunk, or sums of such profiles over windows of time. */
export interface ChunkRows {
  readonly kind: 'chunk';
  /** Bytes of the chunk, in memory that merge workers share. */
  readonly chunk: ChunkBytes;
  /** Number of the selected type's plane of the chunk. */
  readonly plane: number;
  /** Profiles (or windows) first .. end of the chunk. */
  readonly first: number;
  readonly end: number;
  /** Number of their rows. */
  readonly rowCount: number;
  readonly period: bigint;
}

export type RowSource = RunRows | ChunkRows;

/**
 * Times of the samples of successive profiles, as encodeSampleTimes writes them for the rows of
 * `rows(false)`; undefined where a profile, or all of them, have none. No bytes: they cannot be
 * read.
 */
export type SampleTimesOfProfiles = readonly (Uint8Array | undefined)[] | undefined;

/**
 * Profiles of one series in one part that belong to the requested range, in order of time. Slices
 * of different parts may overlap in time; no profile is in two of them.
 */
export interface SeriesSlice {
  /** Row of StoredSelection.parts. */
  readonly part: number;
  /** Number of profiles, known without reading them; a digest of the head must read them. */
  readonly profileCount: number;
  digest(): ProfileDigest;
  profiles(): ProfileColumns | Promise<ProfileColumns>;
  /**
   * Returns the profiles in runs as stored, in order of time, each later than the whole previous
   * run.
   */
  profileRuns(): readonly ProfileRun[] | Promise<readonly ProfileRun[]>;
  /**
   * Returns an approximate upper bound of the sum of the profiles' magnitudes, without a digest.
   */
  magnitudeMax(): number;
  /**
   * Returns the positions of the rows, without applying `rowFilter`. With `isWhole` = false, these
   * are rows of single profiles in `runs` or chunks of raw profiles; sources follow each other in
   * order of time and have one profile for each of `profiles()`. With true, sums over windows of
   * time are possible as well, which are equal when summed by (stack, sample labels, period).
   */
  rows(isWhole: boolean): readonly RowSource[] | Promise<readonly RowSource[]>;
  /** Returns the times of samples, an element for each of `profiles()`. */
  sampleTimes(): SampleTimesOfProfiles | Promise<SampleTimesOfProfiles>;
  /**
   * Filter by SampleLabelsIndex of the part's dictionary, 1 = the row belongs; set when matchers
   * look at sample labels. Totals do not apply then.
   */
  readonly rowFilter: Uint8Array | undefined;
  /** True if some row may have sample labels. */
  readonly isLabelled: boolean;
}

/** The profiles of one series: a label set and a profile type. */
export interface StoredSeries {
  readonly labels: LabelSet;
  readonly profileType: ProfileType;
  /** Slices by the time of their first profile; at least one. */
  readonly slices: readonly SeriesSlice[];
}

/** A part that has some of the selected profiles; its rows refer to its own dictionary. */
export interface SelectedPart {
  readonly id: string;
  /**
   * Loads the symbols. Errors: AppError 'data-loss' when they cannot be read; the caller then
   * leaves the part out and notes it as missing.
   */
  dictionary(): Promise<Dictionary>;
}

/**
 * An answer of the store: it covers everything acknowledged before the query, and possibly some of
 * what was written during a search of very many series. Disposing it allows the parts to be
 * removed.
 *
 * Errors of slices and parts that cannot be read do not fail an answer: they are noted in
 * `missing`, and the rest is served.
 */
export interface StoredSelection extends Disposable {
  readonly parts: readonly SelectedPart[];
  readonly series: readonly StoredSeries[];
  /** Number of profiles of all slices. */
  readonly profileCount: number;
  readonly rowCount: number;
  /** Sentences about unreadable data of the selection; grows while slices are loaded. */
  readonly missing: string[];
}

/** Finds series and their labels, like Querier. */
export interface SeriesStore extends Omit<Querier, 'select' | 'state'> {
  /** Selects profiles. The caller disposes the selection. */
  select(query: SeriesQuery, signal?: AbortSignal): Promise<StoredSelection>;
  state(range: TimeRange): string;
}

/** Filter by SampleLabelsIndex that no row passes. */
const noRow = new Uint8Array(1);

/**
 * A slice without matching rows. Its profiles still count as measured, so that the covered time of
 * a series does not depend on the split into parts.
 */
export class RowlessSlice implements SeriesSlice {
  readonly rowFilter = noRow;
  readonly #slice: SeriesSlice;

  constructor(slice: SeriesSlice) {
    this.#slice = slice;
  }

  get part(): number {
    return this.#slice.part;
  }

  get isLabelled(): boolean {
    return this.#slice.isLabelled;
  }

  get profileCount(): number {
    return this.#slice.profileCount;
  }

  digest(): ProfileDigest {
    return this.#slice.digest();
  }

  profiles(): ProfileColumns | Promise<ProfileColumns> {
    return this.#slice.profiles();
  }

  profileRuns(): readonly ProfileRun[] | Promise<readonly ProfileRun[]> {
    return this.#slice.profileRuns();
  }

  magnitudeMax(): number {
    return this.#slice.magnitudeMax();
  }

  rows(isWhole: boolean): readonly RowSource[] | Promise<readonly RowSource[]> {
    return isWhole ? [] : this.#slice.rows(false);
  }

  sampleTimes(): SampleTimesOfProfiles | Promise<SampleTimesOfProfiles> {
    return this.#slice.sampleTimes();
  }
}
