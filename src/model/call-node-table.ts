// The trie of function names: what a flame graph by function is drawn from.
import { grown, grownInSteps } from './column.ts';
import { HashIndex, mixHash } from './hash-index.ts';
import type { CallNodeIndex } from './rows.ts';

/**
 * Children of a node that are found by walking from one to the next. Nearly all nodes have fewer,
 * and lie beside each other, so that this takes a tenth of the time of an index, and less memory.
 */
const chainedChildrenMax = 8;

/**
 * Call nodes: a path of frame names from the root; row 0 is the root. Parents precede children.
 *
 * The key of a node tells its frame among siblings: `StringIndex * 2` of the function's display
 * name, or `LocationIndex * 2 + 1` where the location has no line (shown by address). Inlined calls
 * are nodes of their own, outermost first.
 */
export class CallNodeTable {
  /** CallNodeIndex of the caller. */
  parent = new Int32Array(64);
  /** Frame key, see above. */
  key = new Uint32Array(64);
  /** Frames from the root; the root has 0. */
  depth = new Int32Array(64);
  length = 1;
  /** By node: its first child, and the next child of its parent; 0 = none. */
  private firstChild = new Int32Array(64);
  private nextSibling = new Int32Array(64);
  /** Children by parent and key, but for the first of each parent. */
  private readonly index = new HashIndex(64);
  private outermost = new Uint8Array(64);
  private outermostBelow = 1;

  /** Makes room for so many more nodes at once: for a table that is built in one go. */
  reserve(count: number): void {
    const length = this.length + count;
    this.parent = grown(this.parent, length);
    this.key = grown(this.key, length);
    this.depth = grown(this.depth, length);
    this.firstChild = grown(this.firstChild, length);
    this.nextSibling = grown(this.nextSibling, length);
  }

  /** The child of `parent` with `key`, added when it is new. */
  child(parent: CallNodeIndex, key: number): CallNodeIndex {
    let last = 0;
    let count = 0;
    for (let row = this.firstChild[parent]; row !== 0; row = this.nextSibling[row]) {
      if (this.key[row] === key) return row as CallNodeIndex;
      last = row;
      count += 1;
    }
    if (count === chainedChildrenMax) return this.indexedChild(parent, key);
    const row = this.append(parent, key);
    if (last === 0) this.firstChild[parent] = row;
    else this.nextSibling[last] = row;
    return row;
  }

  /** Bytes of memory taken. */
  get usedBytes(): number {
    return 21 * this.length + this.index.usedBytes;
  }

  /** A child behind those that are chained. */
  private indexedChild(parent: CallNodeIndex, key: number): CallNodeIndex {
    const hash = mixHash(mixHash(0x51ed270b, parent), key);
    const { index } = this;
    const { slots, mask } = index.at(hash);
    let slot = hash & mask;
    for (let row = slots[slot]; row !== 0; row = slots[slot]) {
      if (this.key[row] === key && this.parent[row] === parent) return row as CallNodeIndex;
      slot = (slot + 1) & mask;
    }
    const row = this.append(parent, key);
    index.insert(slot, hash, row);
    return row;
  }

  private append(parent: number, key: number): CallNodeIndex {
    const row = this.length;
    this.parent = grownInSteps(this.parent, row + 1, row);
    this.key = grownInSteps(this.key, row + 1, row);
    this.depth = grownInSteps(this.depth, row + 1, row);
    this.parent[row] = parent;
    this.key[row] = key;
    this.depth[row] = this.depth[parent] + 1;
    this.firstChild = grown(this.firstChild, row + 1);
    this.nextSibling = grown(this.nextSibling, row + 1);
    this.length = row + 1;
    return row as CallNodeIndex;
  }

  /**
   * 1 where no caller on the path has the same key: cumulative sums of a function count it here.
   * Decided when it is asked for: few reports do, and a row takes a walk to the root.
   */
  outermostRows(): Uint8Array {
    this.outermost = grown(this.outermost, this.length);
    markOutermost(this, this.outermost, this.outermostBelow, this.length);
    this.outermostBelow = this.length;
    return this.outermost;
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
