// Decoding on the main thread: of all writes, or only of those that are certainly small.
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

/** Creates a decoder that does all its work in `appendTo`, on the calling thread. */
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
 * Creates a decoder that handles small writes itself and passes the others to `workers`.
 *
 * The size of a write does not determine its cost: a single byte may become a thousand bytes by
 * gunzip, and may describe a new stack. So the size is checked before each step: bytes that were
 * sent, bytes after gunzip (which stops at the limit), and rows after decoding. A write that turns
 * out to be large then goes to a worker.
 */
export function createSplitDecoder(workers: Decoder, clock: Clock): Decoder {
  const reader = new UploadReader();
  const share = new TurnShare();
  return {
    share,
    async decode(uploads, findTarget, isLarge = false) {
      if (isLarge || !looksSmall(uploads)) return workers.decode(uploads, findTarget, isLarge);
      await share.enter(uploads[0]?.caller ?? '');
      return smallBatch({ reader, share, clock }, uploads, findTarget());
    },
    close: () => workers.close(),
  };
}

/** Parts that all small writes use. */
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

/** Returns false for an error of a write that is too large for this thread; throws other errors. */
function throwUnlessTooLarge(error: unknown): false {
  // The limits of the server are larger; the worker reports which of them is exceeded.
  if (error instanceof TooLargeHere || errorCode(error) === 'resource-exhausted') return false;
  throw error;
}

function looksSmall(uploads: readonly SeriesUpload[]): boolean {
  let sent = 0;
  let claimed = 0;
  for (const { profile } of uploads) {
    sent += profile.length;
    // The gzip trailer states a length. It comes from the sender, so a small length may be false.
    claimed += isGzip(profile) ? readUint32(profile, profile.length - 4) : profile.length;
  }
  return sent <= decodeHereSentBytesMax && claimed <= decodeHereBytesMax;
}

class TooLargeHere extends Error {}

/** Limits of one write. `take` throws an error when they are used up. */
class DecodeBudget {
  /** Number of decompressed bytes that the write may still have. */
  bytes = decodeHereBytesMax;
  #micros = decodeHereMillisMax * 1_000;

  /** Takes the cost of a decoded profile from the budget, before the profile is interned. */
  take(columns: PprofColumns, contentBytes: number): void {
    this.bytes -= contentBytes;
    this.#micros -= estimateInternMicros(columns);
    if (this.bytes < 0 || this.#micros < 0) throw new TooLargeHere();
  }
}
