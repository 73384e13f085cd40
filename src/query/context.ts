// What goes along with a question through the engine: who asks, what it may cost, how far it is.
import { AppError } from '../base/errors.ts';
import { noLimits, QueryBudget } from './budget.ts';
import type { QueryCaller, QueryLimits } from './interface.ts';

/** One query under way; every step of it is given this one object. */
export class QueryContext {
  readonly signal: AbortSignal;
  readonly budget: QueryBudget;

  constructor({ signal }: Pick<QueryCaller, 'signal'>, limits: QueryLimits = noLimits) {
    this.signal = signal;
    this.budget = new QueryBudget(limits);
  }

  /** Errors: AppError 'cancelled', or why else the answer is not wanted any more. */
  throwIfAborted(): void {
    if (this.signal.aborted) throw abortError(this.signal);
  }
}

/** Why a signal was aborted. */
export function abortError(signal: AbortSignal): AppError {
  const { reason }: { reason: unknown } = signal;
  if (reason instanceof AppError) return reason;
  return new AppError('cancelled', 'cannot answer query: it was cancelled');
}
