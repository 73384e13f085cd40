// The sample times of a profile, by row: details that a sender may add to the sum of a row.
import { AppError } from '../../base/errors.ts';
import { floorTo } from '../../base/int64.ts';
import { sampleSpanMillisMax, sampleLeadMillisMax, sampleTimesMax } from '../limits.ts';

/**
 * Samples with known times, row by row.
 *
 * Shape: samples of row i are `start[i] .. start[i + 1]`, in order of time. A row may have none.
 */
export interface SampleTimes {
  /** First sample of each row; one element more than there are rows. */
  readonly start: Uint32Array;
  /** Time of each sample in whole milliseconds since 1970, rounded down. */
  readonly millis: Float64Array;
  /**
   * Value of each sample, by value column; undefined if each sample of a row has an equal share of
   * the row's value.
   */
  readonly values: readonly (BigInt64Array | undefined)[];
}

/** A range of time in whole milliseconds since 1970, both ends included. */
export interface MilliRange {
  readonly from: number;
  readonly to: number;
}

/** Returns the milliseconds that are completely within a range of nanoseconds. */
export function milliRange({
  from,
  to,
}: {
  readonly from: bigint;
  readonly to: bigint;
}): MilliRange {
  const milli = 1_000_000n;
  // Sample times are in milliseconds: each sample counts as taken at the start of its millisecond.
  return { from: Number(-floorTo(-from, milli) / milli), to: Number(floorTo(to, milli) / milli) };
}

/**
 * Returns true if sample times are kept for a profile: there are not too many, and they are in the
 * time range that queries search.
 */
export function areTimesKept(millis: Float64Array, timeNanos: bigint): boolean {
  if (millis.length === 0 || millis.length > sampleTimesMax) return false;
  const start = Number(timeNanos / 1_000_000n);
  let [first, last] = [millis[0], millis[0]];
  for (const milli of millis) {
    if (milli < first) first = milli;
    if (milli > last) last = milli;
  }
  return first >= 0 && start - first <= sampleLeadMillisMax && last - start <= sampleSpanMillisMax;
}

/** Returns the sample times of the rows `source`, in this order. */
export function reorderSampleTimes(times: SampleTimes, source: ArrayLike<number>): SampleTimes {
  const { start, millis, values } = times;
  const newStart = new Uint32Array(source.length + 1);
  for (let row = 0; row < source.length; row += 1) {
    const from = source[row];
    newStart[row + 1] = newStart[row] + start[from + 1] - start[from];
  }
  const count = newStart[source.length];
  const newMillis = new Float64Array(count);
  const newValues = values.map((column) => column && new BigInt64Array(count));
  for (let row = 0; row < source.length; row += 1) {
    const [from, to] = [start[source[row]], start[source[row] + 1]];
    newMillis.set(millis.subarray(from, to), newStart[row]);
    newValues.forEach((column, i) => {
      const own = values[i];
      if (own !== undefined) column?.set(own.subarray(from, to), newStart[row]);
    });
  }
  return { start: newStart, millis: newMillis, values: newValues };
}

/**
 * Returns the sum of each row's samples in a range, for value column `column`; `values` has the
 * values of the rows, starting at `valueStart`. Undefined if no sample is in the range.
 */
export function sumSamplesIn(
  times: SampleTimes,
  column: number,
  values: BigInt64Array,
  valueStart: number,
  { from, to }: MilliRange,
): BigInt64Array | undefined {
  const { start, millis } = times;
  const own = findColumn(times, column);
  const rowCount = start.length - 1;
  let sums: BigInt64Array | undefined;
  for (let row = 0; row < rowCount; row += 1) {
    const end = start[row + 1];
    let first = start[row];
    while (first < end && millis[first] < from) first += 1;
    let last = first;
    while (last < end && millis[last] <= to) last += 1;
    if (first === last) continue;
    sums ??= new BigInt64Array(rowCount);
    if (own === undefined) {
      // Shares are integers, as the encoder has checked.
      const share = values[valueStart + row] / BigInt(end - start[row]);
      sums[row] = share * BigInt(last - first);
    } else for (let i = first; i < last; i += 1) sums[row] += own[i];
  }
  return sums;
}

/** Calls `visit` with each sample in a range: its row, its time and its value of a column. */
export function visitSamplesIn(
  times: SampleTimes,
  column: number,
  values: BigInt64Array,
  valueStart: number,
  { from, to }: MilliRange,
  visit: (row: number, milli: number, value: bigint) => void,
): void {
  const { start, millis } = times;
  const own = findColumn(times, column);
  for (let row = 0; row + 1 < start.length; row += 1) {
    const count = start[row + 1] - start[row];
    if (count === 0) continue;
    const share = own === undefined ? values[valueStart + row] / BigInt(count) : 0n;
    for (let i = start[row]; i < start[row + 1]; i += 1) {
      if (millis[i] < from || millis[i] > to) continue;
      visit(row, millis[i], own === undefined ? share : own[i]);
    }
  }
}

function findColumn({ values }: SampleTimes, column: number): BigInt64Array | undefined {
  if (column < values.length) return values[column];
  throw new AppError('data-loss', `cannot read times of samples: they have no column ${column}`);
}
