// The table of stacks, and the trie of locations that they share.
import { assert } from '../base/assert.ts';
import { grown, grownInSteps } from './column.ts';
import { HashIndex, mixHash } from './hash-index.ts';
import type { LocationIndex, NodeIndex, StackIndex } from './rows.ts';

/**
 * Nodes: `nodeParent`, `nodeLocation`; row 0 is the root of all stacks; parents precede children.
 * Stacks: `leaf` is the node of the innermost frame; row 0 is the empty stack.
 *
 * A stack is found by a 64-bit hash of its locations, leaf first (stack-hash.ts), in 2.5-9 ns a
 * frame. Only new stacks walk the trie, in 35-68 ns a frame. The hash starts from a secret seed and
 * serves as the identity of a stack: among 3 million stacks, any two collide with a probability of
 * 2e-7.
 */
export class StackTable {
  nodeParent = new Int32Array(64);
  nodeLocation = new Int32Array(64);
  nodeCount = 1;

  leaf = new Int32Array(64);
  hashLow = new Int32Array(64);
  hashHigh = new Int32Array(64);
  length = 1;

  readonly seedLow: number;
  readonly seedHigh: number;
  #isAdopted = false;
  #isReadOnce = false;
  readonly #nodes = new HashIndex(64);
  readonly #stacks = new HashIndex(64);

  constructor(seedLow: number, seedHigh: number) {
    this.seedLow = seedLow | 0;
    this.seedHigh = seedHigh | 0;
  }

  /** Reserves space for `count` more nodes, for a table that is built without pauses. */
  reserveNodes(count: number): void {
    this.nodeParent = grown(this.nodeParent, this.nodeCount + count);
    this.nodeLocation = grown(this.nodeLocation, this.nodeCount + count);
  }

  /** Takes over the columns of a decoded trie. No node can be looked up afterwards. */
  adoptNodes(nodeParent: Int32Array<ArrayBuffer>, nodeLocation: Int32Array<ArrayBuffer>): void {
    assert(this.nodeCount === 1, 'only an empty table adopts');
    this.nodeParent = nodeParent;
    this.nodeLocation = nodeLocation;
    this.nodeCount = nodeParent.length;
    this.#isAdopted = true;
  }

  /** Takes over decoded stacks, without hashes. No stack can be looked up afterwards. */
  adoptStacks(leaf: Int32Array<ArrayBuffer>): void {
    assert(this.length === 1, 'only an empty table adopts');
    this.leaf = leaf;
    this.length = leaf.length;
    this.#isAdopted = true;
  }

  /**
   * Makes `child` and `addLeaf` add every row without a lookup. This is for a read-only copy, whose
   * rows arrive in order and only once. Such a table needs no indexes, which take most of the
   * memory of a table.
   */
  readOnce(): void {
    assert(this.nodeCount === 1 && this.length === 1, 'only an empty table has no indexes');
    this.#isReadOnce = true;
  }

  /** Returns the stack with this hash; 0 if there is none. */
  find(hashLow: number, hashHigh: number): StackIndex {
    assert(!this.#isAdopted, 'an adopted table is complete');
    const stacks = this.#stacks;
    const { slots, hashes, mask } = stacks.at(hashLow);
    let slot = hashLow & mask;
    for (let row = slots[slot]; row !== 0; row = slots[slot]) {
      if (hashes[slot] === hashLow && this.hashHigh[row] === hashHigh) {
        return row as StackIndex;
      }
      slot = (slot + 1) & mask;
    }
    return 0 as StackIndex;
  }

  /**
   * Sets `found[i]` to the stack with hash `i`, for the first `count` hashes, like `find`; 0 if
   * there is none. Memory reads overlap, as in `LocationTable.findAll`.
   */
  findAll(hashLow: Int32Array, hashHigh: Int32Array, count: number, found: Uint32Array): void {
    const stacks = this.#stacks;
    for (let i = 0; i < count; i += 1) {
      const low = hashLow[i];
      const { slots, hashes, mask } = stacks.at(low);
      const slot = low & mask;
      found[i] = hashes[slot] === low ? slots[slot] : 0;
    }
    const known = this.hashHigh;
    for (let i = 0; i < count; i += 1) {
      if (found[i] === 0 || known[found[i]] !== hashHigh[i]) {
        found[i] = this.find(hashLow[i], hashHigh[i]);
      }
    }
  }

  /**
   * Adds the stack of the first `depth` locations (LocationIndex, leaf first, at least one) with
   * its hash. `find` must have returned 0 for this hash.
   */
  add(
    hashLow: number,
    hashHigh: number,
    locations: ArrayLike<number>,
    depth: number = locations.length,
  ): StackIndex {
    let node = 0 as NodeIndex;
    for (let i = depth - 1; i >= 0; i -= 1) {
      node = this.child(node, locations[i] as LocationIndex);
    }
    return this.addLeaf(hashLow, hashHigh, node);
  }

  /** Adds a stack by its leaf node, for replay, which reads nodes before stacks. */
  addLeaf(hashLow: number, hashHigh: number, leaf: NodeIndex): StackIndex {
    const row = this.length;
    this.leaf = grownInSteps(this.leaf, row + 1, row);
    this.hashLow = grownInSteps(this.hashLow, row + 1, row);
    this.hashHigh = grownInSteps(this.hashHigh, row + 1, row);
    this.leaf[row] = leaf;
    this.hashLow[row] = hashLow;
    this.hashHigh[row] = hashHigh;
    this.length = row + 1;
    if (this.#isReadOnce) return row as StackIndex;
    const stacks = this.#stacks;
    const { slots, mask } = stacks.at(hashLow);
    let slot = hashLow & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    stacks.insert(slot, hashLow, row);
    return row as StackIndex;
  }

  /** Memory in bytes. */
  get usedBytes(): number {
    return 8 * this.nodeCount + 12 * this.length + this.#nodes.usedBytes + this.#stacks.usedBytes;
  }

  /** Returns the child of `parent` at `location`; adds it if it is new. */
  child(parent: NodeIndex, location: LocationIndex): NodeIndex {
    assert(!this.#isAdopted, 'an adopted table is complete');
    if (this.#isReadOnce) return this.addNode(parent, location);
    const hash = mixHash(mixHash(0x2545f491, parent), location);
    const nodes = this.#nodes;
    const { slots, mask } = nodes.at(hash);
    let slot = hash & mask;
    for (let row = slots[slot]; row !== 0; row = slots[slot]) {
      if (this.nodeParent[row] === parent && this.nodeLocation[row] === location) {
        return row as NodeIndex;
      }
      slot = (slot + 1) & mask;
    }
    const row = this.addNode(parent, location);
    nodes.insert(slot, hash, row);
    return row;
  }

  /** Adds a node that `child` does not find. */
  addNode(parent: NodeIndex, location: LocationIndex): NodeIndex {
    const row = this.nodeCount;
    this.nodeParent = grownInSteps(this.nodeParent, row + 1, row);
    this.nodeLocation = grownInSteps(this.nodeLocation, row + 1, row);
    this.nodeParent[row] = parent;
    this.nodeLocation[row] = location;
    this.nodeCount = row + 1;
    return row as NodeIndex;
  }

  /** Adds a stand-in for a lost node: a child of the root that `child` does not find. */
  addUnknownNode(): void {
    this.addNode(0 as NodeIndex, 0 as LocationIndex);
  }
}
