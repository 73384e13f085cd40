// Attempts of a request to a bucket: how many there are, how long each may take, and the error
// after the last.
import { sleep, type Clock } from '../../base/clock.ts';
import { AppError, type ErrorCode } from '../../base/errors.ts';
import { randomBelow, type Random } from '../../base/random.ts';
import {
  objectReadAttemptsMax,
  objectReadMillisMax,
  objectWriteAttemptsMax,
  objectWriteMillisMax,
} from '../limits.ts';

/** Number of attempts of a request, and time limit of each attempt. */
export interface Patience {
  readonly attemptsMax: number;
  readonly attemptMillisMax: number;
}

/** Retry limits for reads and for writes. */
export interface Patiences {
  readonly reading: Patience;
  readonly writing: Patience;
}

/** Returns the configured patience; 0 = the default. */
export function patiences(attemptsMax = 0, attemptMillisMax = 0): Patiences {
  return {
    reading: {
      attemptsMax: attemptsMax || objectReadAttemptsMax,
      attemptMillisMax: attemptMillisMax || objectReadMillisMax,
    },
    writing: {
      attemptsMax: attemptsMax || objectWriteAttemptsMax,
      attemptMillisMax: attemptMillisMax || objectWriteMillisMax,
    },
  };
}

/** Error of an attempt that is worth repeating. */
export class TryAgain extends Error {
  readonly code: ErrorCode;
  constructor(code: ErrorCode, why: string, cause?: unknown) {
    super(why, { cause });
    this.code = code;
  }
}

interface AttemptOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly attemptsMax: number;
  /** Returns true if the client is closed; another attempt is then pointless. */
  isClosed(): boolean;
  /** Returns the error message after the last attempt. */
  sentence(why: string): string;
  /** Ends the pause between two attempts. */
  readonly signal?: AbortSignal | undefined;
}

const backoffMillis = 100;
const backoffMillisMax = 5_000;

/**
 * Calls `act` again as long as it throws TryAgain. Other errors of `act` are thrown immediately.
 */
export async function attempt<T>(options: AttemptOptions, act: () => Promise<T>): Promise<T> {
  const { clock, random, attemptsMax } = options;
  for (let count = 1; ; count += 1) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof TryAgain)) throw error;
      if (options.isClosed() || count >= attemptsMax) {
        const tries = count === 1 ? '' : ` (tried ${count} times)`;
        const message = options.sentence(`${error.message}${tries}`);
        throw new AppError(error.code, message, { cause: error.cause });
      }
      const pause = Math.min(backoffMillis * 2 ** count, backoffMillisMax);
      await sleep(clock, pause / 2 + randomBelow(random, pause), options.signal);
    }
  }
}
