// Values summed by frame, whoever called it: what tables and call graphs are made of.
import { grown } from '../model/column.ts';
import { HashIndex, mixHash } from '../model/hash-index.ts';
import type { CallTree } from './call-tree.ts';

/**
 * Sums of a tree by key, numbered in the order in which the keys come; rows without a value are
 * left out. A recursive function counts once in `cumulative`.
 *
 * Shape: columns have `length` used elements, maybe more.
 */
export class FrameSums {
  length = 0;
  keys = new Uint32Array(256);
  flat = new BigInt64Array(256);
  cumulative = new BigInt64Array(256);
  /** By tree row: 1 + number of its frame, 0 = without a value. */
  readonly target: Int32Array;
  private readonly index = new HashIndex(1024);

  constructor({ length, key, outermost, flat, cumulative }: CallTree) {
    this.target = new Int32Array(length);
    const words = new Int32Array(cumulative.buffer);
    const flatWords = new Int32Array(flat.buffer);
    for (let row = 1; row < length; row += 1) {
      const at = row * 2;
      if ((words[at] | words[at + 1] | flatWords[at] | flatWords[at + 1]) === 0) continue;
      const slot = this.slotOf(key[row]);
      this.target[row] = slot + 1;
      this.flat[slot] += flat[row];
      if (outermost[row] === 1) this.cumulative[slot] += cumulative[row];
    }
  }

  private slotOf(key: number): number {
    const { index } = this;
    const hash = mixHash(0x1b873593, key);
    let at = hash & index.mask;
    for (let row = index.slots[at]; row !== 0; row = index.slots[at]) {
      if (this.keys[row - 1] === key) return row - 1;
      at = (at + 1) & index.mask;
    }
    const slot = this.length;
    this.length = slot + 1;
    this.keys = grown(this.keys, slot + 1);
    this.flat = grown(this.flat, slot + 1);
    this.cumulative = grown(this.cumulative, slot + 1);
    this.keys[slot] = key;
    index.insert(at, hash, slot + 1);
    return slot;
  }
}
