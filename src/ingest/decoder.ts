// The interface for decoding uploads to profiles of a head: on this thread (decode-here.ts) or in
// workers (decode-pool.ts).
import type { Steps } from '../base/pacer.ts';
import type { Dictionary } from '../model/dictionary.ts';
import type { IncomingProfile } from '../storage/interface.ts';
import type { UploadSeries } from './series.ts';
import type { TurnShare } from './turn-share.ts';
import type { SeriesUpload } from './upload-reader.ts';

export interface DecodeOptions {
  /** True if `appendTo` has already returned false for these uploads. */
  readonly isLarge?: boolean;
  /** Signal of the caller, as in WriteFacts. */
  readonly signal?: (() => AbortSignal | undefined) | undefined;
}

/** Decodes the uploads of one write at a time. */
export interface Decoder {
  /**
   * Decodes uploads for the head that accepts writes when their turn comes: `findTarget` returns
   * the dictionary of that head.
   *
   * Errors: as in UploadReader.readAll and DecodePool; the reason of the signal.
   */
  decode(
    uploads: readonly SeriesUpload[],
    findTarget: () => Dictionary,
    options?: DecodeOptions,
  ): Promise<DecodedBatch>;
  /**
   * Limits the time of small writes on this thread in each turn of the event loop; undefined if
   * there are no workers.
   */
  readonly share?: TurnShare;
  /** True if there are no workers, so that this thread decodes everything. */
  readonly isLocal?: boolean;
  /** Ends the workers. Uploads that have not been decoded by then fail. Idempotent. */
  close(): Promise<void>;
}

/** The profiles of one write, which may be appended once. */
export interface DecodedBatch {
  /** The dictionary of the head that the batch is for. */
  readonly target: Dictionary;
  /**
   * Profiles that have values. Undefined if there are no workers, because then only `appendTo`
   * decodes the profiles.
   */
  readonly profiles?: readonly UploadSeries[] | undefined;
  /**
   * Adds new symbols to the target, in slices. It must be called before `appendTo`, and is
   * undefined if there is nothing to add. Returns false as soon as `isCurrent` returns false,
   * because the target then accepts no more rows.
   */
  readonly carry?: ((isCurrent: () => boolean) => Promise<boolean>) | undefined;
  /**
   * Calls `append` with each profile that has values, in steps. The profile's rows are those of the
   * target, and its columns are borrowed until `append` returns.
   *
   * Returns false if the write is too large for this thread; then nothing of it may be stored.
   * Errors: as in UploadReader.readAll, unless the uploads have been decoded before.
   */
  appendTo(append: (profile: IncomingProfile) => void): Steps<boolean>;
  /**
   * Does the same as `appendTo`, but in one step; undefined for writes that may need several steps.
   * It is used for ordinary pushes, because generators would leave 2 KB of garbage.
   */
  readonly appendAtOnce?: ((append: (profile: IncomingProfile) => void) => boolean) | undefined;
  /**
   * Profiles that have already been decoded. Instead of calling `appendTo`, they may be appended
   * one by one, with pauses.
   */
  readonly waiting?: readonly IncomingProfile[] | undefined;
  /** Approximate memory of the batch in bytes; undefined if no worker decoded it. */
  readonly heldBytes?: number | undefined;
  /**
   * Ends the use of the batch, whether or not it was stored. Further writes of its caller wait
   * until then. Idempotent.
   */
  readonly release?: () => void;
}
