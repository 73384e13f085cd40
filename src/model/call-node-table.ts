// The trie of function names: what a flame graph by function is drawn from.
import { grownInSteps } from './column.ts';
import { HashIndex, mixHash } from './hash-index.ts';
import type { CallNodeIndex } from './rows.ts';

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
  /** 1 where no caller on the path has the same key: cumulative sums of a function count it here. */
  outermost = new Uint8Array(64);
  length = 1;
  private readonly index = new HashIndex(64);

  /** The child of `parent` with `key`, added when it is new. */
  child(parent: CallNodeIndex, key: number): CallNodeIndex {
    const hash = mixHash(mixHash(0x51ed270b, parent), key);
    const { index } = this;
    const { slots, mask } = index.at(hash);
    let slot = hash & mask;
    for (let row = slots[slot]; row !== 0; row = slots[slot]) {
      if (this.key[row] === key && this.parent[row] === parent) return row as CallNodeIndex;
      slot = (slot + 1) & mask;
    }
    const row = this.length;
    this.parent = grownInSteps(this.parent, row + 1, row);
    this.key = grownInSteps(this.key, row + 1, row);
    this.depth = grownInSteps(this.depth, row + 1, row);
    this.outermost = grownInSteps(this.outermost, row + 1, row);
    this.parent[row] = parent;
    this.key[row] = key;
    this.depth[row] = this.depth[parent] + 1;
    this.outermost[row] = this.isOutermost(parent, key) ? 1 : 0;
    this.length = row + 1;
    index.insert(slot, hash, row);
    return row as CallNodeIndex;
  }

  /** Bytes of memory taken. */
  get usedBytes(): number {
    return 13 * this.length + this.index.usedBytes;
  }

  private isOutermost(parent: number, key: number): boolean {
    for (let node = parent; node !== 0; node = this.parent[node]) {
      if (this.key[node] === key) return false;
    }
    return true;
  }
}
