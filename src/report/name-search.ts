// Sums the values of stacks with frames that match a name search.
import type { Dictionary } from '../model/dictionary.ts';
import type { MergedStacks } from '../model/merged-stacks.ts';
import type { FunctionIndex, StringIndex } from '../model/rows.ts';
import { type BaseRatio, subtractBase } from './base-ratio.ts';
import type { StackGroup } from './tree/call-tree.ts';
import { addressText } from './tree/frame-keys.ts';
import { PathBits } from './stacks/path-bits.ts';

/** Returns true if a frame's name matches. */
export type NameMatcher = (name: string) => boolean;

/** Sums of the matching stacks; trimming does not affect them. */
export interface SearchTotals {
  /** Sum of the stacks with a matching frame; each stack counts once. */
  readonly cumulative: bigint;
  /** Sum of the stacks whose innermost frame matches. */
  readonly flat: bigint;
  /** Differences of both sums to the base; undefined without a base. */
  readonly cumulativeDiff: bigint | undefined;
  readonly flatDiff: bigint | undefined;
  /** Number of distinct matching names. */
  readonly nameCount: number;
}

/** Searches the frames of all groups. For a frame without a name, searches its `addressText`. */
export function searchStacks(
  dictionary: Dictionary,
  groups: readonly StackGroup[],
  matches: NameMatcher,
  ratio: BaseRatio,
): SearchTotals {
  const search = new StackSearch(dictionary, matches);
  const sums = new BigInt64Array(2);
  const baseSums = new BigInt64Array(2);
  let isDiff = false;
  for (const { merged, base } of groups) {
    search.add(merged, sums);
    if (base === undefined) continue;
    isDiff = true;
    search.add(base, baseSums);
  }
  const [cumulative, flat] = sums;
  const differences = isDiff ? subtractBase(sums, baseSums, ratio) : [];
  return {
    cumulative,
    flat,
    nameCount: search.names.size,
    cumulativeDiff: differences[0],
    flatDiff: differences[1],
  };
}

/** Bit of a location with a matching line. */
const found = 1;
/** Bit of a location whose innermost line matches. */
const foundInnermost = 2;

/** Results of testing a name: it matches or does not match; 0 = not tested yet. */
const nameMatches = 1;
const nameDiffers = 2;

/** Tests each name and each location once, for all stacks. */
class StackSearch {
  /** Matching names. */
  readonly names = new Set<string>();
  readonly #dictionary: Dictionary;
  readonly #matches: NameMatcher;
  /** Results by StringIndex. */
  readonly #knownNames: Uint8Array;
  /** Marks nodes with a matching frame between the root and the node. */
  readonly #paths: PathBits;

  constructor(dictionary: Dictionary, matches: NameMatcher) {
    this.#dictionary = dictionary;
    this.#matches = matches;
    this.#knownNames = new Uint8Array(dictionary.strings.length);
    this.#paths = new PathBits(dictionary, (location) => this.#bitsOfLocation(location));
  }

  /** Adds the values of matching stacks to `sums`: cumulative, then flat. */
  add({ stacks, values }: MergedStacks, sums: BigInt64Array): void {
    const { leaf, nodeLocation } = this.#dictionary.stacks;
    for (let i = 0; i < stacks.length; i += 1) {
      const node = leaf[stacks[i]];
      if (this.#paths.read(node) === 0) continue;
      sums[0] += values[i];
      const own = this.#paths.bitsOfLocation(nodeLocation[node]);
      if ((own & foundInnermost) !== 0) sums[1] += values[i];
    }
  }

  #bitsOfLocation(location: number): number {
    const { functions, locations } = this.#dictionary;
    const { lineStart, lineFunction } = locations;
    const [first, end] = [lineStart[location], lineStart[location + 1]];
    let bits = 0;
    if (first === end && this.#isFound(addressText(this.#dictionary, location))) {
      bits = found | foundInnermost;
    }
    for (let line = first; line < end; line += 1) {
      const name = functions.displayName(lineFunction[line] as FunctionIndex);
      if (!this.#isNameFound(name)) continue;
      bits |= line === first ? found | foundInnermost : found;
    }
    return bits;
  }

  #isNameFound(name: StringIndex): boolean {
    if (this.#knownNames[name] === 0) {
      const isFound = this.#isFound(this.#dictionary.strings.text(name));
      this.#knownNames[name] = isFound ? nameMatches : nameDiffers;
    }
    return this.#knownNames[name] === nameMatches;
  }

  #isFound(text: string): boolean {
    const isFound = this.#matches(text);
    if (isFound) this.names.add(text);
    return isFound;
  }
}
