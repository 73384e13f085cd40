// The stacks of all chunks as one call tree: nodes with a parent and a frame, in columns.
import { AppError } from '../../base/errors.ts';
import { jfrProbesMax } from '../limits.ts';
import { grown } from '../../model/column.ts';
import { HashIndex } from '../../model/hash-index.ts';
import { what } from './cursor.ts';

/** A trie of calls. Node 0 is the root, without a frame. */
export class CallTree {
  /** Parent and frame of each node, adjacent because they are compared together. */
  #links = new Int32Array(2_048);
  #depths = new Int32Array(1_024);
  readonly #index = new HashIndex();
  #count = 1;

  /** Number of nodes. */
  get count(): number {
    return this.#count;
  }

  /** Returns the node of `frame` called by `parent`. */
  child(parent: number, frame: number): number {
    // The nodes of a new stack have consecutive numbers, so most calls need no hash lookup.
    const next = parent + 1;
    if (this.#links[next * 2] === parent && this.#links[next * 2 + 1] === frame && parent > 0) {
      return next;
    }
    const hash = Math.imul(parent ^ Math.imul(frame, 0x85eb_ca6b), 0x9e37_79b1);
    const spread = Math.imul(hash ^ (hash >>> 15), 0x2c1b_3c6d);
    const { slots, mask } = this.#index.at(spread);
    let slot = spread & mask;
    let probes = 0;
    for (let node = slots[slot]; node !== 0; node = slots[slot]) {
      if (this.#links[node * 2] === parent && this.#links[node * 2 + 1] === frame) return node;
      slot = (slot + 1) & mask;
      probes += 1;
      if (probes > jfrProbesMax) throw makeTooManyProbesError();
    }
    const node = this.#count;
    this.#count += 1;
    // The array has space for one node after the last, because `child` reads the node after
    // `parent`.
    this.#links = grown(this.#links, this.#count * 2 + 2);
    this.#depths = grown(this.#depths, this.#count);
    this.#links[node * 2] = parent;
    this.#links[node * 2 + 1] = frame;
    this.#depths[node] = this.#depths[parent] + 1;
    this.#index.insert(slot, spread, node);
    return node;
  }

  depth(node: number): number {
    return this.#depths[node];
  }

  /** Writes the frames of a stack into `into`, leaf first, and returns `into`. */
  readFrames(node: number, into: number[]): number[] {
    into.length = this.#depths[node];
    let i = 0;
    for (let at = node; at !== 0; at = this.#links[at * 2]) {
      into[i] = this.#links[at * 2 + 1];
      i += 1;
    }
    return into;
  }
}

/** Returns the error for a recording whose stacks were crafted to have the same hash. */
export function makeTooManyProbesError(): AppError {
  const why = `more than ${jfrProbesMax} of its stacks have one hash`;
  return new AppError('resource-exhausted', `${what}: ${why}`);
}
