// An open-addressed index from a 32-bit hash to a table row.
import { assert } from '../base/assert.ts';

/** The slots of an index; see HashIndex. */
export interface HashSlots {
  readonly slots: Int32Array;
  readonly hashes: Int32Array;
  readonly mask: number;
}

/** An index with more slots than this grows step by step; fewer are moved at once in 0.2 ms. */
const slotsMovedAtOnce = 16_384;
/** Slots that one insert moves: growing is over long before the old slots fill up. */
const slotsMovedPerInsert = 32;

/**
 * Finds rows by hash; the table that owns it compares the candidates.
 *
 * Layout: `slots` holds row numbers, 0 = free, linear probing from `hash & mask`; `hashes` holds
 * the hash of the row in the slot beside it, so that growing never touches the table. It is empty
 * when the table gives `hashOf`, which saves 8-16 bytes a row and makes inserts slower.
 *
 * Use: `{ slots, mask } = at(hash)`; from `hash & mask` on, while `slots[slot]` is not 0, compare,
 * else the next slot; a miss inserts with `insert(slot, hash, row)`, provided that nothing else
 * was inserted in between.
 *
 * Load is at most 1/2 (17/32 while it grows). Growing moves a few slots with every insert, so that
 * none takes long: up to 4 million rows (a head is cut long before) the longest insert took under
 * 1 ms, where moving all at once took 57.
 */
export class HashIndex implements HashSlots {
  slots: Int32Array;
  hashes: Int32Array;
  mask: number;
  #used = 0;
  /** While it grows: the slots that rows are moved from. Of this class, so that `at` has one. */
  #old: HashIndex | undefined = undefined;
  /** While it grows: where moving began, behind a free slot, and how many slots are done. */
  #start = 0;
  #moved = 0;

  readonly #hashOf: ((row: number) => number) | undefined;

  /** `capacity`: a power of two. */
  constructor(capacity = 1024, hashOf?: (row: number) => number) {
    this.#hashOf = hashOf;
    this.slots = new Int32Array(capacity);
    this.hashes = new Int32Array(hashOf === undefined ? capacity : 0);
    this.mask = capacity - 1;
  }

  /** The slots where rows with this hash are, or belong. */
  at(hash: number): HashSlots {
    const old = this.#old;
    // Rows are moved in the order of where their probing begins, whole runs of taken slots at once.
    if (old === undefined || ((hash - this.#start) & old.mask) < this.#moved) return this;
    return old;
  }

  /** Puts `row` (> 0) with `hash` into the free slot where the probing ended. */
  insert(slot: number, hash: number, row: number): void {
    assert(row > 0, 'row 0 is never indexed');
    const { slots, hashes } = this.at(hash);
    slots[slot] = row;
    if (this.#hashOf === undefined) hashes[slot] = hash | 0;
    this.#used += 1;
    if (this.#old !== undefined) this.#move(this.#old, slotsMovedPerInsert);
    else if (this.#used * 2 > slots.length) this.#grow();
  }

  /** Bytes of its arrays. */
  get usedBytes(): number {
    const slots = this.slots.length + (this.#old?.slots.length ?? 0);
    return (this.#hashOf === undefined ? 8 : 4) * slots;
  }

  #grow(): void {
    const old = new HashIndex(0);
    const capacity = this.slots.length;
    old.slots = this.slots;
    old.hashes = this.hashes;
    old.mask = this.mask;
    let slot = 0;
    while (old.slots[slot] !== 0) slot += 1;
    this.#start = slot + 1;
    this.#moved = 0;
    this.#old = old;
    this.slots = new Int32Array(capacity * 2);
    if (this.#hashOf === undefined) this.hashes = new Int32Array(capacity * 2);
    this.mask = capacity * 2 - 1;
    if (capacity <= slotsMovedAtOnce) this.#move(old, capacity);
  }

  /** Moves the rows of at least `count` more slots, up to the next free one. */
  #move(old: HashIndex, count: number): void {
    const { slots, hashes } = old;
    const { slots: nextSlots, hashes: nextHashes, mask } = this;
    const hashOf = this.#hashOf;
    let moved = this.#moved;
    for (const end = moved + count; ; moved += 1) {
      const from = (this.#start + moved) & old.mask;
      const row = slots[from];
      if (row !== 0) {
        const hash = hashOf === undefined ? hashes[from] : hashOf(row);
        let slot = hash & mask;
        while (nextSlots[slot] !== 0) slot = (slot + 1) & mask;
        nextSlots[slot] = row;
        if (hashOf === undefined) nextHashes[slot] = hash;
        slots[from] = 0;
      } else if (moved >= slots.length) {
        // Not before: rows that came late may be behind the last slot, where moving began.
        this.#old = undefined;
        return;
      } else if (moved >= end) {
        this.#moved = moved;
        return;
      }
    }
  }
}

/** Mixes one 32-bit word into a 32-bit hash. */
export function mixHash(hash: number, word: number): number {
  let h = Math.imul(hash ^ word, 0x9e3779b1);
  h ^= h >>> 15;
  return Math.imul(h, 0x85ebca77) ^ (h >>> 13);
}
