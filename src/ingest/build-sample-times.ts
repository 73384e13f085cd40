// Converts the times of samples, as they were sent, to the times of a profile's rows.
import type { SampleOffsets } from '../formats/pprof/sample-offsets.ts';
import { encodeSampleTimes } from '../model/profiles/sample-times-codec.ts';
import { areTimesKept, type SampleTimes } from '../model/profiles/sample-times.ts';
import { sampleTimesMax } from '../model/limits.ts';
import type { IncomingProfile } from '../storage/interface.ts';

/**
 * The sample times of a profile, or the reason why they are lost. Both are undefined if no times
 * were sent.
 */
export type BuiltTimes = Pick<IncomingProfile, 'sampleTimes' | 'lostTimes'>;

/** Samples of a decoded message, and the rows into which they were combined. */
interface CombinedRows {
  readonly offsets: SampleOffsets;
  /** Values of all samples, each with `sampleTypeCount` values. */
  readonly values: BigInt64Array;
  readonly sampleTypeCount: number;
  readonly rowCount: number;
  /** Values of the rows: a column for each kept sample type. */
  readonly rowValues: readonly BigInt64Array[];
  /** Returns the row of a sample; -1 for a sample without a value. */
  rowOf(sample: number): number;
}

/**
 * Returns the sample times of a profile whose own time is `timeNanos`. `kept` has the numbers of
 * the kept sample types.
 */
export function buildSampleTimes(
  rows: CombinedRows,
  kept: readonly number[],
  timeNanos: bigint,
): BuiltTimes {
  const { offsets, rowCount } = rows;
  if (offsets.areTooMany) return { lostTimes: 'limit' };
  if (offsets.count === 0) return {};
  const start = new Uint32Array(rowCount + 1);
  for (let i = 0; i < offsets.count; i += 1) {
    const row = rows.rowOf(offsets.sample[i]);
    if (row >= 0) start[row + 1] += offsets.offsetStart[i + 1] - offsets.offsetStart[i];
  }
  for (let row = 0; row < rowCount; row += 1) start[row + 1] += start[row];
  const millis = new Float64Array(start[rowCount]);
  const values = kept.map(() => new BigInt64Array(millis.length));
  const next = start.slice();
  const baseMilli = Number(timeNanos / 1_000_000n);
  const baseNanos = Number(timeNanos % 1_000_000n);
  for (let i = 0; i < offsets.count; i += 1) {
    const row = rows.rowOf(offsets.sample[i]);
    if (row < 0) continue;
    const from = next[row];
    for (let at = offsets.offsetStart[i]; at < offsets.offsetStart[i + 1]; at += 1) {
      millis[next[row]] = baseMilli + Math.floor((baseNanos + offsets.offsets[at]) / 1e6);
      next[row] += 1;
    }
    kept.forEach((type, column) => fillValues(rows, i, type, values[column], from));
  }
  return encodeTimes({ start, millis, values }, rows.rowValues.slice(0, kept.length), timeNanos);
}

function encodeTimes(
  times: Pick<SampleTimes, 'start' | 'millis'> & { readonly values: readonly BigInt64Array[] },
  rowValues: readonly BigInt64Array[],
  timeNanos: bigint,
): BuiltTimes {
  const { start, millis, values } = times;
  if (millis.length === 0) return {};
  if (!areTimesKept(millis, timeNanos)) {
    return { lostTimes: millis.length > sampleTimesMax ? 'limit' : 'far' };
  }
  sortRows(start, millis, values);
  return { sampleTimes: encodeSampleTimes(times, rowValues) };
}

/** The rows of the profile into which rows `from` to `to` of an Arrow record were combined. */
interface RecordRows {
  readonly rowCount: number;
  readonly values: readonly BigInt64Array[];
  /**
   * Returns the profile's row for a row of the record, which is counted from `from`; -1 for a row
   * without a value.
   */
  rowOf(sample: number): number;
}

/** Returns the times of a profile that is part of a record. */
export function combineSampleTimes(
  record: { readonly sampleTimes: SampleTimes | undefined; readonly values: BigInt64Array },
  from: number,
  to: number,
  rows: RecordRows,
  timeNanos: bigint,
): BuiltTimes {
  const { sampleTimes: sent, values: sentValues } = record;
  if (sent === undefined || sent.start[from] === sent.start[to]) return {};
  const { rowCount } = rows;
  const start = new Uint32Array(rowCount + 1);
  for (let at = from; at < to; at += 1) {
    const row = rows.rowOf(at - from);
    if (row >= 0) start[row + 1] += sent.start[at + 1] - sent.start[at];
  }
  for (let row = 0; row < rowCount; row += 1) start[row + 1] += start[row];
  const millis = new Float64Array(start[rowCount]);
  const values = new BigInt64Array(millis.length);
  const next = start.slice();
  for (let at = from; at < to; at += 1) {
    const row = rows.rowOf(at - from);
    const own = sent.millis.subarray(sent.start[at], sent.start[at + 1]);
    if (row < 0 || own.length === 0) continue;
    millis.set(own, next[row]);
    fillShares(values, next[row], own.length, sentValues[at]);
    next[row] += own.length;
  }
  return encodeTimes({ start, millis, values: [values] }, [rows.values[0]], timeNanos);
}

/**
 * Fills `count` values with equal shares of a value; the last share also contains the remainder.
 */
function fillShares(into: BigInt64Array, from: number, count: number, value: bigint): void {
  const share = value / BigInt(count);
  into.fill(share, from, from + count);
  // Because of the remainder, the shares add up to the value.
  into[from + count - 1] = value - share * BigInt(count - 1);
}

/** Fills the values of one sample type for the times in entry `i` of `offsets`. */
function fillValues(
  { offsets, values, sampleTypeCount }: CombinedRows,
  i: number,
  type: number,
  into: BigInt64Array,
  from: number,
): void {
  const count = offsets.offsetStart[i + 1] - offsets.offsetStart[i];
  if (count === 0) return;
  const first = offsets.valueStart[i];
  if (offsets.valueStart[i + 1] - first === count * sampleTypeCount) {
    for (let at = 0; at < count; at += 1) {
      into[from + at] = offsets.values[first + at * sampleTypeCount + type];
    }
    return;
  }
  fillShares(into, from, count, values[offsets.sample[i] * sampleTypeCount + type]);
}

/** Sorts the samples of each row by time. Most samples arrive in order. */
function sortRows(
  start: Uint32Array,
  millis: Float64Array,
  values: readonly BigInt64Array[],
): void {
  for (let row = 0; row + 1 < start.length; row += 1) {
    const [from, to] = [start[row], start[row + 1]];
    let isSorted = true;
    for (let i = from + 1; i < to && isSorted; i += 1) isSorted = millis[i - 1] <= millis[i];
    if (isSorted) continue;
    const own = millis.slice(from, to);
    const order = Uint32Array.from(own, (_, i) => i).sort((a, b) => own[a] - own[b] || a - b);
    order.forEach((i, at) => (millis[from + at] = own[i]));
    for (const column of values) {
      const before = column.slice(from, to);
      order.forEach((i, at) => (column[from + at] = before[i]));
    }
  }
}
