// Sums the rows of many profiles by stack. Its inner loop determines the speed of every merged
// report.
import { asWords } from '../base/int64.ts';
import { createOwnedBuffer, ownedCopy } from '../base/owned.ts';
import { grown } from './column.ts';
import type { MergedStacks } from './merged-stacks.ts';

/** Memory with rows; the same bytes as int64 and as uint32. */
export interface RowMemory {
  readonly values: BigInt64Array;
  readonly words: Uint32Array;
}

/**
 * Positions of the rows to sum. The rows of one profile are a run.
 *
 * Shape: all columns have `length` used elements. Units: `valueStart` counts elements of the
 * memory's `values`; the other starts count elements of its `words`.
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
  /** Filters by sample labels; undefined if all rows of all runs are kept. */
  readonly filters: RunFilters | undefined;
}

/** Row filters by sample labels, with an entry for each run. */
export interface RunFilters {
  /**
   * Distinct filters, each with an element for each SampleLabelsIndex: 1 = the row matches. Filter
   * 0 is not used.
   */
  readonly filters: readonly Uint8Array[];
  /** Number of the run's filter; 0 = none. */
  readonly filter: Uint32Array;
  /** First SampleLabelsIndex of the run, `noLabels` when its rows have none. */
  readonly labelStart: Uint32Array;
}

export const noLabels = 0xffff_ffff;

/** Range `from` .. `to` of runs. */
export interface RunRange {
  readonly from: number;
  readonly to: number;
}

/** A merge and the factor of its values. */
export interface ScaledStacks {
  readonly merged: MergedStacks;
  readonly factor: bigint;
}

/**
 * Maximum number of stacks per row at which it is cheap to clear an accumulator for every stack.
 */
const denseStacksPerRowMax = 8;
/** Maximum number of totals for which a merger keeps memory: 1 MiB. */
const totalsKeptMax = 131_072;
/** Number of runs whose memory is prefetched together; more than 8 runs are not faster. */
const runsReadAhead = 8;
/**
 * Largest run that is prefetched. The processor prefetches longer runs by itself, and such runs
 * would not stay in the cache.
 */
const rowsReadAheadMax = 4096;
/** Words of a cache line of 64 bytes. */
const wordsPerCacheLine = 16;

/**
 * Sums rows. Keeps scratch memory between merges, so that the cost of merging few rows is
 * proportional to their number and not to the number of stacks in the store.
 *
 * int64 values are added from array to array. Reading a BigInt from a typed array into a variable
 * costs 5-60 ns, whereas a complete addition takes 1.3 ns. Sums overflow at 2^63, so callers first
 * check `sumMagnitude` of the totals.
 */
export class StackMerger {
  #sums = new BigInt64Array(0);
  #stamps = new Uint32Array(0);
  #touched = new Uint32Array(64);
  #stamp = 0;
  /** Memory for the totals of all stacks, which each sum clears. */
  #totals = new BigInt64Array(0);
  /** Meaningless result of `addRuns`, which keeps its reads from being optimized away. */
  readBits = 0;

  /** Sums the `ranges` of `runs`; all stack numbers in them are below `stackCount`. */
  merge(
    runs: RowRuns,
    memories: readonly RowMemory[],
    stackCount: number,
    ranges: Iterable<RunRange> = [{ from: 0, to: runs.length }],
  ): MergedStacks {
    const isDense = runs.rowCount * denseStacksPerRowMax >= stackCount;
    const totals = isDense ? this.#zeros(stackCount) : this.#begin(stackCount);
    let count = 0;
    for (const { from, to } of ranges) {
      if (!isDense) {
        count = this.#addRunsSparse(runs, from, to, memories, count);
      } else if (runs.filters === undefined) {
        this.readBits = addRuns(totals, runs, from, to, memories);
      } else {
        addRunsFiltered(totals, runs, runs.filters, from, to, memories);
      }
    }
    return isDense ? compact(totals) : this.#finish(count);
  }

  /** Returns the sum of several merges, each multiplied by its factor. */
  combine(parts: readonly ScaledStacks[], stackCount: number): MergedStacks {
    if (parts.length === 1 && parts[0].factor === 1n) return parts[0].merged;
    let rowCount = 0;
    for (const { merged } of parts) rowCount += merged.stacks.length;
    return this.#addAll(parts, rowCount, stackCount);
  }

  /**
   * Sums rows in any order; stacks may repeat. `rowCount` is the approximate number of rows. An
   * element of `rows` is not used after the next element is read.
   */
  collapse(rows: Iterable<MergedStacks>, rowCount: number, stackCount: number): MergedStacks {
    return this.#addAll(withFactor(rows), rowCount, stackCount);
  }

