// What goes along with a question through the engine: who asks, what it may cost, how far it is.
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { querySliceMillis } from '../../base/limits.ts';
import { Pacer } from '../../base/pacer.ts';
import { noLimits, QueryBudget } from './budget.ts';
import type { QueryCaller, QueryLimits } from '../interface.ts';
import type { RecordingQuerier } from '../kept/recording-querier.ts';

/** One query under way; every step of it is given this one object. */
export class QueryContext {
  readonly signal: AbortSignal;
  readonly budget: QueryBudget;
  /** Asked instead of the store where it is set. */
  readonly reads: RecordingQuerier | undefined;
  readonly #pacer: Pacer | undefined;

  /** Without a clock it never pauses. */
  constructor({ signal, reads }: QueryCaller, limits: QueryLimits = noLimits, clock?: Clock) {
    this.#pacer = clock && new Pacer(clock, querySliceMillis);
    this.signal = signal;
    this.reads = reads;
    this.budget = new QueryBudget(limits);
  }

  /**
   * To be called often in long work: lets everything else run when the query has held the event
   * loop for long; undefined while it has not.
   *
   * Errors: as throwIfAborted.
   */
  pause(): Promise<void> | undefined {
    const pausing = this.#pacer?.pause();
    if (pausing === undefined) return undefined;
    return pausing.then(() => this.throwIfAborted());
  }

  /** Errors: AppError 'cancelled', or why else the answer is not wanted any more. */
  throwIfAborted(): void {
    if (this.signal.aborted) throw abortError(this.signal);
  }
}

/** Settles as `work` does, or rejects as soon as the signal is aborted. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(abortError(signal));
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Why a signal was aborted. */
export function abortError(signal: AbortSignal): AppError {
  const { reason }: { reason: unknown } = signal;
  if (reason instanceof AppError) return reason;
  return new AppError('cancelled', 'cannot answer query: it was cancelled');
}
