// Values summed by frame over all callers, for tables and call graphs.
import { asWords } from '../base/int64.ts';
import { grown } from '../model/column.ts';
import { type BaseRatio, subtractBase } from './base-ratio.ts';
import type { BaseValues, CallTree } from './tree/call-tree.ts';

/**
 * Sums of a tree's rows by frame key. Frames without a value are left out; the others are numbered
 * in the order of their first rows. A recursive function counts once in `cumulative`.
 *
 * Shape: columns may be longer than `length`.
 */
export class FrameSums {
  length = 0;
  keys = new Uint32Array(256);
  flat = new BigInt64Array(256);
  cumulative = new BigInt64Array(256);
  /** Sums of a diff's base; zeros without a base. */
  readonly base = { flat: new BigInt64Array(256), cumulative: new BigInt64Array(256) };
  /** For each tree row, the number of its frame plus 1; 0 = the row has no value. */
  readonly target: Int32Array;
  readonly #isDiff: boolean;

  constructor(tree: CallTree) {
    const { length, key, flat, cumulative, base } = tree;
    const outermost = tree.outermostRows();
    this.#isDiff = base !== undefined;
    this.target = new Int32Array(length);
    const { flat: flatWords, cumulative: words } = bothWords(tree);
    const baseWords = base && bothWords(base);
    const { target } = this;
    // Keys are small numbers of names and locations, so an array can be used, which takes a sixth
    // of the time of a hash table.
    const targetByKey = new Int32Array(largest(key, length) + 1);
    for (let row = 1; row < length; row += 1) {
      const at = row * 2;
      const bits = words[at] | words[at + 1] | flatWords[at] | flatWords[at + 1];
      if (bits === 0 && (baseWords === undefined || bitsAt(baseWords, row) === 0)) continue;
      const one = key[row];
      if (targetByKey[one] === 0) targetByKey[one] = this.#addFrame(one);
      target[row] = targetByKey[one];
    }
    this.#add({ flat, cumulative }, this, outermost);
    if (base !== undefined) this.#add(base, this.base, outermost);
  }

  /**
   * Adds the values of all rows to the sums of their frames. Local variables for the columns halve
   * the time.
   */
  #add(rows: BaseValues, sums: BaseValues, outermost: Uint8Array): void {
    const { target } = this;
    const { flat, cumulative } = rows;
    const { flat: flatSums, cumulative: cumulativeSums } = sums;
    for (let row = 1; row < target.length; row += 1) {
      const slot = target[row] - 1;
      if (slot === -1) continue;
      flatSums[slot] += flat[row];
      if (outermost[row] === 1) cumulativeSums[slot] += cumulative[row];
    }
  }

  /** Returns true if a frame has a value other than 0 on any side; recursion counts once. */
  hasValue(slot: number): boolean {
    const { flat, cumulative, base } = this;
    const isOwn = flat[slot] !== 0n || cumulative[slot] !== 0n;
    return isOwn || base.flat[slot] !== 0n || base.cumulative[slot] !== 0n;
  }

  /** Returns the differences to the base for the frames in `order`; undefined without a base. */
  subtractBase(
    column: 'flat' | 'cumulative',
    order: ArrayLike<number>,
    ratio: BaseRatio,
  ): BigInt64Array | undefined {
    if (!this.#isDiff) return undefined;
    const values = pickValues(this[column], order);
    return subtractBase(values, pickValues(this.base[column], order), ratio);
  }

  /** Adds a frame; returns the number of frames. */
  #addFrame(key: number): number {
    const slot = this.length;
    if (slot >= this.keys.length) this.#grow(slot + 1);
    this.keys[slot] = key;
    this.length = slot + 1;
    return this.length;
  }

  #grow(length: number): void {
    this.keys = grown(this.keys, length);
    this.flat = grown(this.flat, length);
    this.cumulative = grown(this.cumulative, length);
    this.base.flat = grown(this.base.flat, length);
    this.base.cumulative = grown(this.base.cumulative, length);
  }
}

interface BaseWords {
  readonly flat: Int32Array;
  readonly cumulative: Int32Array;
}

function bothWords({ flat, cumulative }: BaseValues): BaseWords {
  return { flat: asWords(flat), cumulative: asWords(cumulative) };
}

/** Returns 0 if both values of a row are 0. */
function bitsAt({ flat, cumulative }: BaseWords, row: number): number {
  const at = row * 2;
  return flat[at] | flat[at + 1] | cumulative[at] | cumulative[at + 1];
}

function largest(keys: Uint32Array, length: number): number {
  let most = 0;
  for (let row = 0; row < length; row += 1) if (keys[row] > most) most = keys[row];
  return most;
}

/** Returns the elements of `from` in the given order. */
export function pickValues(from: BigInt64Array, order: ArrayLike<number>): BigInt64Array {
  const values = new BigInt64Array(order.length);
  for (let i = 0; i < order.length; i += 1) values[i] = from[order[i]];
  return values;
}