  #addAll(parts: Iterable<ScaledStacks>, rowCount: number, stackCount: number): MergedStacks {
    if (rowCount * denseStacksPerRowMax >= stackCount) {
      const totals = this.#zeros(stackCount);
      for (const { merged, factor } of parts) addScaled(totals, merged, factor);
      return compact(totals);
    }
    this.#begin(stackCount);
    let count = 0;
    for (const { merged, factor } of parts) {
      const values = factor === 1n ? merged.values : scaled(merged.values, factor);
      count = this.#addSparse(values, merged.stacks, 0, 0, values.length, count);
    }
    return this.#finish(count);
  }

  /**
   * Returns a zero for each stack, valid until the next sum. A new array of this size would get new
   * pages from the C library: for 45,000 stacks, touching new pages takes longer than clearing old
   * pages.
   */
  #zeros(stackCount: number): BigInt64Array {
    if (stackCount > totalsKeptMax) return new BigInt64Array(stackCount);
    if (this.#totals.length < stackCount) {
      this.#totals = new BigInt64Array(Math.min(Math.ceil(stackCount * 1.25), totalsKeptMax));
    }
    return this.#totals.subarray(0, stackCount).fill(0n);
  }

  #begin(stackCount: number): BigInt64Array {
    if (this.#sums.length < stackCount) {
      const capacity = Math.ceil(stackCount * 1.25);
      this.#sums = new BigInt64Array(capacity);
      this.#stamps = new Uint32Array(capacity);
      this.#stamp = 0;
    }
    this.#stamp += 1;
    if (this.#stamp > 0xffff_ffff) {
      this.#stamps.fill(0);
      this.#stamp = 1;
    }
    return this.#sums;
  }

  #addSparse(
    values: BigInt64Array,
    words: Uint32Array,
    valueStart: number,
    stackStart: number,
    rows: number,
    countBefore: number,
  ): number {
    this.#touched = grown(this.#touched, countBefore + rows);
    const sums = this.#sums;
    const stamps = this.#stamps;
    const stamp = this.#stamp;
    const touched = this.#touched;
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

  /**
   * Adds runs to the scratch sums, filtered or not. It adds row by row, because there are few rows.
   */
  #addRunsSparse(
    runs: RowRuns,
    from: number,
    to: number,
    memories: readonly RowMemory[],
    countBefore: number,
  ): number {
    const { filters } = runs;
    let count = countBefore;
    for (let run = from; run < to; run += 1) {
      const { values, words } = memories[runs.memory[run]];
      const valueStart = runs.valueStart[run];
      const stackStart = runs.stackStart[run];
      const rows = runs.rows[run];
      if (filters === undefined || filters.filter[run] === 0) {
        count = this.#addSparse(values, words, valueStart, stackStart, rows, count);
        continue;
      }
      const accepted = filters.filters[filters.filter[run]];
      const labelStart = filters.labelStart[run];
      for (let i = 0; i < rows; i += 1) {
        const labels = labelStart === noLabels ? 0 : words[labelStart + i];
        if (accepted[labels] !== 1) continue;
        count = this.#addSparse(values, words, valueStart + i, stackStart + i, 1, count);
      }
    }
    return count;
  }

  #finish(count: number): MergedStacks {
    const sums = this.#sums;
    const words = new Int32Array(sums.buffer);
    const all = ownedCopy(this.#touched, 0, count).sort();
    let used = 0;
    for (let i = 0; i < count; i += 1) {
      const stack = all[i];
      if ((words[stack * 2] | words[stack * 2 + 1]) === 0) continue;
      all[used] = stack;
      used += 1;
    }
    const stacks = all.subarray(0, used);
    const values = int64Column(used);
    for (let i = 0; i < used; i += 1) values[i] = sums[stacks[i]];
    return { stacks, values };
  }
}

/**
 * Adds runs `from` to `to`. Returns meaningless bits, so that prefetching reads are not optimized
 * away.
 *
 * Runs are short and far apart, so the processor has to start prefetching again for each run: a row
 * then takes 4.5 ns. If one word of each cache line of the next runs is read first, their cache
 * misses overlap, and a row takes 2.7 ns.
 */
function addRuns(
  totals: BigInt64Array,
  { memory, valueStart, stackStart, rows }: RowRuns,
  from: number,
  to: number,
  memories: readonly RowMemory[],
): number {
  let bits = 0;
  for (let first = from; first < to; first += runsReadAhead) {
    const end = Math.min(to, first + runsReadAhead);
    for (let run = first; run < end; run += 1) {
      const { words } = memories[memory[run]];
      const ahead = Math.min(rows[run], rowsReadAheadMax);
      bits |= touchLines(words, valueStart[run] * 2, valueStart[run] * 2 + ahead * 2);
      bits |= touchLines(words, stackStart[run], stackStart[run] + ahead);
    }
    for (let run = first; run < end; run += 1) {
      const { values, words } = memories[memory[run]];
      addRows(totals, values, words, valueStart[run], stackStart[run], rows[run]);
    }
  }
  return bits;
}

