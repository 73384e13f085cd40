// What goes along with a question through the engine: who asks, what it may cost, how far it is.
import { AppError } from '../base/errors.ts';
import { noLimits, QueryBudget } from './budget.ts';
import type { QueryCaller, QueryLimits } from './interface.ts';
import type { RecordingQuerier } from './reads.ts';

/** One query under way; every step of it is given this one object. */
export class QueryContext {
  readonly signal: AbortSignal;
  readonly budget: QueryBudget;
  /** Asked instead of the store where it is set. */
  readonly reads: RecordingQuerier | undefined;

  constructor({ signal, reads }: QueryCaller, limits: QueryLimits = noLimits) {
    this.signal = signal;
    this.reads = reads;
    this.budget = new QueryBudget(limits);
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
