// Samples -> rows: samples of equal stack and labels become one row, samples without values none.
import { assert } from '../base/assert.ts';
import { grown } from '../model/column.ts';
import { mixHash } from '../model/hash-index.ts';

/** Columns of samples: values are `sampleTypeCount` for each. */
interface ValueColumns {
  readonly sampleCount: number;
  readonly sampleTypeCount: number;
  readonly values: BigInt64Array;
  /** The same memory as `values`: low and high halves. */
  readonly valueWords: Int32Array;
}

/** Combines the profile that `columns` hold at the time; valid until the next `combine`. */
export class RowCombiner {
  rowCount = 0;
  /** StackIndex of each row. */
  stacks = new Uint32Array(256);
  /** SampleLabelsIndex of each row. */
  labels = new Uint32Array(256);
  /** A column for each kept sample type. */
  values: BigInt64Array[] = [];
  readonly #columns: ValueColumns;
  /** Row of each sample plus 1; 0 for samples without a value. */
  #rowOfSample = new Int32Array(256);
  /** Open addressing from (stack, labels) to a row; slots of other epochs are free. */
  #slotRow = new Int32Array(512);
  #slotEpoch = new Uint32Array(512);
  #epoch = 0;

  constructor(columns: ValueColumns) {
    this.#columns = columns;
  }

  /**
   * Fills the rows. `kept`: the sample types to keep, ascending. Sums are exact int64, which
   * validation has bounded.
   */
  combine(kept: readonly number[], stackOfSample: Uint32Array, labelsOfSample: Uint32Array): void {
    const columns = this.#columns;
    this.#assignRows(kept, stackOfSample, labelsOfSample);
    while (this.values.length < kept.length) this.values.push(new BigInt64Array(256));
    const { rowCount } = this;
    const rowOfSample = this.#rowOfSample;
    const { sampleCount, sampleTypeCount } = columns;
    kept.forEach((type, i) => {
      const column = grown(this.values[i], rowCount);
      this.values[i] = column;
      column.fill(0n, 0, rowCount);
      addValues(columns.values, type, sampleTypeCount, rowOfSample, sampleCount, column);
    });
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
    for (let sample = 0; sample < sampleCount; sample += 1) {
      if (rowOfSample[sample] === 0) continue;
      rowOfSample[sample] = this.#row(stackOfSample[sample], labelsOfSample[sample]) + 1;
    }
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

/** Adds value `type` of each sample to its row; `rowOfSample` is the row plus 1, 0 for none. */
function addValues(
  values: BigInt64Array,
  type: number,
  stride: number,
  rowOfSample: Int32Array,
  sampleCount: number,
  column: BigInt64Array,
): void {
  for (let sample = 0; sample < sampleCount; sample += 1) {
    const row = rowOfSample[sample];
    if (row !== 0) column[row - 1] += values[sample * stride + type];
  }
}
