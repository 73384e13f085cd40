// An open-addressed index from a 32-bit hash to a table row.
import { assert } from '../base/assert.ts';

/** The slots of an index; see HashIndex. */
interface HashSlots {
  readonly slots: Int32Array;
  readonly hashes: Int32Array;
  readonly mask: number;
}

/**
 * Number of slots above which an index grows in steps. Fewer slots are moved in one step, which
 * takes at most 0.2 ms.
 */
const slotsMovedAtOnce = 16_384;
/**
 * The same limit for an index without stored hashes. Such an index hashes its rows again when it
 * grows, and a row may be a string of 4 KB.
 */
const slotsHashedAtOnce = 256;
/** Number of slots that one insert moves. Growing ends long before the old slots fill up. */
const slotsMovedPerInsert = 32;

/**
 * Finds rows by hash. The table that owns the index compares the candidates.
 *
 * Layout: `slots` has row numbers, 0 = free, with linear probing from `hash & mask`. `hashes` has
 * the hashes of the rows, so that growing does not read the table. It is empty if the table passes
 * `hashRow`, which saves 8-16 bytes a row but makes inserts slower.
 *
 * Use: `{ slots, mask } = at(hash)`. Starting at slot `hash & mask`, compare each row until one is
 * equal or `slots[slot]` is 0. After a miss, call `insert(slot, hash, row)` before any other
 * insert.
 *
 * At most 1/2 of the slots are used (17/32 while the index grows). Each insert moves a few slots of
 * a growing index. With 4 million rows, more than a head has, the longest insert took less than 1
 * ms; moving all slots in one step took 57 ms.
 */
export class HashIndex implements HashSlots {
  slots: Int32Array;
  hashes: Int32Array;
  mask: number;
  #used = 0;
  /**
   * Old slots, from which rows are moved while the index grows. They have the form that `at`
   * returns.
   */
  #old: HashIndex | undefined = undefined;
  /**
   * Slot at which moving began, which follows a free slot, and number of slots that have been
   * moved.
   */
  #start = 0;
  #moved = 0;

  readonly #hashRow: ((row: number) => number) | undefined;

  /** `capacity` must be a power of two. */
  constructor(capacity = 1024, hashRow?: (row: number) => number) {
    this.#hashRow = hashRow;
    this.slots = new Int32Array(capacity);
    this.hashes = new Int32Array(hashRow === undefined ? capacity : 0);
    this.mask = capacity - 1;
  }

  /**
   * Returns the slots that contain rows with this hash, and to which a new row with this hash
   * belongs.
   */
  at(hash: number): HashSlots {
    const old = this.#old;
    // Rows are moved in the order of their first slot, and a cluster of used slots is moved in one
    // step.
    if (old === undefined || ((hash - this.#start) & old.mask) < this.#moved) return this;
    return old;
  }

  /**
   * Replaces each hash in `first` .. `end` with the first row that may have it, 0 = none. The loop
   * has no other work, so that as many memory reads as possible overlap.
   */
  replaceByRows(hashes: Int32Array, first: number, end: number): void {
    if (this.#old !== undefined) {
      for (let i = first; i < end; i += 1) {
        const { slots, mask } = this.at(hashes[i]);
        hashes[i] = slots[hashes[i] & mask];
      }
      return;
    }
    const { slots, mask } = this;
    for (let i = first; i < end; i += 1) hashes[i] = slots[hashes[i] & mask];
  }

  /** Puts `row` (> 0) into the free slot at which probing for `hash` ended. */
  insert(slot: number, hash: number, row: number): void {
    assert(row > 0, 'row 0 is never indexed');
    const { slots, hashes } = this.at(hash);
    slots[slot] = row;
    if (this.#hashRow === undefined) hashes[slot] = hash | 0;
    this.#used += 1;
    if (this.#old !== undefined) this.#move(this.#old, slotsMovedPerInsert);
    else if (this.#used * 2 > slots.length) this.#grow();
  }

  /** Memory used by the arrays, in bytes. */
  get usedBytes(): number {
    const slots = this.slots.length + (this.#old?.slots.length ?? 0);
    return (this.#hashRow === undefined ? 8 : 4) * slots;
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
    if (this.#hashRow === undefined) this.hashes = new Int32Array(capacity * 2);
    this.mask = capacity * 2 - 1;
    const atOnce = this.#hashRow === undefined ? slotsMovedAtOnce : slotsHashedAtOnce;
    if (capacity <= atOnce) this.#move(old, capacity);
  }

  /** Moves the rows of at least `count` more slots, up to the next free slot. */
  #move(old: HashIndex, count: number): void {
    const { slots, hashes } = old;
    const { slots: nextSlots, hashes: nextHashes, mask } = this;
    const hashRow = this.#hashRow;
    let moved = this.#moved;
    for (const end = moved + count; ; moved += 1) {
      const from = (this.#start + moved) & old.mask;
      const row = slots[from];
      if (row !== 0) {
        const hash = hashRow === undefined ? hashes[from] : hashRow(row);
        let slot = hash & mask;
        while (nextSlots[slot] !== 0) slot = (slot + 1) & mask;
        nextSlots[slot] = row;
        if (hashRow === undefined) nextHashes[slot] = hash;
        slots[from] = 0;
      } else if (moved >= slots.length) {
        // The old table is dropped only now: rows that were inserted during the move may be after
        // the last slot, where moving began.
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
