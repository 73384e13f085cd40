// The one way in: scrape and every push protocol hand bytes and labels to this.
import type { Label } from '../model/labels.ts';
import type { ValueType } from '../model/profile-type.ts';

/** One encoded profile with its series labels. */
export interface ProfileUpload {
  /** Labels as they came, `__name__` (the profile's name) among them; any order. */
  readonly labels: readonly Label[];
  /** pprof, gzipped or not. Borrowed until `write` settles. */
  readonly profile: Uint8Array;
  /** When not empty, only these sample types are kept (scrape's keep_sample_type). */
  readonly keepSampleTypes?: readonly ValueType[];
}

/** The write path: limits, gunzip, decode, validate, intern, append. */
export interface Ingester {
  /**
   * Stores all uploads or none; resolves when they are durable and visible. `bare` are labels of
   * series without profiles, which are refused for what others are refused for.
   *
   * Errors: AppError 'invalid-argument' with Parca's texts for bad profiles and labels,
   * 'resource-exhausted' for limits and a full disk, 'unavailable' while closing.
   */
  write(uploads: readonly ProfileUpload[], bare?: readonly (readonly Label[])[]): Promise<void>;
}
