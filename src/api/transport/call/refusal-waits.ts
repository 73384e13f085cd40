// Waits before the refusals of a caller that was refused often.
//
// A client in a loop asks again when it has its answer. With refusals at once, 200 connections
// asked 3,500 times a second, on the thread that answers everybody. With a wait, each of them asks
// once a second. A client that waits as it is told never gets here.
import type { Clock } from '../../../base/clock.ts';
import { AppError } from '../../../base/errors.ts';
import { LeastRecent } from '../../../base/least-recent.ts';
import type { Counter, Metrics } from '../../../base/metrics.ts';
import {
  callersCountedMax,
  refusalsPerSecond,
  refusalsWaitingMax,
  refusalWaitMillis,
} from '../../limits.ts';

/** Refusals of a caller that were answered at once; they are forgotten at a constant rate. */
interface Refused {
  count: number;
  forgottenMillis: number;
}

/** An answer: of HTTP, or a stream of HTTP/2. */
interface Answer {
  once(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
  readonly destroyed: boolean;
  readonly headersSent: boolean;
}

/** Makes callers wait for refusals. */
export class RefusalWaits {
  readonly #clock: Clock;
  readonly #delayed: Counter;
  readonly #refused = new LeastRecent<Refused>(callersCountedMax, () => 1);
  #waiting = 0;

  constructor(clock: Clock, metrics: Metrics) {
    this.#clock = clock;
    this.#delayed = metrics.counter(
      'parca_refusals_delayed_total',
      'Refusals that waited for a second, because their caller had many of them.',
    );
    metrics.observedGauge('parca_refusals_waiting', 'Refusals that wait.', () => this.#waiting);
  }

  /**
   * Returns a promise that resolves when an error is to be sent, or when the answer is closed;
   * undefined if it is to be sent at once: errors that do not say when to retry, and those of
   * callers with few of them.
   */
  before(error: unknown, caller: string, answer: Answer): Promise<void> | undefined {
    if (!(error instanceof AppError) || error.retryAfterMillis === undefined) return undefined;
    if (answer.destroyed || answer.headersSent) return undefined;
    if (this.#isFew(caller) || this.#waiting >= refusalsWaitingMax) return undefined;
    this.#waiting += 1;
    this.#delayed.add();
    return new Promise((resolve) => {
      const end = (): void => {
        timer.cancel();
        answer.off('close', end);
        this.#waiting -= 1;
        resolve();
      };
      const timer = this.#clock.setTimer(refusalWaitMillis, end);
      answer.once('close', end);
    });
  }

  /** Counts a refusal; returns true if its caller has few of them. */
  #isFew(caller: string): boolean {
    const now = this.#clock.monotonicMillis();
    const refused = this.#refused.get(caller) ?? { count: 0, forgottenMillis: now };
    const forgotten = ((now - refused.forgottenMillis) / 1_000) * refusalsPerSecond;
    refused.count = Math.max(0, refused.count - forgotten);
    refused.forgottenMillis = now;
    this.#refused.put(caller, refused);
    if (refused.count >= refusalsPerSecond) return false;
    refused.count += 1;
    return true;
  }
}