/** Adds the rows of runs `from` to `to` that pass the filters. */
function addRunsFiltered(
  totals: BigInt64Array,
  { memory, valueStart, stackStart, rows }: RowRuns,
  { filters, filter, labelStart }: RunFilters,
  from: number,
  to: number,
  memories: readonly RowMemory[],
): void {
  for (let run = from; run < to; run += 1) {
    const { values, words } = memories[memory[run]];
    if (filter[run] === 0) {
      addRows(totals, values, words, valueStart[run], stackStart[run], rows[run]);
      continue;
    }
    const accepted = filters[filter[run]];
    const firstLabel = labelStart[run];
    for (let i = 0; i < rows[run]; i += 1) {
      const labels = firstLabel === noLabels ? 0 : words[firstLabel + i];
      if (accepted[labels] === 1) totals[words[stackStart[run] + i]] += values[valueStart[run] + i];
    }
  }
}

/**
 * Adds each value of `rows` to the total of its stack. This loop determines the speed of merges.
 */
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

/**
 * Adds value `i` to the total of a stack, as 32-bit words. V8's middle compiler would make a BigInt
 * of each value, and it compiles a loop that is often called for few values for a long time: the
 * sums of 36,000 chunks of 2,500 stacks took 60 us a chunk instead of 30 us.
 */
function addWords(totals: Int32Array, stack: number, values: Int32Array, i: number): void {
  const value = values[i * 2];
  const low = (totals[stack * 2] + value) | 0;
  totals[stack * 2] = low;
  // The comparison is unsigned: if a sum is smaller than one of its summands, there is a carry.
  const carry = (low ^ 0x8000_0000) < (value ^ 0x8000_0000) ? 1 : 0;
  totals[stack * 2 + 1] += values[i * 2 + 1] + carry;
}

function touchLines(words: Uint32Array, from: number, to: number): number {
  let bits = 0;
  for (let i = from; i < to; i += wordsPerCacheLine) bits |= words[i];
  return bits;
}

function* withFactor(rows: Iterable<MergedStacks>): Generator<ScaledStacks> {
  for (const merged of rows) yield { merged, factor: 1n };
}

function addScaled(totals: BigInt64Array, merged: MergedStacks, factor: bigint): void {
  const { stacks } = merged;
  const words = asWords(factor === 1n ? merged.values : scaled(merged.values, factor));
  const totalWords = asWords(totals);
  for (let i = 0; i < stacks.length; i += 1) addWords(totalWords, stacks[i], words, i);
}

function scaled(values: BigInt64Array, factor: bigint): BigInt64Array {
  const result = new BigInt64Array(values.length);
  for (let i = 0; i < values.length; i += 1) result[i] = BigInt.asIntN(64, values[i] * factor);
  return result;
}

function compact(totals: BigInt64Array): MergedStacks {
  const words = asWords(totals);
  let used = 0;
  for (let i = 0; i < words.length; i += 2) if ((words[i] | words[i + 1]) !== 0) used += 1;
  const stacks = new Uint32Array(createOwnedBuffer(used * Uint32Array.BYTES_PER_ELEMENT));
  const values = int64Column(used);
  let at = 0;
  for (let stack = 0; at < used; stack += 1) {
    if ((words[stack * 2] | words[stack * 2 + 1]) === 0) continue;
    stacks[at] = stack;
    values[at] = totals[stack];
    at += 1;
  }
  return { stacks, values };
}

/** Makes a column whose memory can be transferred by a merge worker. */
function int64Column(length: number): BigInt64Array {
  return new BigInt64Array(createOwnedBuffer(length * BigInt64Array.BYTES_PER_ELEMENT));
}

/** Memory for a single sum. A new array for each of 1,000 short columns would make much garbage. */
const summed = new BigInt64Array(1);

/** Returns the sum of a column, exact within int64. */
export function sumValues(values: BigInt64Array): bigint {
  summed[0] = 0n;
  for (let i = 0; i < values.length; i += 1) summed[0] += values[i];
  return summed[0];
}

/**
 * Returns the sum of the absolute values of a column in floating point. If the result is below
 * 2^63, the sum of the values cannot overflow.
 */
export function sumMagnitude(values: BigInt64Array): number {
  const words = asWords(values);
  let sum = 0;
  // The words are read here, because calling `numberAt` would take 1.2 times as long.
  for (let i = 0; i < words.length; i += 2) {
    sum += Math.abs(words[i + 1] * 0x1_0000_0000 + (words[i] >>> 0));
  }
  return sum;
}
