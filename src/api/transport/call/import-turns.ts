// Turns for small files that are imported on the main thread: each takes up to 20 ms of it.
import type { Clock } from '../../../base/clock.ts';
import { AppError } from '../../../base/errors.ts';
import { FairQueue } from '../../../base/fair-queue.ts';
import { importByteMillis } from '../../../base/limits.ts';
import { importHereBytesMax, importsHereWaitingMax } from '../../limits.ts';
import type { CallContext } from './method.ts';

/**
 * Imports one file at a time; callers take turns. After each file, the thread does other work for
 * as long as the file took, so imports take at most half of its time.
 */
export class ImportTurns {
  readonly #clock: Clock;
  readonly #queue: FairQueue;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#queue = new FairQueue({
      clock,
      limits: {
        runningMax: 1,
        reserved: 0,
        waitingMax: importsHereWaitingMax,
        waitingSizeMax: Infinity,
      },
      millisPerSize: importByteMillis,
      refuse: ({ waitingCount, retryAfterMillis }) => {
        const why = `${waitingCount} files wait, most of them yours`;
        return new AppError('resource-exhausted', `cannot read profile: ${why}`, {
          retryAfterMillis,
        });
      },
    });
  }

  /**
   * Calls `work`, which reads `bytes` bytes, when the caller's turn comes; tiny work is done at
   * once.
   *
   * Errors: those of `work`; AppError 'resource-exhausted' if too many files wait; the reason why
   * the signal was aborted.
   */
  async run<T>(
    { caller, signal }: Pick<CallContext, 'caller' | 'signal'>,
    bytes: number,
    work: () => T,
  ): Promise<T> {
    if (bytes <= importHereBytesMax) return work();
    const turn = await this.#queue.take(caller, bytes, signal);
    const start = this.#clock.monotonicMillis();
    try {
      return work();
    } finally {
      const spentMillis = this.#clock.monotonicMillis() - start;
      this.#clock.setTimer(spentMillis, () => turn.end(spentMillis), true);
    }
  }
}
