// Makes callers that were refused often wait for further refusals.
//
// A client in a loop sends its next request as soon as it has an answer. When refusals were sent
// immediately, 200 connections sent 3,500 requests a second, all handled by the main thread. With a
// wait, each connection sends one request a second. A client that waits as long as a refusal tells
// it to is never delayed here. Callers without credentials, or with wrong credentials, are not told
// how long to wait; they are delayed like the others.
import type { Clock } from '../../../base/clock.ts';
import { AppError, type ErrorCode } from '../../../base/errors.ts';
import { LeastRecent } from '../../../base/least-recent.ts';
import type { Counter, Metrics } from '../../../base/metrics.ts';
import { networkOf } from '../../../base/network.ts';
import {
  callersCountedMax,
  refusalsOfNetworkPerSecond,
  refusalsPerSecond,
  refusalsWaitingMax,
  refusalWaitMillis,
} from '../../limits.ts';

/** Number of refusals of a caller that were sent immediately. It decreases at a constant rate. */
interface Refused {
  count: number;
  forgottenMillis: number;
}

/** A response of HTTP/1.1, or a stream of HTTP/2. */
interface Answer {
  once(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
  readonly destroyed: boolean;
  readonly headersSent: boolean;
}

/** Error codes for callers that are not let in, either by the gate or later. */
const accessErrors: ReadonlySet<ErrorCode> = new Set(['unauthenticated', 'permission-denied']);

/** Delays refusals of callers that were refused often. */
export class RefusalWaits {
  readonly #clock: Clock;
  readonly #delayed: Counter;
  readonly #callers = new LeastRecent<Refused>(callersCountedMax, () => 1);
  readonly #networks = new LeastRecent<Refused>(callersCountedMax, () => 1);
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
   * Returns a promise that resolves when an error may be sent, or when the answer is closed. It is
   * undefined if the error may be sent immediately: either the error is not a refusal, or the
   * caller and its network have had few refusals.
   */
  before(error: unknown, caller: string, answer: Answer): Promise<void> | undefined {
    if (!(error instanceof AppError)) return undefined;
    if (error.retryAfterMillis === undefined && !accessErrors.has(error.code)) return undefined;
    if (answer.destroyed || answer.headersSent) return undefined;
    const isFew = this.#isFew(this.#callers, caller, refusalsPerSecond);
    const areFew = this.#isFew(this.#networks, networkOf(caller), refusalsOfNetworkPerSecond);
    if ((isFew && areFew) || this.#waiting >= refusalsWaitingMax) return undefined;
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

  /**
   * Counts a refusal; returns true if `name`, which is a caller or a network, has had few refusals.
   */
  #isFew(all: LeastRecent<Refused>, name: string, perSecond: number): boolean {
    const now = this.#clock.monotonicMillis();
    const refused = all.get(name) ?? { count: 0, forgottenMillis: now };
    const forgotten = ((now - refused.forgottenMillis) / 1_000) * perSecond;
    refused.count = Math.max(0, refused.count - forgotten);
    refused.forgottenMillis = now;
    all.put(name, refused);
    if (refused.count >= perSecond) return false;
    refused.count += 1;
    return true;
  }
}
