// What the paths of a trie of stacks have, as bits: each has what the locations on it have.
import { grown } from '../model/column.ts';
import type { StackTable } from '../model/stack-table.ts';

/** Facts there can be about a path: a bit each. */
export const pathFactsMax = 31;

/** Bit of a node that is decided. */
const known = 0x8000_0000;

/** Decides once for each node of the trie, however many stacks share it: some 5 ns a node. */
export class PathBits {
  private readonly stacks: StackTable;
  private readonly bitsOfLocation: (location: number) => number;
  /** By trie node; 0 = not decided. */
  private readonly nodeBits: Uint32Array;
  private path = new Int32Array(64);

  /** `bitsOfLocation` is asked once for each node; its bits are below `1 << pathFactsMax`. */
  constructor(stacks: StackTable, bitsOfLocation: (location: number) => number) {
    this.stacks = stacks;
    this.bitsOfLocation = bitsOfLocation;
    this.nodeBits = new Uint32Array(stacks.nodeCount);
    this.nodeBits[0] = known;
  }

  /** The bits of all locations from the root to a node. */
  bitsOf(leaf: number): number {
    const { nodeBits } = this;
    const { nodeParent, nodeLocation } = this.stacks;
    let count = 0;
    let node = leaf;
    for (; nodeBits[node] === 0; node = nodeParent[node]) {
      this.path = grown(this.path, count + 1);
      this.path[count] = node;
      count += 1;
    }
    let bits = nodeBits[node];
    for (let i = count - 1; i >= 0; i -= 1) {
      bits |= this.bitsOfLocation(nodeLocation[this.path[i]]);
      nodeBits[this.path[i]] = bits;
    }
    return bits & ~known;
  }
}
