// Turns for lists of targets: one is written at a time, in slices, and its callers take turns.
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { FairQueue } from '../../base/fair-queue.ts';
import { targetListsWaitingMax } from '../../base/limits.ts';
import { finishPausing, Pacer, type Steps } from '../../base/pacer.ts';
import type { CallContext } from './method.ts';

/** Milliseconds that a list takes, about, until one was measured. */
const listMillisUsual = 50;

/** A queue of lists, each of which may be as long as the config has targets. */
export class ListTurns {
  readonly #clock: Clock;
  readonly #queue: FairQueue;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#queue = new FairQueue({
      clock,
      limits: {
        runningMax: 1,
        reserved: 0,
        waitingMax: targetListsWaitingMax,
        waitingSizeMax: Infinity,
      },
      millisPerSize: listMillisUsual,
      refuse: ({ waitingCount, retryAfterMillis }) =>
        new AppError(
          'resource-exhausted',
          `cannot list targets: ${waitingCount} lists wait, the limit is ${targetListsWaitingMax}`,
          { retryAfterMillis },
        ),
    });
  }

  /**
   * Does the steps when it is the caller's turn, with time for other requests between them.
   *
   * Errors: those of the steps; AppError 'resource-exhausted' if too many lists wait; the reason
   * why the signal of the call was aborted.
   */
  async write<T>({ caller, signal }: CallContext, steps: () => Steps<T>): Promise<T> {
    const turn = await this.#queue.take(caller, 1, signal);
    const started = this.#clock.monotonicMillis();
    try {
      const pacer = new Pacer(this.#clock);
      const pause = async (pausing: Promise<void>): Promise<void> => {
        await pausing;
        signal.throwIfAborted();
      };
      return await finishPausing(steps(), {
        pause: () => {
          const pausing = pacer.pause();
          return pausing && pause(pausing);
        },
      });
    } finally {
      turn.end(this.#clock.monotonicMillis() - started);
    }
  }
}
