// Sums rows by stack and sample labels: the rows of one window of a rollup.
import { grown } from '../../model/column.ts';
import { mixHash } from '../../model/hash-index.ts';
import type { RowRange } from './chunk-builder.ts';

/** Sums within int64, modulo 2^64, in the order in which the pairs were first seen. */
export class WindowSums {
  /** Distinct pairs of stack and sample labels so far. */
  length = 0;
  #stacks = new Uint32Array(64);
  #labels = new Uint32Array(64);
  #sums: BigInt64Array[];
  /** Open addressing, linear probing, load at most 1/2; 0 = free, else the pair's row + 1. */
  #slots = new Uint32Array(128);
  #hasLabels = false;

  constructor(planeCount: number) {
    this.#sums = Array.from({ length: planeCount }, () => new BigInt64Array(64));
  }

  add({ stacks, sampleLabels, values, first, end }: RowRange): void {
    for (let row = first; row < end; row += 1) {
      const at = this.#pair(stacks[row], sampleLabels === undefined ? 0 : sampleLabels[row]);
      for (let plane = 0; plane < this.#sums.length; plane += 1) {
        this.#sums[plane][at] += values[plane][row];
      }
    }
  }

  /** All sums. Ownership: borrowed until the next call. */
  rows(): RowRange {
    const { length: end } = this;
    const stacks = this.#stacks;
    const labels = this.#labels;
    const values = this.#sums;
    const hasLabels = this.#hasLabels;
    return { stacks, sampleLabels: hasLabels ? labels : undefined, values, first: 0, end };
  }

  clear(): void {
    for (const column of this.#sums) column.fill(0n, 0, this.length);
    this.#slots.fill(0);
    this.length = 0;
    this.#hasLabels = false;
  }

  #pair(stack: number, labels: number): number {
    const mask = this.#slots.length - 1;
    let slot = mixHash(stack, labels) & mask;
    for (let row = this.#slots[slot]; row !== 0; row = this.#slots[slot]) {
      if (this.#stacks[row - 1] === stack && this.#labels[row - 1] === labels) return row - 1;
      slot = (slot + 1) & mask;
    }
    const row = this.length;
    this.#stacks = grown(this.#stacks, row + 1);
    this.#labels = grown(this.#labels, row + 1);
    if (this.#sums[0].length <= row)
      this.#sums = this.#sums.map((column) => grown(column, row + 1));
    this.#stacks[row] = stack;
    this.#labels[row] = labels;
    this.#hasLabels ||= labels !== 0;
    this.length = row + 1;
    this.#slots[slot] = row + 1;
    if (this.length * 2 > this.#slots.length) this.#growSlots();
    return row;
  }

  #growSlots(): void {
    const slots = new Uint32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let row = 0; row < this.length; row += 1) {
      let slot = mixHash(this.#stacks[row], this.#labels[row]) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = row + 1;
    }
    this.#slots = slots;
  }
}
