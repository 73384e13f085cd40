// Which stacks a filter lets pass, decided once for each node of the trie that stacks share.
import type { Dictionary } from '../model/dictionary.ts';
import { grown } from '../model/column.ts';
import { FrameCriteriaTester } from './frame-criteria.ts';
import type { FrameCriteria } from './frame-criteria.ts';

/** What is known of a node's path from the root, or of a location: bits. */
const known = 1;
const found = 2;
const excluded = 4;

/**
 * A filter of whole stacks: one frame must satisfy all conditions that are not negated, and no
 * frame may be what a negated one excludes. The empty stack passes, as in Parca, unless the filter
 * is about any name: then it does not, as in `go tool pprof`.
 */
export class StackFilter {
  private readonly dictionary: Dictionary;
  private readonly passesEmpty: boolean;
  private readonly tester: FrameCriteriaTester;
  /** By location trie node. */
  private nodeBits: Uint8Array;
  /** By location. */
  private locationBits: Uint8Array;
  private path = new Int32Array(64);

  constructor(dictionary: Dictionary, criteria: FrameCriteria) {
    this.dictionary = dictionary;
    this.passesEmpty = criteria.anyName === undefined;
    this.tester = new FrameCriteriaTester(dictionary, criteria);
    this.nodeBits = new Uint8Array(dictionary.stacks.nodeCount);
    this.locationBits = new Uint8Array(dictionary.locations.length);
    this.nodeBits[0] = this.tester.isPositive ? known : known | found;
  }

  passes(stack: number): boolean {
    const node = this.dictionary.stacks.leaf[stack];
    if (node === 0) return this.passesEmpty;
    return (this.bitsOf(node) & (found | excluded)) === found;
  }

  private bitsOf(leaf: number): number {
    const { dictionary } = this;
    // The dictionary may grow meanwhile: that of an earlier view while it is used.
    this.nodeBits = grown(this.nodeBits, dictionary.stacks.nodeCount);
    this.locationBits = grown(this.locationBits, dictionary.locations.length);
    const { nodeBits, locationBits } = this;
    const { nodeParent, nodeLocation } = dictionary.stacks;
    let { path } = this;
    let count = 0;
    let node = leaf;
    while (nodeBits[node] === 0) {
      if (count === path.length) path = grown(path, count + 1);
      path[count] = node;
      count += 1;
      node = nodeParent[node];
    }
    this.path = path;
    let bits = nodeBits[node];
    for (let i = count - 1; i >= 0; i -= 1) {
      const location = nodeLocation[path[i]];
      bits |= locationBits[location] || this.bitsOfLocation(location);
      nodeBits[path[i]] = bits;
    }
    return bits;
  }

  /** Decides about a location that is asked for the first time. */
  private bitsOfLocation(location: number): number {
    const { lineStart } = this.dictionary.locations;
    const end = lineStart[location + 1];
    let line = lineStart[location];
    let all = line === end ? this.bitsOfFrame(location, -1) : known;
    for (; line < end; line += 1) all |= this.bitsOfFrame(location, line);
    this.locationBits[location] = all;
    return all;
  }

  private bitsOfFrame(location: number, line: number): number {
    const { tester } = this;
    return (
      known |
      (tester.isFound(location, line) ? found : 0) |
      (tester.isExcluded(location, line) ? excluded : 0)
    );
  }
}
