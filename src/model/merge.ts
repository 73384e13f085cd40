// Sums the rows of many profiles by stack: the hot loop of every merged report.
import { assert } from '../base/assert.ts';
import { grown } from './column.ts';
import type { MergedStacks } from './merged-stacks.ts';

/** Memory that holds rows; the same bytes as int64 and as uint32. */
export interface RowMemory {
  readonly values: BigInt64Array;
  readonly words: Uint32Array;
}

/**
 * Where the rows to be summed lie. A run is the rows of one profile.
 *
 * Shape: all columns have `length` used elements. Units: `valueStart` counts elements of the
 * memory's `values`, the other starts elements of its `words`.
 */
export interface RowRuns {
  readonly length: number;
  /** Index of the RowMemory. */
  readonly memory: Uint32Array;
  readonly valueStart: Uint32Array;
  readonly stackStart: Uint32Array;
  readonly rows: Uint32Array;
  /** Sum of `rows`. */
  readonly rowCount: number;
  /** Set when some run keeps only rows with certain sample labels. */
  readonly filters: RunFilters | undefined;
}

/** Row filters by sample labels, one entry per run. */
export interface RunFilters {
  /** Distinct filters: by SampleLabelsIndex, 1 = the row belongs. Element 0 is not used. */
  readonly filters: readonly Uint8Array[];
  /** Which filter applies; 0 = none. */
  readonly filter: Uint32Array;
  /** First SampleLabelsIndex of the run, `noLabels` when its rows have none. */
  readonly labelStart: Uint32Array;
}

export const noLabels = 0xffff_ffff;

/** A merge and what its values are to be multiplied by. */
export interface ScaledStacks {
  readonly merged: MergedStacks;
  readonly factor: bigint;
}

/** Below this many stacks per row, clearing an accumulator for every stack is cheap. */
const denseStacksPerRowMax = 8;

/**
 * Sums rows. Keeps scratch memory between merges, so that a merge of few rows costs in proportion
 * to its rows and not to the number of stacks in the store.
 *
 * int64 values go from array to array: a BigInt that leaves a typed array costs 5-60 ns, the whole
 * step 1.3. Sums wrap past 2^63, so callers compare `sumMagnitude` of the totals with it first.
 */
export class StackMerger {
  private sums = new BigInt64Array(0);
  private stamps = new Uint32Array(0);
  private touched = new Uint32Array(1024);
  private stamp = 0;

  /** Sums `runs`; every stack in them is below `stackCount`. `stopped` ends it early. */
  merge(
    runs: RowRuns,
    memories: readonly RowMemory[],
    stackCount: number,
    stopped: () => boolean = () => false,
  ): MergedStacks {
    const dense = runs.rowCount * denseStacksPerRowMax >= stackCount;
    const totals = dense ? new BigInt64Array(stackCount) : this.begin(stackCount);
    let count = 0;
    for (let run = 0; run < runs.length; run += 1) {
      const { values, words } = memories[runs.memory[run]];
      const valueStart = runs.valueStart[run];
      const stackStart = runs.stackStart[run];
      const rows = runs.rows[run];
      const filter = runs.filters === undefined ? 0 : runs.filters.filter[run];
      if (filter !== 0) {
        count = this.addFiltered(runs, run, memories, dense ? totals : undefined, count);
      } else if (dense) {
        addRows(totals, values, words, valueStart, stackStart, rows);
      } else {
        count = this.addSparse(values, words, valueStart, stackStart, rows, count);
      }
      if ((run & 1023) === 1023 && stopped()) break;
    }
    return dense ? compact(totals) : this.finish(count);
  }

  /** The sum of several merges, each multiplied by its factor. */
  combine(parts: readonly ScaledStacks[], stackCount: number): MergedStacks {
    if (parts.length === 1 && parts[0].factor === 1n) return parts[0].merged;
    let rows = 0;
    for (const { merged } of parts) rows += merged.stacks.length;
    if (rows * denseStacksPerRowMax >= stackCount) {
      const totals = new BigInt64Array(stackCount);
      for (const { merged, factor } of parts) addScaled(totals, merged, factor);
      return compact(totals);
    }
    this.begin(stackCount);
    let count = 0;
    for (const { merged, factor } of parts) {
      const values = factor === 1n ? merged.values : scaled(merged.values, factor);
      count = this.addSparse(values, merged.stacks, 0, 0, values.length, count);
    }
    return this.finish(count);
  }

  private begin(stackCount: number): BigInt64Array {
    if (this.sums.length < stackCount) {
      const capacity = Math.ceil(stackCount * 1.25);
      this.sums = new BigInt64Array(capacity);
      this.stamps = new Uint32Array(capacity);
      this.stamp = 0;
    }
    this.stamp += 1;
    if (this.stamp > 0xffff_ffff) {
      this.stamps.fill(0);
      this.stamp = 1;
    }
    return this.sums;
  }

