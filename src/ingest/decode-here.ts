// Decodes writes on the main thread: either all of them, or only those that are known to be small.
import type { Clock } from '../base/clock.ts';
import { errorCode } from '../base/errors.ts';
import { decodeHereBytesMax, decodeHereMillisMax, decodeHereSentBytesMax } from '../base/limits.ts';
import { readUint32 } from '../formats/gunzip.ts';
import { isGzip } from '../formats/gzip.ts';
import type { PprofColumns } from '../formats/pprof/columns.ts';
import type { Dictionary } from '../model/dictionary.ts';
import type { IncomingProfile } from '../storage/interface.ts';
import { estimateInternMicros } from './decode-cost.ts';
import type { DecodedBatch, Decoder } from './decoder.ts';
import { spendOnce, spendShare, TurnShare } from './turn-share.ts';
import { UploadReader, type SeriesUpload, uploadsPerStep } from './upload-reader.ts';

/** Creates a decoder whose `appendTo` does all the work, on the calling thread. */
export function createLocalDecoder(): Decoder {
  const reader = new UploadReader();
  return {
    isLocal: true,
    async decode(uploads, findTarget) {
      const target = findTarget();
      return {
        target,
        *appendTo(append) {
          yield* reader.readAll(target, uploads, append);
          return true;
        },
      };
    },
    async close() {},
  };
}

/**
 * Creates a decoder that decodes small writes itself and passes the others to `workers`.
 *
 * The size of a write does not determine its cost: one byte may become a thousand bytes by gunzip,
 * and may describe a new stack. So the size is checked before each step: the bytes that were sent,
 * the bytes after gunzip (which stops at the limit), and the rows after decoding. As soon as a
 * write turns out to be large, it is passed to a worker.
 */
export function createSplitDecoder(workers: Decoder, clock: Clock): Decoder {
  const reader = new UploadReader();
  const share = new TurnShare();
  return {
    share,
    async decode(uploads, findTarget, options = {}) {
      if (options.isLarge === true || !looksSmall(uploads)) {
        return workers.decode(uploads, findTarget, options);
      }
      await share.enter(uploads[0]?.caller ?? '');
      return smallBatch({ reader, share, clock }, uploads, findTarget());
    },
    close: () => workers.close(),
  };
}

/** Parts that all small writes share. */
interface Parts {
  readonly reader: UploadReader;
  readonly share: TurnShare;
  readonly clock: Clock;
}

function smallBatch(
  { reader, share, clock }: Parts,
  uploads: readonly SeriesUpload[],
  target: Dictionary,
): DecodedBatch {
  const appendAtOnce = (append: (profile: IncomingProfile) => void): boolean => {
    try {
      const read = (): void => reader.readAtOnce(target, uploads, append, new DecodeBudget());
      spendOnce(share, clock, read);
      return true;
    } catch (error) {
      return throwUnlessTooLarge(error);
    }
  };
  return {
    target,
    appendAtOnce: uploads.length > uploadsPerStep ? undefined : appendAtOnce,
    *appendTo(append: (profile: IncomingProfile) => void) {
      try {
        const steps = reader.readAll(target, uploads, append, new DecodeBudget());
        yield* spendShare(share, clock, steps);
        return true;
      } catch (error) {
        return throwUnlessTooLarge(error);
      }
    },
  };
}

/**
 * Returns false if the error means that the write is too large for this thread; throws other
 * errors.
 */
function throwUnlessTooLarge(error: unknown): false {
  // The server's own limits are larger. If one of them is exceeded, the worker reports it.
  if (error instanceof TooLargeHere || errorCode(error) === 'resource-exhausted') return false;
  throw error;
}

function looksSmall(uploads: readonly SeriesUpload[]): boolean {
  let sent = 0;
  let claimed = 0;
  for (const { profile } of uploads) {
    sent += profile.length;
    // The length in the gzip trailer comes from the sender, so it may be too small.
    claimed += isGzip(profile) ? readUint32(profile, profile.length - 4) : profile.length;
  }
  return sent <= decodeHereSentBytesMax && claimed <= decodeHereBytesMax;
}

class TooLargeHere extends Error {}

/** Budget of one write. `take` throws an error when it is exceeded. */
class DecodeBudget {
  /** Number of decompressed bytes that the rest of the write may have. */
  bytes = decodeHereBytesMax;
  #micros = decodeHereMillisMax * 1_000;

  /** Takes the cost of a decoded profile from the budget, before the profile is interned. */
  take(columns: PprofColumns, contentBytes: number): void {
    this.bytes -= contentBytes;
    this.#micros -= estimateInternMicros(columns);
    if (this.bytes < 0 || this.#micros < 0) throw new TooLargeHere();
  }
}
