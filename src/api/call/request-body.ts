// Reading a whole request body: counted while it streams, refused when it stalls.
import type { Readable } from 'node:stream';
import type { Clock, Timer } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { ByteLease } from './byte-budget.ts';
import { TooLargeError } from './too-large-error.ts';

export interface BodyLimits {
  readonly clock: Clock;
  readonly lease: ByteLease;
  readonly bytesMax: number;
  /** The longest time without a byte. */
  readonly stallMillisMax: number;
}

/**
 * Hands every chunk of `readable` to `take`; resolves at its end.
 *
 * Errors: TooLargeError; AppError 'resource-exhausted' when the lease is refused,
 * 'deadline-exceeded' on a stall, 'cancelled' when the other end goes away; and what `take` throws.
 * After an error the rest of the body is thrown away as it comes.
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

/** The whole body in one piece. Errors: as drainBody. */
export async function readBody(readable: Readable, limits: BodyLimits): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  await drainBody(readable, limits, (chunk) => chunks.push(chunk));
  const [first] = chunks;
  if (chunks.length !== 1) return Buffer.concat(chunks);
  return Buffer.from(first.buffer, first.byteOffset, first.byteLength);
}
