// The entrance of the write path: scrape and all push protocols pass profiles to it.
import type { Label } from '../model/labels.ts';
import type { ValueType } from '../model/profile-type.ts';

/** One encoded profile with its series labels. */
export interface ProfileUpload {
  /** Labels as they were sent, including `__name__` (the profile's name), in any order. */
  readonly labels: readonly Label[];
  /** pprof, gzipped or not. Borrowed until `write` settles. */
  readonly profile: Uint8Array;
  /** Sample types to keep (scrape's keep_sample_type); all if empty. */
  readonly keepSampleTypes?: readonly ValueType[];
  readonly limits?: UploadLimits;
  /** Time of the profile, which replaces its own time. */
  readonly timeNanos?: bigint | undefined;
  /**
   * True if all addresses are those of their files already, as Parca's `normalized` says; else
   * those inside of their mapping are addresses of the process.
   */
  readonly areFileAddresses?: boolean;
}

/** Limits of one upload; 0 = the limits of the server. */
export interface UploadLimits {
  readonly samples: number;
  /** Size after decompression. */
  readonly profileBytes: number;
}

/** Facts about a write besides its profiles. */
export interface WriteFacts {
  /** Labels of series without profiles, which must satisfy the same rules. */
  readonly bare?: readonly (readonly Label[])[];
  /** Id of the caller, by which writes take turns; "" is the server itself. */
  readonly caller?: string;
  /** Largest number of active series of the caller; 0 = no limit of its own. */
  readonly seriesMax?: number;
  /** Called with the number of rows of the profiles by their names, once they are stored. */
  readonly onStored?: (rows: ReadonlyMap<string, number>) => void;
}

/** The write path: limits, gunzip, decode, validate, intern, append. */
export interface Ingester {
  /**
   * Stores all uploads or none; resolves when they are durable and visible.
   *
   * Errors: AppError 'invalid-argument' with Parca's messages for bad profiles and labels,
   * 'resource-exhausted' for limits and a full disk, 'unavailable' while closing.
   */
  write(uploads: readonly ProfileUpload[], facts?: WriteFacts): Promise<void>;
  /**
   * Stores all profiles of an Arrow write or none; as `write`. `streams`: a single one, or one of
   * samples and one of locations; borrowed until it settles. Calls `onLabels` with the labels of
   * its series, also of a write that fails later. `seriesMax`: as in WriteFacts.
   *
   * Errors: those of readRecord and of `write`.
   */
  writeRecord(
    streams: readonly Uint8Array[],
    caller?: string,
    onLabels?: (labels: readonly Label[]) => void,
    seriesMax?: number,
  ): Promise<void>;
}

/** A string and a count. */
export interface TextCount {
  readonly text: string;
  readonly count: number;
}

/** A limit, and how near to it the server is. */
export interface CardinalityLimit {
  readonly flag: string;
  readonly limit: number;
  /** The count of all callers, or of the caller or the name that has most. */
  readonly used: number;
}

/** Numbers of series and names that were active in the last one to two hours. */
export interface CardinalityStatus {
  readonly activeSeries: number;
  readonly labelNames: number;
  readonly newSeriesThisMinute: number;
  readonly limits: readonly CardinalityLimit[];
  readonly seriesByName: readonly TextCount[];
  readonly valuesByName: readonly TextCount[];
  /** Series by name and value of a label, as `name="value"`. */
  readonly seriesByValue: readonly TextCount[];
  /** Series by the caller that was the first to send them; "" is the server itself. */
  readonly seriesByCaller: readonly TextCount[];
}
