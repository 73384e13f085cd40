// The entrance to the write path. Scrapes and all push protocols pass their profiles to it.
import type { Label } from '../model/labels.ts';
import type { ValueType } from '../model/profile-type.ts';

/** One encoded profile, with the labels of its series. */
export interface ProfileUpload {
  /** Labels that were sent, including `__name__` (the profile's name), in any order. */
  readonly labels: readonly Label[];
  /** pprof, gzipped or not. Borrowed until `write` settles. */
  readonly profile: Uint8Array;
  /** Sample types that are kept (keep_sample_type of scrapes); an empty list keeps all. */
  readonly keepSampleTypes?: readonly ValueType[];
  readonly limits?: UploadLimits;
  /** Time of the profile in nanoseconds, which replaces the time in the profile. */
  readonly timeNanos?: bigint | undefined;
  /**
   * True if all addresses are already offsets in files, like `normalized` in Parca. Otherwise, an
   * address within its mapping is an address of the process.
   */
  readonly areFileAddresses?: boolean;
}

/** Limits of one upload; 0 = the limits of the server. */
export interface UploadLimits {
  readonly samples: number;
  /** Size after decompression. */
  readonly profileBytes: number;
}

/** Facts about a write in addition to its profiles. */
export interface WriteFacts {
  /** Labels of series without profiles; they must be as valid as the labels of other series. */
  readonly bare?: readonly (readonly Label[])[];
  /** Id of the caller, which is used to serve callers in turn; "" = this server. */
  readonly caller?: string;
  /** Maximum number of the caller's active series; 0 = no limit for this caller. */
  readonly seriesMax?: number;
  /**
   * Returns the signal that the caller has gone; a write that waits for its turn then ends. Called
   * only for writes that wait, because most calls need no signal otherwise.
   */
  readonly signal?: () => AbortSignal | undefined;
  /** Called once the profiles are stored, with the number of their rows by profile name. */
  readonly onStored?: (rows: ReadonlyMap<string, number>) => void;
}

/** Facts about an Arrow write in addition to its streams. */
export interface RecordFacts extends Pick<WriteFacts, 'caller' | 'seriesMax' | 'signal'> {
  /** Called with the labels of each series, even if the write fails later. */
  readonly onLabels?: (labels: readonly Label[]) => void;
}

/** The write path: checks limits, decompresses, decodes, validates, interns and appends. */
export interface Ingester {
  /**
   * Stores all uploads or none; resolves when they are durable and visible.
   *
   * Errors: AppError 'invalid-argument' with Parca's messages for bad profiles and labels,
   * 'resource-exhausted' for limits and a full disk, 'unavailable' while closing; the reason of the
   * signal.
   */
  write(uploads: readonly ProfileUpload[], facts?: WriteFacts): Promise<void>;
  /**
   * Stores all profiles of an Arrow write or none; resolves as `write` does. `streams` is a single
   * stream, or one stream of samples and one of locations; both are borrowed until the promise
   * settles.
   *
   * Errors: as in readRecord and `write`.
   */
  writeRecord(streams: readonly Uint8Array[], facts?: RecordFacts): Promise<void>;
}

/** A string and a count. */
export interface TextCount {
  readonly text: string;
  readonly count: number;
}

/** A limit, and how much of it is used. */
export interface CardinalityLimit {
  readonly flag: string;
  readonly limit: number;
  /** Count of all callers; for a limit of a single caller or name, its highest count. */
  readonly used: number;
}

/** Numbers of series and label names that were active in the last one to two hours. */
export interface CardinalityStatus {
  readonly activeSeries: number;
  readonly labelNames: number;
  readonly newSeriesThisMinute: number;
  readonly limits: readonly CardinalityLimit[];
  readonly seriesByName: readonly TextCount[];
  readonly valuesByName: readonly TextCount[];
  /** Number of series by label name and value, written as `name="value"`. */
  readonly seriesByValue: readonly TextCount[];
  /** Number of series by the caller that was the first to send them; "" is this server. */
  readonly seriesByCaller: readonly TextCount[];
}
