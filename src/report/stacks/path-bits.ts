// Bits that describe the paths of a trie of stacks: a path has the bits of all its locations.
import { grown } from '../../model/column.ts';
import type { Dictionary } from '../../model/dictionary.ts';

/** Maximum number of bits per path. */
export const pathFactsMax = 31;

/** Bit that marks a node or location that has been evaluated. */
const known = 1 << 31;

/**
 * Evaluates each location and each trie node once, for all stacks that share it. The dictionary may
 * grow between calls.
 */
export class PathBits {
  readonly #dictionary: Dictionary;
  readonly #decideLocation: (location: number) => number;
  /** Bits of each trie node and each location; 0 = not evaluated yet. */
  #nodeBits: Int32Array;
  #locationBits: Int32Array;
  /** All nodes below this number have been evaluated. */
  #decidedBelow = 1;
  #path = new Int32Array(64);

  /**
   * Calls `decideLocation` once per location; it must return bits below `1 << pathFactsMax`. Every
   * path has `rootBits`.
   */
  constructor(dictionary: Dictionary, decideLocation: (location: number) => number, rootBits = 0) {
    this.#dictionary = dictionary;
    this.#decideLocation = decideLocation;
    this.#nodeBits = new Int32Array(dictionary.stacks.nodeCount);
    this.#locationBits = new Int32Array(dictionary.locations.length);
    this.#nodeBits[0] = known | rootBits;
  }

  /** Evaluates all nodes, at 2-3 ns each; `read` takes about 10 ns per node. */
  decideAll(): void {
    this.#reserve();
    const nodeBits = this.#nodeBits;
    const locationBits = this.#locationBits;
    const { nodeCount, nodeParent, nodeLocation } = this.#dictionary.stacks;
    // Locations are in the order of their lines, so memory is read sequentially.
    for (let location = 0; location < this.#dictionary.locations.length; location += 1) {
      if (locationBits[location] === 0) this.#decide(location);
    }
    for (let node = this.#decidedBelow; node < nodeCount; node += 1) {
      nodeBits[node] = nodeBits[nodeParent[node]] | locationBits[nodeLocation[node]];
    }
    this.#decidedBelow = nodeCount;
  }

  /** Returns the bits of all locations from the root to a node. */
  read(leaf: number): number {
    if (leaf >= this.#nodeBits.length) this.#reserve();
    const nodeBits = this.#nodeBits;
    const locationBits = this.#locationBits;
    const { nodeParent, nodeLocation } = this.#dictionary.stacks;
    let count = 0;
    let node = leaf;
    for (; nodeBits[node] === 0; node = nodeParent[node]) {
      this.#path = grown(this.#path, count + 1);
      this.#path[count] = node;
      count += 1;
    }
    let bits = nodeBits[node];
    for (let i = count - 1; i >= 0; i -= 1) {
      const location = nodeLocation[this.#path[i]];
      bits |= locationBits[location] || this.#decide(location);
      nodeBits[this.#path[i]] = bits;
    }
    return bits & ~known;
  }

  /** Returns the bits of one location. */
  bitsOfLocation(location: number): number {
    return (this.#locationBits[location] || this.#decide(location)) & ~known;
  }

  #decide(location: number): number {
    const bits = this.#decideLocation(location) | known;
    this.#locationBits[location] = bits;
    return bits;
  }

  #reserve(): void {
    this.#nodeBits = grown(this.#nodeBits, this.#dictionary.stacks.nodeCount);
    this.#locationBits = grown(this.#locationBits, this.#dictionary.locations.length);
  }
}
