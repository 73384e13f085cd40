// Selected data: series, their profiles in slices, and where the rows are. Each slice is in one
// part.
import type { Dictionary } from '../model/dictionary.ts';
import type { LabelSet } from '../model/labels.ts';
import type { ProfileType } from '../model/profile-type.ts';
import type { ProfileColumns } from '../model/profiles/profile-columns.ts';
import type { ProfileDigest } from '../model/profiles/profile-digest.ts';
import type { Querier, SeriesQuery, TimeRange } from './interface.ts';

/**
 * A segment of row memory, which never moves and is shared with merge workers.
 *
 * A run has the n rows of one profile with V value columns, and starts at a multiple of 8 bytes.
 * Layout of a run: V value columns of n int64 values, then n uint32 stacks, then n uint32 sample
 * labels if the profile has labels.
 */
export interface RowSegment {
  readonly buffer: SharedArrayBuffer;
  /** The whole buffer as 32-bit words. */
  readonly words: Uint32Array;
  readonly values: BigInt64Array;
}

/**
 * For each profile, the sums over all earlier profiles. The last element is the sum over all
 * profiles. The sum of consecutive profiles is the difference of two elements, modulo 2^64 and
 * 2^32.
 */
export interface RunningSums {
  readonly total: BigInt64Array;
  readonly count: Uint32Array;
}

/** Consecutive profiles as columns. Running sums may be available. */
export interface ProfileRun {
  readonly columns: ProfileColumns;
  readonly sums: RunningSums | undefined;
}

/** Rows of profiles in a head. The rows of each profile are a run in a segment. */
export interface RunRows {
  readonly kind: 'runs';
  readonly segments: readonly RowSegment[];
  /**
   * Number of profiles. Each column below has one element for each profile, and is a view that is
   * valid only until the next await.
   */
  readonly profileCount: number;
  readonly period: BigInt64Array;
  /** Segment of each run, as an index in `segments`. */
  readonly runSegment: Uint32Array;
  /** Start of each run in its segment, in units of 8 bytes. */
  readonly runOffset: Uint32Array;
  /** Number of rows of each run. */
  readonly runRows: Uint32Array;
  /** 1 if the run has sample labels. */
  readonly runLabelled: Uint8Array;
  /** Number of value columns of each run, and the index of the selected value column. */
  readonly valueColumnCount: number;
  readonly valueColumn: number;
}

/**
 * A chunk: the rows of consecutive profiles of one series, encoded.
 *
 * Ownership: the arrays are views of shared memory that never changes, so that merge workers can
 * read it without a copy.
 */
export interface ChunkBytes {
  /**
   * Distinct pairs of stack and sample labels in the chunk, with the sum of each pair over all
   * profiles.
   */
  readonly stacks: Uint8Array<SharedArrayBuffer>;
  /** The rows; undefined if only sums over all profiles are requested. */
  readonly rows: Uint8Array<SharedArrayBuffer> | undefined;
}

/**
 * Rows of profiles in a chunk, which all have the same period; or sums of such profiles over
 * windows of time.
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
 * `rows(false)`; undefined for a profile without sample times, or as a whole if no profile has
 * them. An empty array means that the sample times cannot be read.
 */
export type SampleTimesOfProfiles = readonly (Uint8Array | undefined)[] | undefined;

/**
 * Profiles of one series in one part that are in the requested range, in order of time. Slices of
 * different parts may overlap in time, but no profile is in two slices.
 */
export interface SeriesSlice {
  /** Index of the part in StoredSelection.parts. */
  readonly part: number;
  /**
   * Number of profiles. Unlike the digest of a slice of a head, it is known without reading any
   * profile.
   */
  readonly profileCount: number;
  digest(): ProfileDigest;
  profiles(): ProfileColumns | Promise<ProfileColumns>;
  /**
   * Returns the profiles in runs, as the part stores them, in order of time. All times of a run are
   * later than those of the previous run.
   */
  profileRuns(): readonly ProfileRun[] | Promise<readonly ProfileRun[]>;
  /**
   * Returns an approximate upper bound for the sum of the profiles' magnitudes, without a digest.
   */
  magnitudeMax(): number;
  /**
   * Returns where the rows are, without applying `rowFilter`. If `isWhole` is false, the sources
   * are rows of single profiles, in runs or in chunks of raw profiles; they are in order of time
   * and have the same profiles as `profiles()`. If it is true, sources may also be sums over
   * windows of time. Rows of both forms have the same sums by stack, sample labels and period.
   */
  rows(isWhole: boolean): readonly RowSource[] | Promise<readonly RowSource[]>;
  /** Returns the sample times of each profile in `profiles()`. */
  sampleTimes(): SampleTimesOfProfiles | Promise<SampleTimesOfProfiles>;
  /**
   * Filter with an element for each SampleLabelsIndex of the part's dictionary, 1 = rows with these
   * labels match. It is set if matchers apply to sample labels; the totals of profiles are then too
   * large.
   */
  readonly rowFilter: Uint8Array | undefined;
  /** True if a row may have sample labels. */
  readonly isLabelled: boolean;
}

/** The profiles of one series: a label set and a profile type. */
export interface StoredSeries {
  readonly labels: LabelSet;
  readonly profileType: ProfileType;
  /** Slices in the order of their first profiles; at least one. */
  readonly slices: readonly SeriesSlice[];
}

/** A part with selected profiles; its rows refer to its own dictionary. */
export interface SelectedPart {
  readonly id: string;
  /**
   * Loads the symbols. Errors: AppError 'data-loss' when they cannot be read; the caller then
   * leaves the part out and reports it as missing.
   */
  dictionary(): Promise<Dictionary>;
}

/**
 * An answer of the store. It covers all profiles that were acknowledged before the query, and maybe
 * some that were written while many series were searched. Its parts can be removed only after it
 * was disposed of.
 *
 * Slices and parts that cannot be read do not make an answer fail: they are reported in `missing`,
 * and the answer has the rest.
 */
export interface StoredSelection extends Disposable {
  readonly parts: readonly SelectedPart[];
  readonly series: readonly StoredSeries[];
  /** Number of profiles in all slices. */
  readonly profileCount: number;
  readonly rowCount: number;
  /** Sentences about data of the selection that is unreadable. Loading slices may add sentences. */
  readonly missing: string[];
}

/** Finds series and their labels, like Querier. */
export interface SeriesStore extends Omit<Querier, 'select' | 'state'> {
  /** Selects profiles. The caller disposes of the selection. */
  select(query: SeriesQuery, signal?: AbortSignal): Promise<StoredSelection>;
  state(range: TimeRange): string;
}

/** Filter that matches no row. */
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
