// The values of a few functions, known by name, without a tree of calls.
import { grown } from '../model/column.ts';
import type { Dictionary } from '../model/dictionary.ts';
import type { MergedStacks } from '../model/merged-stacks.ts';
import type { FunctionIndex } from '../model/rows.ts';

/** Most functions whose values are summed at once: one bit of a word for each. */
export const functionSumsMax = 31;

/** Bit of a word that was computed. */
const known = 0x8000_0000;

/** Values by function, in the order in which they were asked for; recursion counts once. */
export interface FunctionSums {
  readonly flat: BigInt64Array;
  readonly cumulative: BigInt64Array;
}

/**
 * Sums what stacks ending in, and stacks containing, the functions `names` have; at most
 * `functionSumsMax` names, each once. Inlined calls are functions like others.
 *
 * What a path of the trie contains is decided once for each node that stacks share: some 5 ns a
 * node, whatever the number of functions.
 */
export function sumFunctions(
  dictionary: Dictionary,
  { stacks, values }: MergedStacks,
  names: readonly string[],
): FunctionSums {
  const paths = new PathBits(dictionary, names);
  const { leaf, nodeLocation } = dictionary.stacks;
  const flat = new BigInt64Array(names.length);
  const cumulative = new BigInt64Array(names.length);
  for (let i = 0; i < stacks.length; i += 1) {
    const node = leaf[stacks[i]];
    let bits = paths.bitsOf(node) & ~known;
    if (bits === 0) continue;
    const own = paths.innermostBit(nodeLocation[node]);
    if (own !== 0) flat[31 - Math.clz32(own)] += values[i];
    for (; bits !== 0; bits &= bits - 1) cumulative[31 - Math.clz32(bits & -bits)] += values[i];
  }
  return { flat, cumulative };
}

/** Which of the functions are on the path from the root to a node: a bit each. */
class PathBits {
  private readonly dictionary: Dictionary;
  private readonly bitOfText: ReadonlyMap<string, number>;
  /** By StringIndex: each name is read once. */
  private readonly bitOfName = new Map<number, number>();
  /** By trie node and by location; 0 = not decided. */
  private readonly nodeBits: Uint32Array;
  private readonly locationBits: Uint32Array;
  private path = new Int32Array(64);

  constructor(dictionary: Dictionary, names: readonly string[]) {
    const { stacks, locations } = dictionary;
    this.dictionary = dictionary;
    this.bitOfText = new Map(names.map((name, i) => [name, 1 << i]));
    this.nodeBits = new Uint32Array(stacks.nodeCount);
    this.locationBits = new Uint32Array(locations.length);
    this.nodeBits[0] = known;
  }

  bitsOf(leaf: number): number {
    const { nodeBits, dictionary } = this;
    const { nodeParent, nodeLocation } = dictionary.stacks;
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
    return bits;
  }

  /** The bit of the function that runs at a location, 0 = none of them. */
  innermostBit(location: number): number {
    const { lineStart } = this.dictionary.locations;
    const line = lineStart[location];
    return line === lineStart[location + 1] ? 0 : this.bitOfLine(line);
  }

  private bitsOfLocation(location: number): number {
    const decided = this.locationBits[location];
    if (decided !== 0) return decided;
    const { lineStart } = this.dictionary.locations;
    let bits = known;
    for (let line = lineStart[location]; line < lineStart[location + 1]; line += 1) {
      bits |= this.bitOfLine(line);
    }
    this.locationBits[location] = bits;
    return bits;
  }

  private bitOfLine(line: number): number {
    const { functions, locations, strings } = this.dictionary;
    const name = functions.displayName(locations.lineFunction[line] as FunctionIndex);
    const decided = this.bitOfName.get(name);
    if (decided !== undefined) return decided;
    const bit = this.bitOfText.get(strings.text(name)) ?? 0;
    this.bitOfName.set(name, bit);
    return bit;
  }
}
