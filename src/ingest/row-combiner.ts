// Combines samples into rows: samples with the same stack and labels become one row, and samples
// without values become none.
import { assert } from '../base/assert.ts';
import { grown } from '../model/column.ts';
import { mixHash } from '../model/hash-index.ts';

/** Sample values in one column: `sampleTypeCount` for each sample. */
interface ValueColumns {
  readonly sampleCount: number;
  readonly sampleTypeCount: number;
  readonly values: BigInt64Array;
  /** The same memory as `values`, as low and high words. */
  readonly valueWords: Int32Array;
}

/** Combines the current profile of `columns`; valid until the next `combine`. */
export class RowCombiner {
  rowCount = 0;
  /** StackIndex of each row. */
  stacks = new Uint32Array(256);
  /** SampleLabelsIndex of each row. */
  labels = new Uint32Array(256);
  /** A column for each kept sample type. */
  values: BigInt64Array<ArrayBuffer>[] = [];
  /** The same memory as `values`, as low and high words. */
  #words: Int32Array[] = [];
  readonly #columns: ValueColumns;
  /** True if a row has several samples. */
  #isCombined = false;
  /** Row of each sample plus 1; 0 for samples without a value. */
  #rowOfSample = new Int32Array(256);
  /** Open addressing from (stack, labels) to a row; slots with another epoch are free. */
  #slotRow = new Int32Array(512);
  #slotEpoch = new Uint32Array(512);
  #epoch = 0;

  constructor(columns: ValueColumns) {
    this.#columns = columns;
  }

  /**
   * Fills the rows. `kept` has the sample types to keep, ascending. Sums are exact, because
   * validation has limited them to int64.
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

  /** Bytes of memory of rows. */
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

  /** Reserves space for the rows in the column of a kept type. */
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

/** Sets `rowOfSample` to 0 where all kept values are zero, to 1 elsewhere. */
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

/** Copies value `type` of each sample to its row, for rows of a single sample. */
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

/** Sets each row to the sum of value `type` of its samples. */
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
