// The running queries: each with its turn, its time, and a way to cancel it.
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { FairQueue, type Refusal } from '../../base/fair-queue.ts';
import { queriesWaitingMax, queryMillisUsual } from '../limits.ts';
import type { Metrics } from '../../base/metrics.ts';
import { lowerLimits, noLimits, type QueryMemory } from './budget.ts';
import { untilAborted } from '../../base/until-aborted.ts';
import { abortError, QueryContext, type RecordedCaller } from './context.ts';
import type { QueryCaller, QueryControl, QueryLimits, RunningQuery } from '../interface.ts';

/** Limits of all queries together, and of each query. */
export interface RunLimits extends QueryLimits {
  /** Maximum number of queries that run at the same time; 0 = no limit. */
  readonly runningMax: number;
  /** Approximate number of bytes that all queries together may use. */
  readonly memoryBytesInAllMax: number;
  /** Maximum number of queries of one caller that may run at the same time; 0 = no limit. */
  readonly runningOfCallerMax?: (caller: string) => number;
}

export const noRunLimits: RunLimits = {
  ...noLimits,
  runningMax: 0,
  memoryBytesInAllMax: Infinity,
};

/** Kind and query string, as the list of queries shows them. */
export type QueryName = Pick<RunningQuery, 'kind' | 'text'>;

interface Entry extends QueryName {
  readonly tags: readonly string[];
  readonly caller: string;
  readonly startedMillis: number;
  readonly monotonicMillis: number;
  readonly context: QueryContext;
  readonly controller: AbortController;
  isWaiting: boolean;
}

/** Runs queries within their limits. */
export class RunningQueries implements QueryControl {
  readonly #clock: Clock;
  readonly #limits: RunLimits;
  readonly #queue: FairQueue;
  readonly #memory: QueryMemory;
  readonly #entries = new Map<string, Entry>();
  #lastId = 0;

  constructor(clock: Clock, metrics: Metrics, limits: RunLimits) {
    this.#clock = clock;
    this.#limits = limits;
    this.#memory = { bytes: 0, bytesMax: limits.memoryBytesInAllMax };
    const { runningMax, runningOfCallerMax = () => 0 } = limits;
    this.#queue = new FairQueue({
      clock,
      limits: {
        runningMax,
        reserved: Math.floor(runningMax / 4),
        waitingMax: queriesWaitingMax,
        waitingSizeMax: Infinity,
        runningOfCallerMax,
      },
      millisPerSize: queryMillisUsual,
      refuse: (refusal) => tooMany(refusal, runningMax),
    });
    const queue = this.#queue;
    const gauge = (name: string, help: string, read: () => number): void =>
      metrics.observedGauge(`parca_queries_${name}`, help, read);
    gauge('running', 'Queries that are being answered.', () => queue.runningCount);
    gauge('memory_bytes', 'Memory that queries hold, about.', () => this.#memory.bytes);
    gauge('waiting', 'Queries that wait for their turn.', () => queue.waitingCount);
  }

  /** Returns the queries, oldest first. */
  list(): RunningQuery[] {
    const now = this.#clock.monotonicMillis();
    return [...this.#entries].map(([id, entry]) => {
      const { kind, text, tags, isWaiting, startedMillis, monotonicMillis, context } = entry;
      const { rowsSelected, rowsDone, bytesHeld } = context.budget;
      return {
        id,
        kind,
        text,
        isWaiting,
        startedMillis,
        rowsSelected,
        rowsDone,
        caller: entry.caller,
        tags: [...tags],
        ageMillis: now - monotonicMillis,
        memoryBytes: bytesHeld,
      };
    });
  }

  /** Cancels a query; returns false if there is no query with this id. */
  cancel(id: string): boolean {
    const entry = this.#entries.get(id);
    entry?.controller.abort(
      new AppError('cancelled', `cannot answer query: it was cancelled by its id, ${id}`),
    );
    return entry !== undefined;
  }

  /**
   * Calls `answer` when it is the query's turn. Settles like `answer`, or as soon as the query is
   * cancelled. The turn ends when `answer` has settled.
   *
   * Errors: as in `answer`; AppError 'cancelled', 'deadline-exceeded', 'resource-exhausted'.
   */
  async run<T>(
    name: QueryName,
    caller: RecordedCaller,
    answer: (context: QueryContext) => Promise<T>,
  ): Promise<T> {
    if (caller.signal.aborted) throw abortError(caller.signal);
    const controller = new AbortController();
    const { signal } = controller;
    const limits = lowerLimits(this.#limits, caller.limits ?? {});
    const context = new QueryContext({ ...caller, signal }, limits, this.#clock, this.#memory);
    const { timeMillisMax } = limits;
    const timer =
      timeMillisMax === 0
        ? undefined
        : this.#clock.setTimer(timeMillisMax, () => controller.abort(context.budget.outOfTime()));
    const onAbort = (): void => controller.abort(abortError(caller.signal));
    caller.signal.addEventListener('abort', onAbort, { once: true });
    const work = this.#takeTurn(name, caller, context, controller, answer);
    try {
      return await untilAborted(work, signal, abortError);
    } finally {
      timer?.cancel();
      caller.signal.removeEventListener('abort', onAbort);
    }
  }

  async #takeTurn<T>(
    name: QueryName,
    { caller = '', tags = [] }: QueryCaller,
    context: QueryContext,
    controller: AbortController,
    answer: (context: QueryContext) => Promise<T>,
  ): Promise<T> {
    const clock = this.#clock;
    this.#lastId += 1;
    const id = String(this.#lastId);
    const entry: Entry = {
      ...name,
      tags,
      caller,
      context,
      controller,
      isWaiting: true,
      startedMillis: clock.nowMillis(),
      monotonicMillis: clock.monotonicMillis(),
    };
    this.#entries.set(id, entry);
    try {
      const take = async (): Promise<void> => {
        entry.isWaiting = true;
        const turn = await this.#queue.take(caller, 1, context.signal);
        entry.isWaiting = false;
        const startMillis = clock.monotonicMillis();
        const end = (): void => turn.end(clock.monotonicMillis() - startMillis);
        context.turn = { end, take };
      };
      await take();
      try {
        return await answer(context);
      } finally {
        context.turn?.end();
        context.budget.release(context.budget.bytesHeld);
      }
    } finally {
      this.#entries.delete(id);
    }
  }
}

function tooMany({ waitingCount, retryAfterMillis }: Refusal, runningMax: number): AppError {
  return new AppError(
    'resource-exhausted',
    `cannot answer query: ${runningMax} queries are running (--query-concurrency) and ` +
      `${waitingCount - 1} are waiting, most of them yours; ask again later`,
    { retryAfterMillis, limit: 'query-concurrency' },
  );
}
