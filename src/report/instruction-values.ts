// Values by address of a function's code, in the build that uses it most.
import type { Dictionary } from '../model/dictionary.ts';
import type { MergedStacks } from '../model/merged-stacks.ts';
import type { FunctionIndex, StringIndex } from '../model/rows.ts';
import type { StackGroup } from './tree/call-tree.ts';

/** A function whose code is requested. */
export interface WantedCode {
  /** The name that reports show. */
  readonly functionName: string;
  /** Build id of the binary; "" = the build with the largest value. */
  readonly buildId: string;
}

/** Value of the stacks at one address. */
export interface AddressValue {
  /** Address as stored: in the file, or in the process if the file address is unknown. */
  readonly address: number;
  /** Range of its mapping; see LoadedRange. */
  readonly start: number;
  readonly limit: number;
  readonly offset: number;
  /**
   * Value of the stacks that end at this address, and of all stacks that contain it; each stack
   * counts once.
   */
  readonly flat: bigint;
  readonly cumulative: bigint;
}

/** A build with the function. */
export interface CodeOfBuild {
  readonly buildId: string;
  /** Path of the binary. */
  readonly binary: string;
  readonly cumulative: bigint;
}

export interface InstructionValues {
  /** Builds that have the function, the largest value first; build id "" is unknown. */
  readonly builds: readonly CodeOfBuild[];
  /** The wanted build; undefined if it is unknown. */
  readonly buildId: string | undefined;
  /** Addresses of that build, in order. */
  readonly addresses: readonly AddressValue[];
}

const wordValues = 0x1_0000_0000;

/** Sums the stacks of all `groups` by address, for addresses that have a line of the function. */
export function sumInstructions(
  dictionary: Dictionary,
  groups: readonly StackGroup[],
  { functionName, buildId }: WantedCode,
): InstructionValues {
  const sums = new AddressSums(dictionary, functionName);
  for (const { merged } of groups) sums.addStacks(merged);
  const builds = sums.builds();
  const wanted = buildId === '' ? builds.find((build) => build.buildId !== '')?.buildId : buildId;
  const addresses = wanted === undefined ? [] : sums.addresses(wanted);
  return { builds, buildId: wanted, addresses };
}

/** Sums by location. */
class AddressSums {
  readonly #dictionary: Dictionary;
  readonly #functionName: string;
  /** 1 for a location with a line of the function, -1 for other locations; 0 = not checked yet. */
  readonly #isWanted: Int8Array;
  readonly #flat: BigInt64Array;
  readonly #cumulative: BigInt64Array;
  /** Number of the last stack that was counted for each location. */
  readonly #counted: Int32Array;
  readonly #ofBuild = new Map<number, bigint>();
  /** Number of the last stack that was counted for each mapping. */
  readonly #countedBuild = new Map<number, number>();
  #stackCount = 0;

  constructor(dictionary: Dictionary, functionName: string) {
    const { length } = dictionary.locations;
    this.#dictionary = dictionary;
    this.#functionName = functionName;
    this.#isWanted = new Int8Array(length);
    this.#flat = new BigInt64Array(length);
    this.#cumulative = new BigInt64Array(length);
    this.#counted = new Int32Array(length);
  }

  addStacks({ stacks, values }: MergedStacks): void {
    const { leaf, nodeParent, nodeLocation } = this.#dictionary.stacks;
    for (let i = 0; i < stacks.length; i += 1) {
      this.#stackCount += 1;
      const innermost = leaf[stacks[i]];
      for (let node = innermost; node !== 0; node = nodeParent[node]) {
        const location = nodeLocation[node];
        if (this.#isWanted[location] === 0) this.#isWanted[location] = this.#check(location);
        if (this.#isWanted[location] === -1) continue;
        if (node === innermost) this.#flat[location] += values[i];
        if (this.#counted[location] === this.#stackCount) continue;
        this.#counted[location] = this.#stackCount;
        this.#cumulative[location] += values[i];
        this.#addToBuild(this.#dictionary.locations.mapping[location], values[i]);
      }
    }
  }

  builds(): CodeOfBuild[] {
    const { mappings, strings } = this.#dictionary;
    const found = new Map<string, CodeOfBuild>();
    for (const [mapping, cumulative] of this.#ofBuild) {
      const buildId = strings.text(mappings.buildId[mapping] as StringIndex);
      const binary = strings.text(mappings.fileName[mapping] as StringIndex);
      const before = found.get(buildId);
      const sum = cumulative + (before?.cumulative ?? 0n);
      found.set(buildId, { buildId, binary: before?.binary ?? binary, cumulative: sum });
    }
    const bySize = (a: CodeOfBuild, b: CodeOfBuild): number =>
      a.cumulative > b.cumulative ? -1 : a.cumulative < b.cumulative ? 1 : 0;
    return [...found.values()].sort(bySize);
  }

  addresses(buildId: string): AddressValue[] {
    const { locations, mappings, strings } = this.#dictionary;
    const found: AddressValue[] = [];
    this.#isWanted.forEach((wanted, location) => {
      const mapping = locations.mapping[location];
      if (wanted !== 1 || this.#counted[location] === 0) return;
      if (strings.text(mappings.buildId[mapping] as StringIndex) !== buildId) return;
      found.push({
        address: locations.addressHigh[location] * wordValues + locations.addressLow[location],
        start: mappings.startHigh[mapping] * wordValues + mappings.startLow[mapping],
        limit: mappings.limitHigh[mapping] * wordValues + mappings.limitLow[mapping],
        offset: mappings.offsetHigh[mapping] * wordValues + mappings.offsetLow[mapping],
        flat: this.#flat[location],
        cumulative: this.#cumulative[location],
      });
    });
    return found.sort((a, b) => a.address - b.address);
  }

  /** Counts a stack once for each mapping. */
  #addToBuild(mapping: number, value: bigint): void {
    if (this.#countedBuild.get(mapping) === this.#stackCount) return;
    this.#countedBuild.set(mapping, this.#stackCount);
    this.#ofBuild.set(mapping, (this.#ofBuild.get(mapping) ?? 0n) + value);
  }

  #check(location: number): 1 | -1 {
    const { locations, functions, strings } = this.#dictionary;
    const { lineStart, lineFunction } = locations;
    for (let row = lineStart[location]; row < lineStart[location + 1]; row += 1) {
      const name = functions.displayName(lineFunction[row] as FunctionIndex);
      if (strings.text(name) === this.#functionName) return 1;
    }
    return -1;
  }
}
