// A durable profile in row memory that no query sees yet.
import type { Steps } from '../../base/pacer.ts';
import type { RowSegment } from '../selection.ts';
import type { ProfileHead } from './profile-codec.ts';

/** A profile, the position of its rows in the arena, and the sums of its values. */
export interface StagedProfile extends ProfileHead {
  readonly runSegment: number;
  /** Start of the rows, in units of 8 bytes. */
  readonly runOffset: number;
  readonly runRows: number;
  /** Sum of the values of each sample type, and number of values that are not 0. */
  readonly totals: bigint[];
  readonly counts: number[];
  /** Sample times; undefined if there are none. */
  readonly times: Uint8Array | undefined;
}

/** Number of values that are summed in one step, which takes less than a millisecond. */
const valuesPerStep = 65_536;

const sum = new BigInt64Array(1);

/**
 * Sets the totals and counts of a profile from its rows. Does so at once if there are few rows;
 * otherwise returns steps that do it.
 */
export function sumValueColumns(
  segment: RowSegment,
  staged: StagedProfile,
): Steps<void> | undefined {
  const { runRows, valueColumnCount, totals, counts } = staged;
  for (let valueColumn = 0; valueColumn < valueColumnCount; valueColumn += 1) {
    totals.push(0n);
    counts.push(0);
  }
  if (runRows * valueColumnCount > valuesPerStep) return sumInSteps(segment, staged);
  sumRows(segment, staged, 0, runRows);
  return undefined;
}

function* sumInSteps(segment: RowSegment, staged: StagedProfile): Steps<void> {
  const { runRows, valueColumnCount } = staged;
  const rowsPerStep = Math.ceil(valuesPerStep / valueColumnCount);
  for (let from = 0; from < runRows; from += rowsPerStep) {
    if (from > 0) yield;
    sumRows(segment, staged, from, Math.min(runRows, from + rowsPerStep));
  }
}

/** Adds rows `from` to `to` to the totals and counts. */
function sumRows(segment: RowSegment, staged: StagedProfile, from: number, to: number): void {
  const { runOffset, runRows, valueColumnCount, totals, counts } = staged;
  for (let valueColumn = 0; valueColumn < valueColumnCount; valueColumn += 1) {
    const start = runOffset + valueColumn * runRows;
    counts[valueColumn] += sumValues(segment, start + from, start + to);
    totals[valueColumn] = BigInt.asIntN(64, totals[valueColumn] + sum[0]);
  }
}

/** Sets `sum` to the sum of values `start` to `end`. Returns how many of these values are not 0. */
function sumValues({ values, words }: RowSegment, start: number, end: number): number {
  let count = 0;
  sum[0] = 0n;
  for (let i = start; i < end; i += 1) {
    sum[0] += values[i];
    if ((words[2 * i] | words[2 * i + 1]) !== 0) count += 1;
  }
  return count;
}
