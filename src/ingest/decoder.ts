// Turns uploads into profiles of the head: on the calling thread, or by workers (decode-pool.ts).
import type { Dictionary } from '../model/dictionary.ts';
import type { IncomingProfile } from '../storage/interface.ts';
import { UploadReader, type SeriesUpload } from './upload-reader.ts';

/** Decodes the uploads of one write at a time. */
export interface Decoder {
  /**
   * Decodes uploads for the head that takes writes now; `target` is the dictionary of that head.
   *
   * Errors: those of UploadReader.readAll, and those of DecodePool.
   */
  decode(uploads: readonly SeriesUpload[], target: Dictionary): Promise<DecodedBatch>;
  /** Ends the workers; uploads that are not decoded yet fail. Idempotent. */
  close(): Promise<void>;
}

/** The profiles of one write, to be taken once. */
export interface DecodedBatch {
  /**
   * Calls `append` with each profile that has values, in rows of the target. The profile's columns
   * are borrowed until `append` returns. Synchronous.
   *
   * Errors: those of UploadReader.readAll, where nothing was decoded before.
   */
  appendTo(append: (profile: IncomingProfile) => void): void;
}

/** Creates a decoder that does all work in `appendTo`, on the thread that calls it. */
export function createLocalDecoder(): Decoder {
  const reader = new UploadReader();
  return {
    async decode(uploads, target) {
      return { appendTo: (append) => reader.readAll(target, uploads, append) };
    },
    async close() {},
  };
}
