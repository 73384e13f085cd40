// The values of a few functions, known by name, without a tree of calls.
import type { Dictionary } from '../model/dictionary.ts';
import type { MergedStacks } from '../model/merged-stacks.ts';
import type { FunctionIndex } from '../model/rows.ts';
import { PathBits, pathFactsMax } from './path-bits.ts';

/** Most functions whose values are summed at once. */
export const functionSumsMax = pathFactsMax;

/** Values by function, in the order in which they were asked for; recursion counts once. */
export interface FunctionSums {
  readonly flat: BigInt64Array;
  readonly cumulative: BigInt64Array;
}

/**
 * Sums what stacks ending in, and stacks containing, the functions `names` have; at most
 * `functionSumsMax` names, each once. Inlined calls are functions like others.
 */
export function sumFunctions(
  dictionary: Dictionary,
  { stacks, values }: MergedStacks,
  names: readonly string[],
): FunctionSums {
  const locations = new LocationBits(dictionary, names);
  const paths = new PathBits(dictionary, (location) => locations.bitsOf(location));
  const { leaf, nodeLocation } = dictionary.stacks;
  const flat = new BigInt64Array(names.length);
  const cumulative = new BigInt64Array(names.length);
  for (let i = 0; i < stacks.length; i += 1) {
    const node = leaf[stacks[i]];
    let bits = paths.bitsOf(node);
    if (bits === 0) continue;
    const own = locations.innermostBit(nodeLocation[node]);
    if (own !== 0) flat[31 - Math.clz32(own)] += values[i];
    for (; bits !== 0; bits &= bits - 1) cumulative[31 - Math.clz32(bits & -bits)] += values[i];
  }
  return { flat, cumulative };
}

/** Which of the functions a location has: a bit each. */
class LocationBits {
  private readonly dictionary: Dictionary;
  private readonly bitOfText: ReadonlyMap<string, number>;
  /** By StringIndex: each name is read once. */
  private readonly bitOfName = new Map<number, number>();

  constructor(dictionary: Dictionary, names: readonly string[]) {
    this.dictionary = dictionary;
    this.bitOfText = new Map(names.map((name, i) => [name, 1 << i]));
  }

  /** Of all functions that a location has lines of. */
  bitsOf(location: number): number {
    const { lineStart } = this.dictionary.locations;
    let bits = 0;
    for (let line = lineStart[location]; line < lineStart[location + 1]; line += 1) {
      bits |= this.bitOfLine(line);
    }
    return bits;
  }

  /** The bit of the function that runs at a location, 0 = none of them. */
  innermostBit(location: number): number {
    const { lineStart } = this.dictionary.locations;
    const line = lineStart[location];
    return line === lineStart[location + 1] ? 0 : this.bitOfLine(line);
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
