// Interface for decoding uploads to profiles of the head, on this thread (decode-here.ts), or in
// workers (decode-pool.ts).
import type { Steps } from '../base/pacer.ts';
import type { Dictionary } from '../model/dictionary.ts';
import type { IncomingProfile } from '../storage/interface.ts';
import type { UploadSeries } from './series.ts';
import type { TurnShare } from './turn-share.ts';
import type { SeriesUpload } from './upload-reader.ts';

/** Decodes the uploads of one write at a time. */
export interface Decoder {
  /**
   * Decodes uploads for the head that accepts writes when their turn comes: `findTarget` returns
   * the dictionary of that head. `isLarge` is true if `appendTo` has already returned false for
   * these uploads.
   *
   * Errors: as in UploadReader.readAll and DecodePool.
   */
  decode(
    uploads: readonly SeriesUpload[],
    findTarget: () => Dictionary,
    isLarge?: boolean,
  ): Promise<DecodedBatch>;
  /**
   * Share of each turn of the event loop for small writes on this thread; absent without workers.
   */
  readonly share?: TurnShare;
  /** True if there are no workers. */
  readonly isLocal?: boolean;
  /** Ends the workers; uploads that are not decoded yet fail. Idempotent. */
  close(): Promise<void>;
}

/** The profiles of one write, which can be taken once. */
export interface DecodedBatch {
  /** The dictionary of the head that the batch is for. */
  readonly target: Dictionary;
  /**
   * Profiles that have values; undefined without workers, because then only `appendTo` finds them.
   */
  readonly profiles?: readonly UploadSeries[] | undefined;
  /**
   * Adds new symbols to the target, in slices, before `appendTo`; undefined if there are none.
   * Returns false as soon as `isCurrent` returns false, because the target then accepts no more
   * rows.
   */
  readonly carry?: ((isCurrent: () => boolean) => Promise<boolean>) | undefined;
  /**
   * Calls `append` with each profile that has values, in rows of the target, in steps. The columns
   * of a profile are borrowed until `append` returns.
   *
   * Returns false if the write is too large for this thread; then no part of it may be stored.
   * Errors: as in UploadReader.readAll, if the uploads were not decoded before.
   */
  appendTo(append: (profile: IncomingProfile) => void): Steps<boolean>;
  /**
   * Does the work of `appendTo` in one step; undefined for writes that may take several steps. An
   * ordinary push then needs no generators, which leave 2 KB of garbage.
   */
  readonly appendAtOnce?: ((append: (profile: IncomingProfile) => void) => boolean) | undefined;
  /**
   * The profiles of `appendTo` if they are in memory: they may be appended one by one, with pauses
   * between them.
   */
  readonly waiting?: readonly IncomingProfile[] | undefined;
  /**
   * Ends the use of the batch, stored or not. The next writes of its caller wait for this.
   * Idempotent.
   */
  readonly release?: () => void;
}
