// An open-addressed index from a 32-bit hash to a table row.
import { assert } from '../base/assert.ts';

/**
 * Finds rows by hash; the table that owns it compares the candidates.
 *
 * Layout: `slots` holds row numbers, 0 = free, linear probing, load at most 1/2; `hashes` holds the
 * hash of the row in the slot beside it, so that growing never touches the table.
 *
 * Use: `slot = first(hash)`; while `row(slot) !== 0`, compare, else `slot = next(slot)`; a miss
 * inserts with `insert(slot, hash, row)`.
 */
export class HashIndex {
  slots: Int32Array;
  hashes: Int32Array;
  mask: number;
  private used = 0;

  constructor(capacity = 1024) {
    this.slots = new Int32Array(capacity);
    this.hashes = new Int32Array(capacity);
    this.mask = capacity - 1;
  }

  /** Puts `row` (> 0) with `hash` into the free slot where the probing ended. */
  insert(slot: number, hash: number, row: number): void {
    assert(row > 0, 'row 0 is never indexed');
    this.slots[slot] = row;
    this.hashes[slot] = hash | 0;
    this.used += 1;
    if (this.used * 2 > this.slots.length) this.grow();
  }

  private grow(): void {
    const { slots, hashes } = this;
    const capacity = slots.length * 2;
    const mask = capacity - 1;
    const nextSlots = new Int32Array(capacity);
    const nextHashes = new Int32Array(capacity);
    for (let i = 0; i < slots.length; i += 1) {
      const row = slots[i];
      if (row === 0) continue;
      const hash = hashes[i];
      let slot = hash & mask;
      while (nextSlots[slot] !== 0) slot = (slot + 1) & mask;
      nextSlots[slot] = row;
      nextHashes[slot] = hash;
    }
    this.slots = nextSlots;
    this.hashes = nextHashes;
    this.mask = mask;
  }
}

/** Mixes one 32-bit word into a 32-bit hash. */
export function mixHash(hash: number, word: number): number {
  let h = Math.imul(hash ^ word, 0x9e3779b1);
  h ^= h >>> 15;
  return Math.imul(h, 0x85ebca77) ^ (h >>> 13);
}
