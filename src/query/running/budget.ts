// The limits of one query, and the resources that it has used so far.
import { AppError } from '../../base/errors.ts';
import { busyRetryMillis } from '../../base/limits.ts';
import type { QueryLimits } from '../interface.ts';

export const noLimits: QueryLimits = {
  rowsMax: 0,
  memoryBytesMax: 0,
  timeMillisMax: 0,
  namesMillisMax: 0,
};

/**
 * Returns, for each limit, the lower of the general and the requested limit; if none is requested,
 * the general limit. The wait for names is always as requested, because it delays no other caller.
 */
export function lowerLimits(limits: QueryLimits, asked: Partial<QueryLimits>): QueryLimits {
  const lower = (a: number, b: number): number => (a === 0 || b === 0 ? a + b : Math.min(a, b));
  return {
    rowsMax: lower(limits.rowsMax, asked.rowsMax ?? 0),
    memoryBytesMax: lower(limits.memoryBytesMax, asked.memoryBytesMax ?? 0),
    timeMillisMax: lower(limits.timeMillisMax, asked.timeMillisMax ?? 0),
    namesMillisMax: asked.namesMillisMax ?? limits.namesMillisMax,
  };
}

const advice = 'narrow the time range, or add a label to the query';

/** Memory that all queries use together. */
export interface QueryMemory {
  bytes: number;
  readonly bytesMax: number;
}

/** Counts what a query uses, and ends the query when it reaches a limit. */
export class QueryBudget {
  /** Number of rows selected, and number of rows summed. */
  rowsSelected = 0;
  rowsDone = 0;
  /** Bytes in use now. */
  bytesHeld = 0;
  readonly #limits: QueryLimits;
  readonly #all: QueryMemory;

  constructor(limits: QueryLimits, all: QueryMemory = { bytes: 0, bytesMax: Infinity }) {
    this.#limits = limits;
    this.#all = all;
  }

  /**
   * Counts selected rows before any of them is read.
   *
   * Errors: AppError 'resource-exhausted'.
   */
  selectRows(rows: number): void {
    this.rowsSelected += rows;
    const { rowsMax } = this.#limits;
    if (rowsMax === 0 || this.rowsSelected <= rowsMax) return;
    throw new AppError(
      'resource-exhausted',
      `cannot answer query: it selects ${this.rowsSelected} rows, and the limit is ${rowsMax} ` +
        `(--query-max-rows, or the request's own): ${advice}`,
      { limit: 'query-max-rows' },
    );
  }

  /**
   * Counts memory that the query uses until `release`. A query may use as much memory as it leaves
   * for others: a single query gets half of the total, and two queries get a third each.
   *
   * Errors: AppError 'resource-exhausted'.
   */
  hold(bytes: number): void {
    this.bytesHeld += bytes;
    this.#all.bytes += bytes;
    this.#checkAll();
    const { memoryBytesMax } = this.#limits;
    if (memoryBytesMax === 0 || this.bytesHeld <= memoryBytesMax) return;
    throw new AppError(
      'resource-exhausted',
      `cannot answer query: it needs ${this.bytesHeld} bytes of memory or more, and the limit is ` +
        `${memoryBytesMax} (--query-max-memory, or the request's own): ${advice}`,
      { limit: 'query-max-memory' },
    );
  }

  #checkAll(): void {
    const { bytes, bytesMax } = this.#all;
    if (this.bytesHeld <= bytesMax - bytes) return;
    throw new AppError(
      'resource-exhausted',
      `cannot answer query: it needs ${this.bytesHeld} bytes of memory or more, and all queries ` +
        `hold ${bytes} of ${bytesMax} (half of --memory-limit): ask again later, or ${advice}`,
      { limit: 'memory-limit', retryAfterMillis: busyRetryMillis },
    );
  }

  release(bytes: number): void {
    this.bytesHeld -= bytes;
    this.#all.bytes -= bytes;
  }

  /**
   * Sets the row count back to 0 and the memory in use back to `bytesHeld`, because the query will
   * be merged in another way.
   */
  startAgain(bytesHeld: number): void {
    this.rowsSelected = 0;
    this.rowsDone = 0;
    this.release(this.bytesHeld - bytesHeld);
  }

  /** Returns the error for a query that has run out of time. */
  outOfTime(): AppError {
    const { rowsDone, rowsSelected } = this;
    const limits = this.#limits;
    const done =
      rowsSelected === 0
        ? 'nothing was read yet'
        : `${rowsDone} of ${rowsSelected} rows were summed`;
    return new AppError(
      'deadline-exceeded',
      `cannot answer query: it takes longer than ${limits.timeMillisMax} ms (--query-timeout, or ` +
        `the request's own), ${done}: ${advice}`,
      { limit: 'query-timeout' },
    );
  }
}
