// Converts lists of locations to the distinct stacks of a record, as samples of a profile without
// values.
import { inputLimits, overInputLimit } from '../../base/input-limits.ts';
import { isValid, type ListVector } from '../arrow/read/vector.ts';
import type { PprofColumns } from '../pprof/columns.ts';
import { badRecord } from './bad-record.ts';

/**
 * Adds the distinct stacks in the lists, and returns the row of each list's stack. A null is the
 * empty stack, which must be row 0. Lists may share items; each range of items is added once.
 */
export function addStacks(
  lists: ListVector,
  locationRows: Uint32Array,
  columns: PprofColumns,
): Uint32Array {
  const { starts, ends, length } = lists;
  const rows = new Uint32Array(length);
  const known = new Map<number, number>();
  let lastKey = -1;
  let last = 0;
  for (let i = 0; i < length; i += 1) {
    if (ends[i] === starts[i] || !isValid(lists, i)) continue;
    const key = starts[i] * 2 ** 26 + ends[i];
    if (key !== lastKey) {
      lastKey = key;
      last = known.get(key) ?? addStack(columns, locationRows, starts[i], ends[i]);
      known.set(key, last);
    }
    rows[i] = last;
  }
  return rows;
}

/** Begins the columns' samples with the empty stack. */
export function addEmptyStack(columns: PprofColumns): void {
  columns.reserveSample(0);
  columns.sampleCount = 1;
}

function addStack(
  columns: PprofColumns,
  locationRows: Uint32Array,
  start: number,
  end: number,
): number {
  const depth = end - start;
  if (depth > inputLimits.stackDepth) {
    throw overInputLimit(
      'stackDepth',
      `cannot read Arrow record: a stack has ${depth} frames, the limit is ${inputLimits.stackDepth}`,
    );
  }
  const row = columns.sampleCount;
  columns.reserveSample(row);
  columns.sampleCount = row + 1;
  let at = columns.frameCount;
  columns.reserveFrames(at + depth);
  for (let item = start; item < end; item += 1) {
    const location = locationRows[item];
    if (location === 0) throw badRecord(`frame ${item - start} of a stack is null`);
    columns.frameLocation[at] = location;
    at += 1;
  }
  columns.frameCount = at;
  columns.frameStart[row + 1] = at;
  return row;
}
