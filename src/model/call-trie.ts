// A trie of calls. A call is identified by its caller and its frame's key.
import { type ColumnMemory, ownMemory } from './column-memory.ts';
import { grown, withCapacity } from './column.ts';
import { HashIndex, mixHash } from './hash-index.ts';

/**
 * Maximum number of children of a call that are kept in a linked list. Nearly all calls have fewer
 * children, which are close together in memory, so walking the list takes less memory than an index
 * and a tenth of the time.
 */
const chainedChildrenMax = 8;

/** Row 0 is the root. Parents precede children. The owner defines the meaning of keys. */
export class CallTrie {
  length = 1;
  /** Row of the caller. */
  parent = new Int32Array(1);
  key = new Uint32Array(1);
  /** Number of calls from the root; 0 for the root. */
  depth = new Int32Array(1);
  /** First child of a row, and next sibling of a row; 0 = none. */
  #firstChild = new Int32Array(1);
  #nextSibling = new Int32Array(1);
  /** Index of the children that are not in the linked list of their parent. */
  readonly #index = new HashIndex(64);
  #outermost = new Uint8Array(0);
  #outermostBelow = 1;
  readonly #memory: ColumnMemory;

  /**
   * Creates a trie. Pass `memory` only for a trie that is built without pauses, and that is not
   * used after the memory is released.
   */
  constructor(memory: ColumnMemory = ownMemory) {
    this.#memory = memory;
  }

  /** Reserves space for `count` more rows, for a trie that is built without pauses. */
  reserve(count: number): void {
    const { length } = this;
    const memory = this.#memory;
    this.parent = withCapacity(this.parent, length, count, memory);
    this.key = withCapacity(this.key, length, count, memory);
    this.depth = withCapacity(this.depth, length, count, memory);
    this.#firstChild = withCapacity(this.#firstChild, length, count, memory);
    this.#nextSibling = withCapacity(this.#nextSibling, length, count, memory);
  }

  /** Returns the child of `parent` with `key`, added if it is new. */
  child(parent: number, key: number): number {
    let last = 0;
    let count = 0;
    for (let row = this.#firstChild[parent]; row !== 0; row = this.#nextSibling[row]) {
      if (this.key[row] === key) return row;
      last = row;
      count += 1;
    }
    if (count === chainedChildrenMax) return this.#indexedChild(parent, key);
    const row = this.add(parent, key);
    if (last === 0) this.#firstChild[parent] = row;
    else this.#nextSibling[last] = row;
    return row;
  }

  /** Adds a row that `child` did not find. */
  add(parent: number, key: number): number {
    const row = this.length;
    if (row === this.parent.length) this.reserve(1);
    this.parent[row] = parent;
    this.key[row] = key;
    this.depth[row] = this.depth[parent] + 1;
    this.length = row + 1;
    return row;
  }

  /** Memory in bytes. */
  get usedBytes(): number {
    return 21 * this.length + this.#index.usedBytes;
  }

  /**
   * Returns 1 for each row without an ancestor of the same key, and 0 for other rows. Cumulative
   * sums count a function only in rows with 1. The result is computed on demand, because few
   * reports need it and each row takes a walk to the root.
   */
  outermostRows(): Uint8Array {
    this.#outermost = grown(this.#outermost, this.length);
    markOutermost(this, this.#outermost, this.#outermostBelow, this.length);
    this.#outermostBelow = this.length;
    return this.#outermost;
  }

  #indexedChild(parent: number, key: number): number {
    const hash = mixHash(mixHash(0x51ed270b, parent), key);
    const index = this.#index;
    const { slots, mask } = index.at(hash);
    let slot = hash & mask;
    for (let row = slots[slot]; row !== 0; row = slots[slot]) {
      if (this.key[row] === key && this.parent[row] === parent) return row;
      slot = (slot + 1) & mask;
    }
    const row = this.add(parent, key);
    index.insert(slot, hash, row);
    return row;
  }
}

/** For rows `from` to `end`, sets `marks` to 1 if no ancestor has the same key, else to 0. */
function markOutermost(
  { parent, key }: { readonly parent: Int32Array; readonly key: Uint32Array },
  marks: Uint8Array,
  from: number,
  end: number,
): void {
  for (let row = from; row < end; row += 1) {
    let caller = parent[row];
    while (caller !== 0 && key[caller] !== key[row]) caller = parent[caller];
    marks[row] = caller === 0 ? 1 : 0;
  }
}
