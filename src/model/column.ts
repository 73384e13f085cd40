// Typed arrays that grow: the columns of tables.
import { assert } from '../base/assert.ts';
import {
  type ColumnArray,
  type ColumnKind,
  type ColumnMemory,
  ownMemory,
} from './column-memory.ts';

/**
 * Returns `column` if it has space for `rows` elements, otherwise a copy whose length is doubled as
 * often as needed.
 */
export function grown<A extends ColumnArray>(column: A, rows: number): A {
  if (rows <= column.length) return column;
  let capacity = Math.max(16, column.length);
  while (capacity < rows) capacity *= 2;
  const bigger = new (column.constructor as new (length: number) => A)(capacity);
  (bigger as Uint8Array).set(column as Uint8Array);
  return bigger;
}

/** Maximum length of a column that is created before its number of rows is known. */
const firstRowsMax = 64;

/**
 * Like `grown`, for a column with `used` elements that needs `count` more. The first allocation
 * comes from `memory` and has no spare space, because clearing unused memory takes time.
 */
export function withCapacity<A extends ColumnArray>(
  column: A,
  used: number,
  count: number,
  memory: ColumnMemory = ownMemory,
): A {
  const rows = used + count;
  if (rows <= column.length || column.length > firstRowsMax) return grown(column, rows);
  const first = memory.take(column.constructor as ColumnKind<A>, rows);
  (first as Uint8Array).set(column as Uint8Array);
  return first;
}

/** Size up to which a column is copied in one step, in about half a millisecond. */
const copiedAtOnceBytes = 1 << 20;
/**
 * Number of elements of a larger column that are copied for each new element, so the copy is
 * complete before the column has grown by 1/32. If each call copied a fixed number of elements, a
 * slice that adds 4,096 rows would copy 64 MB.
 */
const copiedPerElement = 48;
/** Minimum number of elements to copy in one call, because copying fewer takes the same time. */
const copiedMin = 2_048;

/** The larger copy of a column that is nearly full. */
interface Growth {
  readonly next: ColumnArray;
  /** Number of settled elements when the growth began. */
  readonly from: number;
  copied: number;
}

const growths = new WeakMap<ColumnArray, Growth>();

/**
 * Like `grown`, without a long pause: a large column is copied in steps while its last 1/32 fills.
 * It is for columns that only grow: elements below `settled` never change again, and the caller
 * must next write the elements from `settled` to `rows`.
 */
export function grownInSteps<A extends ColumnArray>(column: A, rows: number, settled: number): A {
  const { length } = column;
  if (rows <= length - (length >>> 5)) return column;
  if (column.byteLength <= copiedAtOnceBytes) return grown(column, rows);
  let growth = growths.get(column);
  if (growth === undefined) {
    const constructor = column.constructor as new (length: number) => A;
    growth = { next: new constructor(length * 2), from: settled, copied: 0 };
    growths.set(column, growth);
  }
  const { next, from, copied } = growth;
  const isFull = rows > length;
  const end = isFull ? length : Math.min(settled, copiedPerElement * (rows - from));
  if (!isFull && end - copied < copiedMin) return column;
  if (end > copied) (next as Uint8Array).set(column.subarray(copied, end) as Uint8Array, copied);
  growth.copied = end;
  if (!isFull) return column;
  growths.delete(column);
  return grown(next as A, rows);
}

const segmentBits = 16;
const segmentRows = 1 << segmentBits;

/** A column of 32-bit numbers in segments, so that growing copies at most one segment. */
export class SegmentedColumn {
  readonly #segments: Uint32Array[] = [new Uint32Array(64)];

  /** Returns the number of a row, 0 until it is set. There must be space for the row. */
  get(row: number): number {
    return this.#segments[row >>> segmentBits][row & (segmentRows - 1)];
  }

  /** Sets the number of a row. There must be space for the row. */
  set(row: number, value: number): void {
    this.#segments[row >>> segmentBits][row & (segmentRows - 1)] = value;
  }

  /** Reserves space for `rows` rows. */
  reserve(rows: number): void {
    const segments = this.#segments;
    if (segments.length === 1) {
      segments[0] = grown(segments[0], Math.min(rows, segmentRows));
      if (rows <= segmentRows) return;
    }
    while (segments.length * segmentRows < rows) segments.push(new Uint32Array(segmentRows));
    assert(segments[0].length === segmentRows, 'the first of several segments is whole');
  }

  /** Memory used by the segments, in bytes. */
  get usedBytes(): number {
    const { length } = this.#segments;
    return length === 1 ? this.#segments[0].byteLength : 4 * length * segmentRows;
  }
}
