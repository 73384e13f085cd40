// Turns for long answers about targets: two answers are made at a time, for two callers, in slices,
// and callers take turns.
import type { Readable } from 'node:stream';
import type { Clock } from '../../../base/clock.ts';
import { AppError } from '../../../base/errors.ts';
import { FairQueue } from '../../../base/fair-queue.ts';
import { targetAnswersWaitingMax } from '../../limits.ts';
import { finishPausing, Pacer, type Steps } from '../../../base/pacer.ts';
import { streamText, type TextSteps } from './answer-stream.ts';
import type { CallContext } from './method.ts';

/** Estimated milliseconds of an answer until one has been measured. */
const answerMillisUsual = 50;

/** A queue of long answers: lists of all targets of the config, and tests of relabeling. */
export class TargetTurns {
  readonly #clock: Clock;
  readonly #queue: FairQueue;

  /** `what` names the request of a refused caller in the error message. */
  constructor(clock: Clock, what: 'list targets' | 'test relabeling') {
    this.#clock = clock;
    this.#queue = new FairQueue({
      clock,
      limits: {
        runningMax: 2,
        reserved: 1,
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
   * Runs the steps when it is the caller's turn, with time for other requests between them.
   *
   * Errors: errors of the steps; AppError 'resource-exhausted' if too many requests wait; the
   * reason why the signal of the call was aborted.
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

  /**
   * Returns a stream that produces the text while it is read, after the caller's turn has come. It
   * must be read or destroyed. The first part is made before this returns.
   *
   * Errors: as in `run`.
   */
  async stream({ caller, signal }: CallContext, open: () => TextSteps): Promise<Readable> {
    const turn = await this.#queue.take(caller, 1, signal);
    try {
      const steps = open();
      const first = steps.next();
      return streamText(this.#clock, resumed(first, steps), signal, turn);
    } catch (error) {
      turn.end(0);
      throw error;
    }
  }
}

/** Returns steps that begin with a first step that was already made. */
function* resumed(first: IteratorResult<string, void>, rest: TextSteps): TextSteps {
  if (first.done === true) return;
  yield first.value;
  yield* rest;
}
