// Rows of a call tree in the making, found by caller and key.
import { grown } from '../model/column.ts';
import type { ColumnArray } from '../model/column.ts';
import { HashIndex, mixHash } from '../model/hash-index.ts';

/** Children of a row that are found by walking from one to the next: nearly all rows have fewer. */
const chainedChildrenMax = 8;

/** Calls; row 0 is the root, parents precede children. See CallTree for the columns. */
export class CallRows {
  length = 1;
  parent = new Int32Array(1);
  key = new Uint32Array(1);
  /** Frames from the root, label rows counted. */
  depth = new Int32Array(1);
  /** By row: its first child, and the next child of its parent; 0 = none. */
  private firstChild = new Int32Array(1);
  private nextSibling = new Int32Array(1);
  /** Children behind those that are chained. */
  private readonly index = new HashIndex(64);

  /** Makes room for so many more rows. */
  reserve(count: number): void {
    const { length } = this;
    this.parent = withRoom(this.parent, length, count);
    this.key = withRoom(this.key, length, count);
    this.depth = withRoom(this.depth, length, count);
    this.firstChild = withRoom(this.firstChild, length, count);
    this.nextSibling = withRoom(this.nextSibling, length, count);
  }

  /** A new row, which `child` does not find; there is room for it. */
  add(parent: number, key: number): number {
    const row = this.length;
    this.parent[row] = parent;
    this.key[row] = key;
    this.depth[row] = this.depth[parent] + 1;
    this.length = row + 1;
    return row;
  }

  /** The child of `parent` with `key`, added when it is new; there is room for it. */
  child(parent: number, key: number): number {
    const { nextSibling } = this;
    let last = 0;
    let count = 0;
    for (let row = this.firstChild[parent]; row !== 0; row = nextSibling[row]) {
      if (this.key[row] === key) return row;
      last = row;
      count += 1;
    }
    if (count === chainedChildrenMax) return this.indexedChild(parent, key);
    const row = this.add(parent, key);
    if (last === 0) this.firstChild[parent] = row;
    else nextSibling[last] = row;
    return row;
  }

  private indexedChild(parent: number, key: number): number {
    const hash = mixHash(mixHash(0x51ed270b, parent), key);
    const { index } = this;
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

/** A column that is longer was made for rows, not for those of labels alone. */
const emptyLengthMax = 64;

/**
 * A column with room for `count` more rows than are used. The first time there is none for others:
 * what is not used is cleared in vain.
 */
export function withRoom<A extends ColumnArray>(column: A, used: number, count: number): A {
  const rows = used + count;
  if (rows <= column.length || column.length > emptyLengthMax) return grown(column, rows);
  const first = new (column.constructor as new (length: number) => A)(rows);
  (first as Uint8Array).set(column as Uint8Array);
  return first;
}
