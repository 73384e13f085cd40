// Sums the values of a chunk's rows by entry. These loops determine the speed of merges.
import { grown } from '../../model/column.ts';
import { damaged, readUnsigned } from './chunk-format.ts';
import { multiply } from './int64-column.ts';
import { readNumbers } from './number-column.ts';
import { readEntries, type RowsRun } from './rows-run.ts';

/**
 * Limit for the sum of the single-byte values of an entry. At this limit, the sum is moved to the
 * 64-bit sum of the entry.
 */
const smallSumMax = 2 ** 31;

/**
 * Sums by entry, exact modulo 2^64. Call `begin`, then `add` as often as needed, then `finish`;
 * after an error, `begin` again.
 */
export class SumKernel {
  #entryCount = 0;
  #sums = new BigInt64Array(0);
  /**
   * The elements of `#sums` as 32-bit words, low words first. V8's middle compiler takes 16 ns to
   * add BigInts and 1 ns to add words.
   */
  #sumWords = new Int32Array(this.#sums.buffer);
  /** Sums of the values that are stored as single bytes. Most values are. */
  #small = new Int32Array(0);
  /** Upper bound of the elements of `#small`. */
  #smallReach = 0;
  #entries = new Uint32Array(64);
  #numbers = new BigInt64Array(64);
  #words = new Int32Array(this.#numbers.buffer);
  readonly #weight = new BigInt64Array(1);

  begin(entryCount: number): void {
    if (this.#sums.length < entryCount) {
      this.#sums = new BigInt64Array(entryCount * 2);
      this.#sumWords = new Int32Array(this.#sums.buffer);
      this.#small = new Int32Array(entryCount * 2);
    } else {
      this.#sums.fill(0n, 0, entryCount);
      this.#small.fill(0, 0, entryCount);
    }
    this.#entryCount = entryCount;
    this.#smallReach = 0;
  }

  /**
   * Adds the stored numbers of one value column. The numbers of profile i of the run are counted
   * `weights[i]` times, or once if there are no weights. Errors: AppError 'data-loss'.
   */
  add(run: RowsRun, valueColumn: number, weights?: Uint32Array): void {
    const { width, isSigned } = run.valueColumns[valueColumn];
    const isSmall = width === 1 && !isSigned && run.gapWidth === 1;
    const reach = this.#smallReach + run.rows * 255;
    if (isSmall && weights === undefined && reach < smallSumMax) {
      this.#smallReach = reach;
      addBytes(run, valueColumn, this.#small, this.#sumWords);
    } else {
      this.#addAny(run, valueColumn, weights);
    }
  }

  /** Writes the sums, multiplied by `factor`, into the first elements of `sums`. */
  finish(sums: BigInt64Array, factor: number): void {
    const entryCount = this.#entryCount;
    const small = this.#small;
    if (this.#smallReach > 0) addSmall(this.#sumWords, small, entryCount);
    sums.set(this.#sums.subarray(0, entryCount));
    multiply(sums, entryCount, factor);
  }

  #addAny(run: RowsRun, valueColumn: number, weights: Uint32Array | undefined): void {
    if (this.#entries.length < run.rows) {
      this.#entries = grown(this.#entries, run.rows);
      this.#numbers = new BigInt64Array(this.#entries.length);
      this.#words = new Int32Array(this.#numbers.buffer);
    }
    const sums = this.#sums;
    const entries = this.#entries;
    const numbers = this.#numbers;
    const weight = this.#weight;
    readEntries(run, entries);
    readNumbers(run.bytes, run.valueColumns[valueColumn], run.rows, this.#words, 0);
    let row = 0;
    for (let profile = 0; profile < run.profiles; profile += 1) {
      weight[0] = weights === undefined ? 1n : BigInt(weights[profile]);
      const end = row + run.counts[profile];
      for (; row < end; row += 1) sums[entries[row]] += numbers[row] * weight[0];
    }
  }
}

/** Adds a run without weights, in which gaps and values are single bytes. */
function addBytes(run: RowsRun, valueColumn: number, small: Int32Array, sums: Int32Array): void {
  const { bytes, counts, profiles, rows, gapsAt, gapEscapesEnd, entryCount } = run;
  const { at: valuesAt, escapesEnd } = run.valueColumns[valueColumn];
  const gaps = bytes.subarray(gapsAt, gapsAt + rows);
  const values = bytes.subarray(valuesAt, valuesAt + rows);
  let { gapEscapesAt } = run;
  let { escapesAt } = run.valueColumns[valueColumn];
  let row = 0;
  for (let profile = 0; profile < profiles; profile += 1) {
    const end = row + counts[profile];
    let entry = 0;
    for (; row < end; row += 1) {
      row = addUntilEscape(gaps, values, small, row, end, entry);
      entry = entryReached;
      if (row === end) break;
      if (gaps[row] === 255) {
        if (gapEscapesAt >= gapEscapesEnd) throw damaged('escapes of its stacks are missing');
        entry += readUnsigned(bytes, gapEscapesAt, 4);
        gapEscapesAt += 4;
      } else {
        entry += gaps[row];
      }
      if (values[row] === 255) {
        if (escapesAt >= escapesEnd) throw damaged('escapes of its values are missing');
        if (entry < entryCount) addWhole(sums, entry, bytes, escapesAt);
        escapesAt += 8;
      } else {
        small[entry] += values[row];
      }
      if (entry >= entryCount) throw damaged(`it has no stack ${entry}`);
    }
    if (entry >= entryCount && counts[profile] > 0) throw damaged(`it has no stack ${entry}`);
  }
}

/** Second result of addUntilEscape: the last entry. */
let entryReached = 0;

/**
 * The loop that determines the speed of merges. It is a separate function because inside addBytes
 * it would take twice as long.
 */
function addUntilEscape(
  gaps: Uint8Array,
  values: Uint8Array,
  small: Int32Array,
  from: number,
  end: number,
  entryBefore: number,
): number {
  let row = from;
  let entry = entryBefore;
  for (; row < end; row += 1) {
    const gap = gaps[row];
    const value = values[row];
    if (gap === 255 || value === 255) break;
    entry = (entry + gap) | 0;
    small[entry] += value;
  }
  entryReached = entry;
  return row;
}

function addWhole(sums: Int32Array, entry: number, bytes: Uint8Array, at: number): void {
  const low = readUnsigned(bytes, at, 4) | 0;
  const high = readUnsigned(bytes, at + 4, 4) | 0;
  sums[entry * 2 + 1] += high + addLow(sums, entry, low);
}

/** Adds the sums in `small`, which are not negative. */
function addSmall(sums: Int32Array, small: Int32Array, count: number): void {
  for (let i = 0; i < count; i += 1) sums[i * 2 + 1] += addLow(sums, i, small[i]);
}

/** Adds to the low word of a sum and returns the carry. */
function addLow(sums: Int32Array, entry: number, low: number): number {
  const sum = (sums[entry * 2] + low) | 0;
  sums[entry * 2] = sum;
  // The comparison is unsigned: if a sum is smaller than one of its summands, there is a carry.
  return (sum ^ 0x8000_0000) < (low ^ 0x8000_0000) ? 1 : 0;
}
