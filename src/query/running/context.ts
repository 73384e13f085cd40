// The context of a query in the engine: its caller, limits and progress.
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { querySliceMillis } from '../../base/limits.ts';
import { Pacer } from '../../base/pacer.ts';
import { untilAborted } from '../../base/until-aborted.ts';
import { noLimits, QueryBudget, type QueryMemory } from './budget.ts';
import type { QueryCaller, QueryLimits } from '../interface.ts';
import type { RecordingQuerier } from './recording-querier.ts';

/** The turn of a query, which it gives up while it waits for something other than CPU time. */
export interface Turn {
  end(): void;
  /** Waits for the next turn. Errors: as in FairQueue.take. */
  take(): Promise<void>;
}

/** A caller whose answer may be reused for other callers. */
export interface RecordedCaller extends QueryCaller {
  /**
   * Querier to use instead of the store. It records the data that the answer is computed from.
   */
  readonly recorder?: RecordingQuerier;
}

/** One running query; all of its steps share this object. */
export class QueryContext {
  readonly signal: AbortSignal;
  /** Id of the caller, for a fair order of reports. */
  readonly caller: string;
  readonly budget: QueryBudget;
  /** Querier to use instead of the store, if set. */
  readonly recorder: RecordingQuerier | undefined;
  /** Turn of the query; undefined while the query has no turn. */
  turn: Turn | undefined;
  readonly #pacer: Pacer | undefined;
  readonly #clock: Clock | undefined;
  /** Milliseconds that the query may still wait for names. */
  #namesMillisLeft: number;

  /** Without a clock, the query never pauses. */
  constructor(
    { signal, caller = '', recorder }: RecordedCaller,
    limits: QueryLimits = noLimits,
    clock?: Clock,
    memory?: QueryMemory,
  ) {
    this.#clock = clock;
    this.#namesMillisLeft = limits.namesMillisMax;
    this.#pacer = clock && new Pacer(clock, querySliceMillis);
    this.signal = signal;
    this.caller = caller;
    this.recorder = recorder;
    this.budget = new QueryBudget(limits, memory);
  }

  /**
   * Pauses if the query has blocked the event loop for too long; otherwise returns undefined. Long
   * work must call this often.
   *
   * Errors: as in throwIfAborted.
   */
  pause(): Promise<void> | undefined {
    const pausing = this.#pacer?.pause();
    if (pausing === undefined) return undefined;
    return pausing.then(() => this.throwIfAborted());
  }

  /**
   * Waits for names that are being looked up, within the time limit of the query. Other queries run
   * in the meantime. Returns false if some names are still missing.
   *
   * Errors: as in throwIfAborted and Turn.take.
   */
  async awaitNames(coming: (signal: AbortSignal) => Promise<void>): Promise<boolean> {
    const clock = this.#clock;
    if (clock === undefined || this.#namesMillisLeft <= 0) return false;
    const ending = new AbortController();
    const late = Promise.withResolvers<false>();
    const timer = clock.setTimer(this.#namesMillisLeft, () => late.resolve(false));
    const start = clock.monotonicMillis();
    const { turn } = this;
    this.turn = undefined;
    turn?.end();
    try {
      const all = coming(ending.signal).then(() => true);
      return await untilAborted(Promise.race([all, late.promise]), this.signal, abortError);
    } finally {
      timer.cancel();
      ending.abort();
      this.#namesMillisLeft -= clock.monotonicMillis() - start;
      // `take` sets the next turn.
      if (turn !== undefined && !this.signal.aborted) await turn.take();
    }
  }

  /** Throws an AppError, such as 'cancelled', if the answer is no longer wanted. */
  throwIfAborted(): void {
    if (this.signal.aborted) throw abortError(this.signal);
  }
}

/** Returns the reason why a signal was aborted. */
export function abortError(signal: AbortSignal): AppError {
  const { reason }: { reason: unknown } = signal;
  if (reason instanceof AppError) return reason;
  return new AppError('cancelled', 'cannot answer query: it was cancelled');
}
