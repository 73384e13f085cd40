// What one query may cost, and what it has cost so far.
import { AppError } from '../../base/errors.ts';
import type { QueryLimits } from '../interface.ts';

export const noLimits: QueryLimits = { rowsMax: 0, memoryBytesMax: 0, timeMillisMax: 0 };

/** The lower limit of each kind; those that were not asked for stay. */
export function lowerLimits(limits: QueryLimits, asked: Partial<QueryLimits>): QueryLimits {
  const lower = (a: number, b: number): number => (a === 0 || b === 0 ? a + b : Math.min(a, b));
  return {
    rowsMax: lower(limits.rowsMax, asked.rowsMax ?? 0),
    memoryBytesMax: lower(limits.memoryBytesMax, asked.memoryBytesMax ?? 0),
    timeMillisMax: lower(limits.timeMillisMax, asked.timeMillisMax ?? 0),
  };
}

const advice = 'narrow the time range, or add a label to the query';

/** Counts what a query takes; past a limit it ends. */
export class QueryBudget {
  /** Rows selected, and how many of them are summed. */
  rowsSelected = 0;
  rowsDone = 0;
  /** Bytes held now. */
  bytesHeld = 0;
  readonly #limits: QueryLimits;

  constructor(limits: QueryLimits) {
    this.#limits = limits;
  }

  /**
   * Counts rows that were selected, before any is read.
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
    );
  }

  /**
   * Counts memory that the query holds from now on, until `release`.
   *
   * Errors: AppError 'resource-exhausted'.
   */
  hold(bytes: number): void {
    this.bytesHeld += bytes;
    const { memoryBytesMax } = this.#limits;
    if (memoryBytesMax === 0 || this.bytesHeld <= memoryBytesMax) return;
    throw new AppError(
      'resource-exhausted',
      `cannot answer query: it needs ${this.bytesHeld} bytes of memory or more, and the limit is ` +
        `${memoryBytesMax} (--query-max-memory, or the request's own): ${advice}`,
    );
  }

  release(bytes: number): void {
    this.bytesHeld -= bytes;
  }

  /** Forgets what was selected, and memory held beyond `bytesHeld`: it is merged another way. */
  startAgain(bytesHeld: number): void {
    this.rowsSelected = 0;
    this.rowsDone = 0;
    this.bytesHeld = bytesHeld;
  }

  /** Why a query ends that has taken longer than it may. */
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
    );
  }
}
