// Turns for long answers about targets: one is made at a time, in slices, and callers take turns.
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { FairQueue } from '../../base/fair-queue.ts';
import { targetAnswersWaitingMax } from '../../base/limits.ts';
import { finishPausing, Pacer, type Steps } from '../../base/pacer.ts';
import type { CallContext } from './method.ts';

/** Milliseconds that an answer takes, about, until one was measured. */
const answerMillisUsual = 50;

/** A queue of lists of targets, as many as the config has, or of tests of relabeling. */
export class TargetTurns {
  readonly #clock: Clock;
  readonly #queue: FairQueue;

  /** `what` is what a refused caller cannot do. */
  constructor(clock: Clock, what: 'list targets' | 'test relabeling') {
    this.#clock = clock;
    this.#queue = new FairQueue({
      clock,
      limits: {
        runningMax: 1,
        reserved: 0,
        waitingMax: targetAnswersWaitingMax,
        waitingSizeMax: Infinity,
      },
      millisPerSize: answerMillisUsual,
      refuse: ({ waitingCount, retryAfterMillis }) =>
        new AppError(
          'resource-exhausted',
          `cannot ${what}: ${waitingCount} requests wait, the limit is ${targetAnswersWaitingMax}`,
          { retryAfterMillis },
        ),
    });
  }

  /**
   * Does the steps when it is the caller's turn, with time for other requests between them.
   *
   * Errors: those of the steps; AppError 'resource-exhausted' if too many requests wait; the reason
   * why the signal of the call was aborted.
   */
  async run<T>({ caller, signal }: CallContext, steps: () => Steps<T>): Promise<T> {
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
