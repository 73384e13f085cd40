// What goes along with a question through the engine: who asks, and whether it is still wanted.
import { AppError } from '../base/errors.ts';

/** Who asks. */
export interface QueryCaller {
  /** Aborted when the answer is not wanted any more; an AppError as its reason says why. */
  readonly signal: AbortSignal;
}

/** One query under way; every step of it is given this one object. */
export class QueryContext {
  readonly signal: AbortSignal;

  constructor({ signal }: QueryCaller) {
    this.signal = signal;
  }

  /** Errors: AppError 'cancelled', or why else the answer is not wanted any more. */
  throwIfAborted(): void {
    const { signal } = this;
    if (!signal.aborted) return;
    const { reason }: { reason: unknown } = signal;
    if (reason instanceof AppError) throw reason;
    throw new AppError('cancelled', 'cannot answer query: it was cancelled');
  }
}
