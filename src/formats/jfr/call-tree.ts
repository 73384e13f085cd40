// Stacks of all chunks as one tree of calls: nodes with a parent and a frame, in columns.
import { grown } from '../../model/column.ts';
import { HashIndex } from '../../model/hash-index.ts';

/** Node 0 is the root, without a frame. */
export class CallTree {
  #parents = new Int32Array(1_024);
  #frames = new Int32Array(1_024);
  #depths = new Int32Array(1_024);
  readonly #index = new HashIndex();
  #count = 1;

  /** Number of nodes. */
  get count(): number {
    return this.#count;
  }

  /** Returns the node of `frame` called by `parent`. */
  child(parent: number, frame: number): number {
    const hash = Math.imul(parent ^ Math.imul(frame, 0x85eb_ca6b), 0x9e37_79b1);
    const spread = Math.imul(hash ^ (hash >>> 15), 0x2c1b_3c6d);
    const { slots, mask } = this.#index.at(spread);
    let slot = spread & mask;
    for (let node = slots[slot]; node !== 0; node = slots[slot]) {
      if (this.#parents[node] === parent && this.#frames[node] === frame) return node;
      slot = (slot + 1) & mask;
    }
    const node = this.#count;
    this.#count += 1;
    this.#parents = grown(this.#parents, this.#count);
    this.#frames = grown(this.#frames, this.#count);
    this.#depths = grown(this.#depths, this.#count);
    this.#parents[node] = parent;
    this.#frames[node] = frame;
    this.#depths[node] = this.#depths[parent] + 1;
    this.#index.insert(slot, spread, node);
    return node;
  }

  depthOf(node: number): number {
    return this.#depths[node];
  }

  /** Yields the frames of a stack, leaf first. */
  *framesOf(node: number): Generator<number> {
    for (let at = node; at !== 0; at = this.#parents[at]) yield this.#frames[at];
  }
}
