// Calls as a trie: a call is known by its caller, and by the key of its frame among siblings.
import { grown, withRoom } from './column.ts';
import { HashIndex, mixHash } from './hash-index.ts';

/**
 * Children of a call that are found by walking from one to the next. Nearly all calls have fewer,
 * and lie beside each other, so that this takes a tenth of the time of an index, and less memory.
 */
const chainedChildrenMax = 8;

/** Row 0 is the root; parents precede children. What keys stand for, the owner says. */
export class CallTrie {
  length = 1;
  /** Row of the caller. */
  parent = new Int32Array(1);
  key = new Uint32Array(1);
  /** Calls from the root, which has 0. */
  depth = new Int32Array(1);
  /** By row: its first child, and the next child of its parent; 0 = none. */
  #firstChild = new Int32Array(1);
  #nextSibling = new Int32Array(1);
  /** Children behind those that are chained. */
  readonly #index = new HashIndex(64);
  #outermost = new Uint8Array(0);
  #outermostBelow = 1;

  /** Makes room for so many more rows at once: for a trie that is built in one go. */
  reserve(count: number): void {
    const { length } = this;
    this.parent = withRoom(this.parent, length, count);
    this.key = withRoom(this.key, length, count);
    this.depth = withRoom(this.depth, length, count);
    this.#firstChild = withRoom(this.#firstChild, length, count);
    this.#nextSibling = withRoom(this.#nextSibling, length, count);
  }

  /** The child of `parent` with `key`, added when it is new. */
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

  /** A new row, which `child` does not find. */
  add(parent: number, key: number): number {
    const row = this.length;
    if (row === this.parent.length) this.reserve(1);
    this.parent[row] = parent;
    this.key[row] = key;
    this.depth[row] = this.depth[parent] + 1;
    this.length = row + 1;
    return row;
  }

  /** Bytes of memory taken. */
  get usedBytes(): number {
    return 21 * this.length + this.#index.usedBytes;
  }

  /**
   * 1 where no caller on the path has the same key: cumulative sums of a function count it here.
   * Decided when it is asked for: few reports do, and a row takes a walk to the root.
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

/** Sets `marks` of rows `from` to `end` to 1 where no row above has the same key, else to 0. */
export function markOutermost(
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
