// Reads request bodies: counts their bytes, refuses bodies that stall, decompresses.
import type { Readable } from 'node:stream';
import type { Clock, Timer } from '../../base/clock.ts';
import { AppError, errorMessage } from '../../base/errors.ts';
import { gunzip, zstdDecompress } from '../../base/threads/zlib.ts';
import { TooLargeError } from './status.ts';

/** A limit on the bytes that all requests hold together. */
export class ByteBudget {
  #used = 0;
  readonly #bytesMax: number;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Bytes taken and not yet given back. */
  get usedBytes(): number {
    return this.#used;
  }

  /** Takes `bytes`. Errors: AppError 'resource-exhausted', and then nothing is taken. */
  take(bytes: number): void {
    if (this.#used + bytes > this.#bytesMax) {
      throw new AppError(
        'resource-exhausted',
        `cannot read request: requests in flight hold ${this.#used} of ${this.#bytesMax} bytes`,
      );
    }
    this.#used += bytes;
  }

  give(bytes: number): void {
    this.#used -= bytes;
  }
}

/** The bytes that one request has taken from the budget; `release` gives all of them back. */
export class ByteLease {
  #taken = 0;
  #isReleased = false;
  readonly #budget: ByteBudget;

  constructor(budget: ByteBudget) {
    this.#budget = budget;
  }

  /** Takes `bytes`. Errors: as ByteBudget; 'cancelled' for a chunk that arrives after `release`. */
  take(bytes: number): void {
    if (this.#isReleased) throw new AppError('cancelled', 'the request has ended');
    this.#budget.take(bytes);
    this.#taken += bytes;
  }

  /** Gives everything back. Idempotent. */
  release(): void {
    this.#budget.give(this.#taken);
    this.#taken = 0;
    this.#isReleased = true;
  }
}

export interface BodyLimits {
  readonly clock: Clock;
  readonly lease: ByteLease;
  readonly bytesMax: number;
  /** Longest time without a byte. */
  readonly stallMillisMax: number;
}

/**
 * Hands every chunk of `readable` to `take`; resolves at its end.
 *
 * Errors: TooLargeError; AppError 'resource-exhausted' when the lease is refused,
 * 'deadline-exceeded' on a stall, 'cancelled' when the caller disconnects; and what `take` throws.
 * After an error the rest of the body is read and dropped.
 */
export function drainBody(
  readable: Readable,
  limits: BodyLimits,
  take: (chunk: Uint8Array) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let total = 0;
    let isStalled = true;
    let timer: Timer | undefined;
    const settle = (error?: unknown): void => {
      timer?.cancel();
      readable.off('data', onData).off('end', onEnd).off('close', onClose);
      if (error === undefined) {
        resolve();
        return;
      }
      readable.resume();
      reject(error);
    };
    const onData = (chunk: Uint8Array): void => {
      isStalled = false;
      total += chunk.length;
      try {
        if (total > limits.bytesMax)
          throw new TooLargeError(`body is larger than max (${limits.bytesMax} bytes)`);
        limits.lease.take(chunk.length);
        take(chunk);
      } catch (error) {
        settle(error);
      }
    };
    const onEnd = (): void => settle();
    const onClose = (): void => settle(new AppError('cancelled', 'request was not sent whole'));
    const watch = (): void => {
      timer = limits.clock.setTimer(limits.stallMillisMax, () => {
        if (isStalled) {
          settle(new AppError('deadline-exceeded', 'cannot read request: no data in time'));
          return;
        }
        isStalled = true;
        watch();
      });
    };
    watch();
    readable.on('data', onData).once('end', onEnd).once('close', onClose);
    readable.on('error', () => undefined);
  });
}

/** Reads the whole body into one buffer. Errors: as drainBody. */
export async function readBody(readable: Readable, limits: BodyLimits): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  await drainBody(readable, limits, (chunk) => chunks.push(chunk));
  const [first] = chunks;
  if (chunks.length !== 1) return Buffer.concat(chunks);
  return Buffer.from(first.buffer, first.byteOffset, first.byteLength);
}

type Decompress = (
  bytes: Uint8Array,
  options: { readonly maxOutputLength: number },
) => Promise<Uint8Array>;

const decompressors: ReadonlyMap<string, Decompress> = new Map<string, Decompress>([
  ['gzip', gunzip],
  ['zstd', zstdDecompress],
]);

/**
 * Decompresses a message whose `encoding` is "identity", "gzip" or "zstd".
 *
 * Errors: TooLargeError when the result exceeds `bytesMax` (decompression stops there), AppError
 * 'invalid-argument' for broken data, 'unimplemented' for other encodings.
 */
export async function decodeMessage(
  bytes: Uint8Array,
  encoding: string,
  bytesMax: number,
): Promise<Uint8Array> {
  if (encoding === 'identity' || encoding === '') return bytes;
  const decompress = decompressors.get(encoding);
  if (decompress === undefined) {
    const known = ['identity', ...decompressors.keys()].join(', ');
    throw new AppError(
      'unimplemented',
      `cannot decompress message: encoding ${JSON.stringify(encoding)} is not one of ${known}`,
    );
  }
  try {
    return await decompress(bytes, { maxOutputLength: bytesMax });
  } catch (error) {
    if (error instanceof RangeError) {
      throw new TooLargeError(
        `received message larger than max (${bytesMax} after decompression)`,
        { cause: error },
      );
    }
    throw new AppError('invalid-argument', `cannot decompress message: ${errorMessage(error)}`, {
      cause: error,
    });
  }
}
