// Turns for long answers about targets. Callers take turns; two answers, for two callers, are made
// at a time, in slices.
import type { Readable } from 'node:stream';
import type { Clock } from '../../../base/clock.ts';
import { AppError } from '../../../base/errors.ts';
import { FairQueue } from '../../../base/fair-queue.ts';
import { targetAnswersWaitingMax } from '../../limits.ts';
import { finishPausing, Pacer, type Steps } from '../../../base/pacer.ts';
import { streamText, type TextSteps } from './answer-stream.ts';
import type { CallContext } from './method.ts';

/** Estimated duration of an answer in milliseconds, used until one has been measured. */
const answerMillisUsual = 50;

/** A queue for long answers: lists of all targets, and tests of relabeling. */
export class TargetTurns {
  readonly #clock: Clock;
  readonly #queue: FairQueue;

  /** `what` is the refused action in error messages. */
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
   * Runs the steps when it is the caller's turn. Other requests may run between two steps.
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

  /**
   * Waits for the caller's turn, makes the first part of the text, and returns a stream that makes
   * the rest while it is read. The caller must read or destroy the stream.
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

/** Returns steps that begin with `first`, which has already been made. */
function* resumed(first: IteratorResult<string, void>, rest: TextSteps): TextSteps {
  if (first.done === true) return;
  yield first.value;
  yield* rest;
}
