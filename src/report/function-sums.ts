// Sums the values of a few functions, given by name, without building a call tree.
import type { Steps } from '../base/pacer.ts';
import { grown } from '../model/column.ts';
import type { Dictionary } from '../model/dictionary.ts';
import type { MergedStacks } from '../model/merged-stacks.ts';
import type { FunctionIndex, StringIndex } from '../model/rows.ts';
import { PathBits, pathFactsMax } from './stacks/path-bits.ts';

/** Maximum number of functions per query. */
export const functionSumsMax = pathFactsMax;

/** Number of stacks that are checked in one step, which takes at most 0.2 ms. */
const stacksPerStep = 256;

/** Values by function, in the order of the requested names; a recursive function counts once. */
export interface FunctionSums {
  readonly flat: BigInt64Array;
  readonly cumulative: BigInt64Array;
}

/**
 * Sums the values of stacks that end in given functions or contain them. Inlined calls count as
 * ordinary functions. Results of lookups are kept as long as their dictionary exists, and take
 * about 4 bytes per trie node.
 */
export class FunctionSummer {
  readonly #names: readonly Uint8Array[];
  readonly #known = new WeakMap<Dictionary, KnownPaths>();

  /** `names` must be distinct; at most `functionSumsMax`. */
  constructor(names: readonly string[]) {
    this.#names = names.map((name) => Buffer.from(name));
  }

  /** Looks up the functions for `sum`. That is most of the work of the first query. */
  *lookUp(dictionary: Dictionary, { stacks }: MergedStacks): Steps<void> {
    const { paths } = this.#findPaths(dictionary);
    const { leaf } = dictionary.stacks;
    for (let i = 0; i < stacks.length; i += 1) {
      paths.read(leaf[stacks[i]]);
      if (i % stacksPerStep === stacksPerStep - 1) yield;
    }
  }

  /** Sums the stacks of a dictionary, which may have grown since `lookUp`. */
  sum(dictionary: Dictionary, { stacks, values }: MergedStacks): FunctionSums {
    const { locations, paths } = this.#findPaths(dictionary);
    const { leaf, nodeLocation } = dictionary.stacks;
    const flat = new BigInt64Array(this.#names.length);
    const cumulative = new BigInt64Array(this.#names.length);
    for (let i = 0; i < stacks.length; i += 1) {
      const node = leaf[stacks[i]];
      let bits = paths.read(node);
      if (bits === 0) continue;
      const own = locations.innermostBit(nodeLocation[node]);
      if (own !== 0) flat[31 - Math.clz32(own)] += values[i];
      for (; bits !== 0; bits &= bits - 1) cumulative[31 - Math.clz32(bits & -bits)] += values[i];
    }
    return { flat, cumulative };
  }

  #findPaths(dictionary: Dictionary): KnownPaths {
    const known = this.#known.get(dictionary);
    if (known !== undefined) return known;
    const locations = new LocationBits(dictionary, this.#names);
    const paths = new PathBits(dictionary, (location) => locations.read(location));
    this.#known.set(dictionary, { locations, paths });
    return { locations, paths };
  }
}

/** Requested functions on the paths of a dictionary. */
interface KnownPaths {
  readonly locations: LocationBits;
  readonly paths: PathBits;
}

/** Bit that marks a name that has been checked. */
const decided = 1 << 31;

/** Requested functions of each location, as bits. */
class LocationBits {
  readonly #dictionary: Dictionary;
  readonly #names: readonly Uint8Array[];
  /** Bits of each name by StringIndex; 0 = not checked yet. */
  #bitOfName = new Int32Array(0);

  constructor(dictionary: Dictionary, names: readonly Uint8Array[]) {
    this.#dictionary = dictionary;
    this.#names = names;
  }

  /** Returns the bits of all functions in the lines of a location. */
  read(location: number): number {
    const { lineStart } = this.#dictionary.locations;
    let bits = 0;
    for (let line = lineStart[location]; line < lineStart[location + 1]; line += 1) {
      bits |= this.#bitOfLine(line);
    }
    return bits;
  }

  /** Returns the bit of a location's innermost function; 0 if it was not requested. */
  innermostBit(location: number): number {
    const { lineStart } = this.#dictionary.locations;
    const line = lineStart[location];
    return line === lineStart[location + 1] ? 0 : this.#bitOfLine(line);
  }

  #bitOfLine(line: number): number {
    const { functions, locations } = this.#dictionary;
    const name = functions.displayName(locations.lineFunction[line] as FunctionIndex);
    return (this.#bitOfName[name] || this.#decide(name)) & ~decided;
  }

  /** Compares bytes, because decoding all names would double the time. */
  #decide(name: StringIndex): number {
    const { strings } = this.#dictionary;
    const text = strings.bytes(name);
    const which = this.#names.findIndex((bytes) => Buffer.compare(bytes, text) === 0);
    const bit = which === -1 ? decided : decided | (1 << which);
    this.#bitOfName = grown(this.#bitOfName, strings.length);
    this.#bitOfName[name] = bit;
    return bit;
  }
}
