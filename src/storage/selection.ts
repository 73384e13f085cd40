// Positions of selected data: series of profiles in slices, each slice in one part, and their rows.
import type { Dictionary } from '../model/dictionary.ts';
import type { LabelSet } from '../model/labels.ts';
import type { ProfileType } from '../model/profile-type.ts';
import type { ProfileColumns } from '../model/profiles/profile-columns.ts';
import type { ProfileDigest } from '../model/profiles/profile-digest.ts';
import type { Querier, SeriesQuery, TimeRange } from './interface.ts';

/**
 * A fixed segment of row memory, shared with merge workers.
 *
 * Layout of one run (the rows of one profile, V value columns, n rows), starting at a multiple of 8
 * bytes: V value columns of n int64 values, then n uint32 stacks, then n uint32 sample labels if
 * the profile has any.
 */
export interface RowSegment {
  readonly buffer: SharedArrayBuffer;
  /** The whole buffer as 32-bit words. */
  readonly words: Uint32Array;
  readonly values: BigInt64Array;
}

/**
 * Sums over all profiles before each profile. The last element is the sum over all profiles. The
 * sum of consecutive profiles is the difference of two elements, modulo 2^64 and 2^32.
 */
export interface RunningSums {
  readonly total: BigInt64Array;
  readonly count: Uint32Array;
}

/** Consecutive profiles as columns, maybe with running sums. */
export interface ProfileRun {
  readonly columns: ProfileColumns;
  readonly sums: RunningSums | undefined;
}

/** Rows of profiles in the head; the rows of each profile are a run in a segment. */
export interface RunRows {
  readonly kind: 'runs';
  readonly segments: readonly RowSegment[];
  /**
   * Number of profiles. Each column below has one element for each profile, and is a view that is
   * valid only until the next await.
   */
  readonly profileCount: number;
  readonly period: BigInt64Array;
  /** Segment of each run, as an index of `segments`. */
  readonly runSegment: Uint32Array;
  /** Start of each run in its segment, in units of 8 bytes. */
  readonly runOffset: Uint32Array;
  /** Number of rows of the run, n. */
  readonly runRows: Uint32Array;
  /** 1 if the run has sample labels. */
  readonly runLabelled: Uint8Array;
  /** Number of value columns (V), and the index of the selected one. */
  readonly valueColumnCount: number;
  readonly valueColumn: number;
}

/**
 * A chunk: the rows of consecutive profiles of one series, encoded.
 *
 * Ownership: views of shared memory, which never change, so that merge workers can read them
 * without a copy.
 */
export interface ChunkBytes {
  /**
   * The chunk's dictionary of (stack, sample labels), with the sum of each entry over all profiles.
   */
  readonly stacks: Uint8Array<SharedArrayBuffer>;
  /** The rows; undefined if only sums over all profiles are requested. */
  readonly rows: Uint8Array<SharedArrayBuffer> | undefined;
}

/**
 * Rows of profiles with the same period in a chunk, or sums of such profiles over windows of time.
 */
export interface ChunkRows {
  readonly kind: 'chunk';
  /** Bytes of the chunk, in memory that is shared with merge workers. */
  readonly chunk: ChunkBytes;
  /** Index of the value column of the selected sample type in the chunk. */
  readonly valueColumn: number;
  /** Profiles (or windows) `first` .. `end` of the chunk. */
  readonly first: number;
  readonly end: number;
  /** Number of rows of these profiles. */
  readonly rowCount: number;
  readonly period: bigint;
}

export type RowSource = RunRows | ChunkRows;

/**
 * Sample times of successive profiles, as encodeSampleTimes writes them for the rows of
 * `rows(false)`; undefined if a profile, or all profiles, have none. An empty array means that they
 * cannot be read.
 */
export type SampleTimesOfProfiles = readonly (Uint8Array | undefined)[] | undefined;

/**
 * Profiles of one series in one part that are in the requested range, in order of time. Slices of
 * different parts may overlap in time; no profile is in two slices.
 */
export interface SeriesSlice {
  /** Index of the part in StoredSelection.parts. */
  readonly part: number;
  /** Number of profiles, known without reading any; the digest of a head's slice reads all. */
  readonly profileCount: number;
  digest(): ProfileDigest;
  profiles(): ProfileColumns | Promise<ProfileColumns>;
  /**
   * Returns the profiles in runs, as the part stores them, in order of time. Each run is entirely
   * later than the previous one.
   */
  profileRuns(): readonly ProfileRun[] | Promise<readonly ProfileRun[]>;
  /**
   * Returns an approximate upper bound for the sum of the profiles' magnitudes, without a digest.
   */
  magnitudeMax(): number;
  /**
   * Returns the positions of the rows, without applying `rowFilter`. If `isWhole` is false, these
   * are rows of single profiles in `runs` or chunks of raw profiles; sources follow each other in
   * order of time and have one profile for each of `profiles()`. If it is true, they may also be
   * sums over windows of time. Summed by (stack, sample labels, period), they give the same result.
   */
  rows(isWhole: boolean): readonly RowSource[] | Promise<readonly RowSource[]>;
  /** Returns the sample times, one element for each of `profiles()`. */
  sampleTimes(): SampleTimesOfProfiles | Promise<SampleTimesOfProfiles>;
  /**
   * Filter by SampleLabelsIndex of the part's dictionary, 1 = the row matches. It is set if
   * matchers apply to sample labels; the totals of profiles are then too large.
   */
  readonly rowFilter: Uint8Array | undefined;
  /** True if a row may have sample labels. */
  readonly isLabelled: boolean;
}

/** The profiles of one series: a label set and a profile type. */
export interface StoredSeries {
  readonly labels: LabelSet;
  readonly profileType: ProfileType;
  /** Slices by the time of their first profile; at least one. */
  readonly slices: readonly SeriesSlice[];
}

/** A part with selected profiles; its rows refer to its own dictionary. */
export interface SelectedPart {
  readonly id: string;
  /**
   * Loads the symbols. Errors: AppError 'data-loss' when they cannot be read; the caller then
   * leaves the part out and notes it as missing.
   */
  dictionary(): Promise<Dictionary>;
}

/**
 * An answer of the store. It covers all profiles that were acknowledged before the query, and maybe
 * some that were written during a long search of many series. Disposing of it allows the parts to
 * be removed.
 *
 * Slices and parts that cannot be read do not fail an answer: they are reported in `missing`, and
 * the answer has the rest.
 */
export interface StoredSelection extends Disposable {
  readonly parts: readonly SelectedPart[];
  readonly series: readonly StoredSeries[];
  /** Number of profiles of all slices. */
  readonly profileCount: number;
  readonly rowCount: number;
  /** Sentences about unreadable data of the selection; loading slices may add some. */
  readonly missing: string[];
}

/** Finds series and their labels, like Querier. */
export interface SeriesStore extends Omit<Querier, 'select' | 'state'> {
  /** Selects profiles. The caller disposes of the selection. */
  select(query: SeriesQuery, signal?: AbortSignal): Promise<StoredSelection>;
  state(range: TimeRange): string;
}

/** Filter by SampleLabelsIndex that matches no row. */
const noRow = new Uint8Array(1);

/**
 * A slice without matching rows. Its profiles still count as measurements, so that the covered time
 * of a series does not depend on how it is split into parts.
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
