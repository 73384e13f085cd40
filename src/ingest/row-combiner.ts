// Combines samples into rows. Samples with the same stack and labels become one row; samples
// without values are left out.
import { assert } from '../base/assert.ts';
import { grown } from '../model/column.ts';
import { mixHash } from '../model/hash-index.ts';

/** Values of samples in one column: `sampleTypeCount` values for each sample. */
interface ValueColumns {
  readonly sampleCount: number;
  readonly sampleTypeCount: number;
  readonly values: BigInt64Array;
  /** Low and high words of `values`, in the same memory. */
  readonly valueWords: Int32Array;
}

/**
 * Combines the samples of the current profile. The results are valid until the next call to
 * `combine`.
 */
export class RowCombiner {
  rowCount = 0;
  /** StackIndex of each row. */
  stacks = new Uint32Array(256);
  /** SampleLabelsIndex of each row. */
  labels = new Uint32Array(256);
  /** Values of the rows: a column for each kept sample type. */
  values: BigInt64Array<ArrayBuffer>[] = [];
  /** Low and high words of `values`, in the same memory. */
  #words: Int32Array[] = [];
  readonly #columns: ValueColumns;
  /** True if any row has several samples. */
  #isCombined = false;
  /** Row of each sample, plus 1; 0 for samples without a value. */
  #rowOfSample = new Int32Array(256);
  /**
   * Hash table with open addressing, from (stack, labels) to a row. Slots of another epoch are
   * free.
   */
  #slotRow = new Int32Array(512);
  #slotEpoch = new Uint32Array(512);
  #epoch = 0;

  constructor(columns: ValueColumns) {
    this.#columns = columns;
  }

  /**
   * Fills the rows. `kept` has the numbers of the kept sample types in ascending order. Sums are
   * exact, because profiles whose sums exceed int64 were refused.
   */
  combine(kept: readonly number[], stackOfSample: Uint32Array, labelsOfSample: Uint32Array): void {
    const columns = this.#columns;
    this.#assignRows(kept, stackOfSample, labelsOfSample);
    for (let i = 0; i < kept.length; i += 1) {
      this.#reserveColumn(i);
      if (this.#isCombined)
        addValues(columns, kept[i], this.#rowOfSample, this.values[i], this.rowCount);
      else copyValues(columns, kept[i], this.#rowOfSample, this.#words[i]);
    }
  }

  /** Returns the row of a sample; -1 for a sample without a value. */
  rowOf(sample: number): number {
    return this.#rowOfSample[sample] - 1;
  }

  /** Number of bytes that the rows take. */
  reservedBytes(): number {
    return this.values.reduce((sum, { byteLength }) => sum + byteLength, 8 * this.stacks.length);
  }

  #assignRows(
    kept: readonly number[],
    stackOfSample: Uint32Array,
    labelsOfSample: Uint32Array,
  ): void {
    const columns = this.#columns;
    const { sampleCount } = columns;
    this.#reserve(sampleCount);
    this.rowCount = 0;
    const rowOfSample = this.#rowOfSample;
    markZeros(columns, kept, rowOfSample);
    let taken = 0;
    for (let sample = 0; sample < sampleCount; sample += 1) {
      if (rowOfSample[sample] === 0) continue;
      taken += 1;
      rowOfSample[sample] = this.#row(stackOfSample[sample], labelsOfSample[sample]) + 1;
    }
    this.#isCombined = this.rowCount < taken;
  }

  #row(stack: number, labels: number): number {
    const slotRow = this.#slotRow;
    const slotEpoch = this.#slotEpoch;
    const epoch = this.#epoch;
    const mask = slotRow.length - 1;
    let slot = mixHash(stack, labels) & mask;
    while (slotEpoch[slot] === epoch) {
      const row = slotRow[slot];
      if (this.stacks[row] === stack && this.labels[row] === labels) return row;
      slot = (slot + 1) & mask;
    }
    const row = this.rowCount;
    slotEpoch[slot] = epoch;
    slotRow[slot] = row;
    this.stacks[row] = stack;
    this.labels[row] = labels;
    this.rowCount = row + 1;
    return row;
  }

  /** Enlarges the column of a kept sample type to the number of rows. */
  #reserveColumn(i: number): void {
    const column = grown(this.values[i] ?? new BigInt64Array(256), this.rowCount);
    if (column === this.values[i]) return;
    this.values[i] = column;
    this.#words[i] = new Int32Array(column.buffer);
  }

  #reserve(sampleCount: number): void {
    this.#rowOfSample = grown(this.#rowOfSample, sampleCount);
    this.stacks = grown(this.stacks, sampleCount);
    this.labels = grown(this.labels, sampleCount);
    this.#slotRow = grown(this.#slotRow, sampleCount * 2);
    this.#slotEpoch = grown(this.#slotEpoch, sampleCount * 2);
    this.#epoch += 1;
    assert(this.#epoch <= 0xffff_ffff, 'an ingester lives for less than 2^32 profiles');
  }
}

/**
 * Sets `rowOfSample` to 0 for samples whose kept values are all zero, and to 1 for other samples.
 */
function markZeros(columns: ValueColumns, kept: readonly number[], rowOfSample: Int32Array): void {
  const { valueWords, sampleCount, sampleTypeCount } = columns;
  rowOfSample.fill(0, 0, sampleCount);
  for (const type of kept) {
    for (let sample = 0; sample < sampleCount; sample += 1) {
      const at = (sample * sampleTypeCount + type) * 2;
      if ((valueWords[at] | valueWords[at + 1]) !== 0) rowOfSample[sample] = 1;
    }
  }
}

/** Copies value number `type` of each sample to its row; no row has several samples. */
function copyValues(
  { valueWords, sampleCount, sampleTypeCount }: ValueColumns,
  type: number,
  rowOfSample: Int32Array,
  words: Int32Array,
): void {
  for (let sample = 0; sample < sampleCount; sample += 1) {
    const at = rowOfSample[sample] * 2 - 2;
    if (at < 0) continue;
    const from = (sample * sampleTypeCount + type) * 2;
    words[at] = valueWords[from];
    words[at + 1] = valueWords[from + 1];
  }
}

/** Sets each row to the sum of value number `type` of its samples. */
function addValues(
  { values, sampleCount, sampleTypeCount }: ValueColumns,
  type: number,
  rowOfSample: Int32Array,
  column: BigInt64Array,
  rowCount: number,
): void {
  column.fill(0n, 0, rowCount);
  for (let sample = 0; sample < sampleCount; sample += 1) {
    const row = rowOfSample[sample];
    if (row !== 0) column[row - 1] += values[sample * sampleTypeCount + type];
  }
}