  private addSparse(
    values: BigInt64Array,
    words: Uint32Array,
    valueStart: number,
    stackStart: number,
    rows: number,
    countBefore: number,
  ): number {
    this.touched = grown(this.touched, countBefore + rows);
    const { sums, stamps, stamp, touched } = this;
    let count = countBefore;
    for (let i = 0; i < rows; i += 1) {
      const stack = words[stackStart + i];
      if (stamps[stack] === stamp) {
        sums[stack] += values[valueStart + i];
      } else {
        stamps[stack] = stamp;
        sums[stack] = values[valueStart + i];
        touched[count] = stack;
        count += 1;
      }
    }
    return count;
  }

  /** Adds the rows of one run that pass its filter: into `totals`, or sparsely without. */
  private addFiltered(
    runs: RowRuns,
    run: number,
    memories: readonly RowMemory[],
    totals: BigInt64Array | undefined,
    countBefore: number,
  ): number {
    const { filters } = runs;
    assert(filters !== undefined, 'a filtered run has filters');
    const accepted = filters.filters[filters.filter[run]];
    const labelStart = filters.labelStart[run];
    const { values, words } = memories[runs.memory[run]];
    const stackStart = runs.stackStart[run];
    let count = countBefore;
    for (let i = 0; i < runs.rows[run]; i += 1) {
      const labels = labelStart === noLabels ? 0 : words[labelStart + i];
      if (accepted[labels] !== 1) continue;
      const valueStart = runs.valueStart[run] + i;
      if (totals === undefined) {
        count = this.addSparse(values, words, valueStart, stackStart + i, 1, count);
      } else {
        totals[words[stackStart + i]] += values[valueStart];
      }
    }
    return count;
  }

  private finish(count: number): MergedStacks {
    const { sums } = this;
    const words = new Int32Array(sums.buffer);
    const all = this.touched.slice(0, count).sort();
    let used = 0;
    for (let i = 0; i < count; i += 1) {
      const stack = all[i];
      if ((words[stack * 2] | words[stack * 2 + 1]) === 0) continue;
      all[used] = stack;
      used += 1;
    }
    const stacks = all.subarray(0, used);
    const values = new BigInt64Array(used);
    for (let i = 0; i < used; i += 1) values[i] = sums[stacks[i]];
    return { stacks, values };
  }
}

/** Adds each of `rows` values to the total of its stack: the loop that all speed depends on. */
function addRows(
  totals: BigInt64Array,
  values: BigInt64Array,
  words: Uint32Array,
  valueStart: number,
  stackStart: number,
  rows: number,
): void {
  for (let i = 0; i < rows; i += 1) totals[words[stackStart + i]] += values[valueStart + i];
}

function addScaled(totals: BigInt64Array, merged: MergedStacks, factor: bigint): void {
  const { stacks } = merged;
  const values = factor === 1n ? merged.values : scaled(merged.values, factor);
  addRows(totals, values, stacks, 0, 0, stacks.length);
}

function scaled(values: BigInt64Array, factor: bigint): BigInt64Array {
  const result = new BigInt64Array(values.length);
  for (let i = 0; i < values.length; i += 1) result[i] = BigInt.asIntN(64, values[i] * factor);
  return result;
}

function compact(totals: BigInt64Array): MergedStacks {
  const words = new Int32Array(totals.buffer);
  let used = 0;
  for (let i = 0; i < words.length; i += 2) if ((words[i] | words[i + 1]) !== 0) used += 1;
  const stacks = new Uint32Array(used);
  const values = new BigInt64Array(used);
  let at = 0;
  for (let stack = 0; at < used; stack += 1) {
    if ((words[stack * 2] | words[stack * 2 + 1]) === 0) continue;
    stacks[at] = stack;
    values[at] = totals[stack];
    at += 1;
  }
  return { stacks, values };
}

/** Sum of a column, exact within int64. */
export function sumValues(values: BigInt64Array): bigint {
  const sum = new BigInt64Array(1);
  for (let i = 0; i < values.length; i += 1) sum[0] += values[i];
  return sum[0];
}

/**
 * Sum of the absolute values of a column in floating point. A sum of values whose magnitude stays
 * below 2^63 cannot wrap.
 */
export function sumMagnitude(values: BigInt64Array): number {
  const words = new Int32Array(values.buffer, values.byteOffset, values.length * 2);
  let sum = 0;
  for (let i = 0; i < words.length; i += 2) {
    sum += Math.abs(words[i + 1] * 0x1_0000_0000 + (words[i] >>> 0));
  }
  return sum;
}
