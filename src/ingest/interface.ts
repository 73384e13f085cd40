// The entrance of the write path: scrape and all push protocols pass profiles to it.
import type { RecordColumns } from '../formats/agent-record/record-columns.ts';
import type { Label } from '../model/labels.ts';
import type { ValueType } from '../model/profile-type.ts';

/** One encoded profile with its series labels. */
export interface ProfileUpload {
  /** Labels as they came, including `__name__` (the profile's name), in any order. */
  readonly labels: readonly Label[];
  /** pprof, gzipped or not. Borrowed until `write` settles. */
  readonly profile: Uint8Array;
  /** Sample types that are kept (scrape's keep_sample_type); all when empty. */
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

/** Limits of one upload; 0 = as much as the limits of the server allow. */
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
}

/** The write path: limits, gunzip, decode, validate, intern, append. */
export interface Ingester {
  /**
   * Stores all uploads or none; resolves when they are durable and visible.
   *
   * Errors: AppError 'invalid-argument' with Parca's texts for bad profiles and labels,
   * 'resource-exhausted' for limits and a full disk, 'unavailable' while closing.
   */
  write(uploads: readonly ProfileUpload[], facts?: WriteFacts): Promise<void>;
  /**
   * Stores all profiles of an Arrow write or none; as `write`. `byteCount`: size of the write as it
   * came. `caller`: as in WriteFacts.
   *
   * Errors: those of `write`.
   */
  writeRecord(record: RecordColumns, byteCount: number, caller?: string): Promise<void>;
}
