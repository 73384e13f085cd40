// Finds names for the locations of one dictionary: names for addresses, or better names for stored
// lines.
import type { ShownLines } from '../model/dictionaries/shown-lines.ts';
import type { Dictionary } from '../model/dictionary.ts';
import type { StringIndex } from '../model/rows.ts';
import { type FindBias, FileAddresses } from './file-addresses.ts';
import type { SourceFrame } from './interface.ts';

/** Names for locations of any dictionary. */
export interface LocationNames {
  /**
   * Returns the calls at an address of a build, the innermost first; undefined or empty if there
   * are no names. Addresses are ELF virtual addresses.
   */
  findFrames(buildId: string, address: number): readonly SourceFrame[] | undefined;
  /**
   * Returns the bias of a mapping. If this function is absent, the bias is 0, because all addresses
   * are addresses in files.
   */
  readonly findBias?: FindBias;
  /**
   * Returns the number of the change that last affected the names of a build. If this function is
   * absent, every change may have affected them. Changes are numbered as in
   * JoinedDictionary.renewNames.
   */
  readonly changedAt?: (buildId: string) => number;
  /** Returns the line to show instead of a line in a profile. */
  readonly findLine?: ((buildId: string, line: SourceFrame) => SourceFrame | undefined) | undefined;
}

/**
 * Finds the names of locations. Keeps the names that it has returned for addresses, so that it can
 * detect changes.
 */
export class NamedLocations implements ShownLines {
  readonly #from: Dictionary;
  readonly #names: LocationNames;
  readonly #addresses: FileAddresses;
  /** Locations whose names were requested by address, and the results. */
  readonly #requested: number[] = [];
  readonly #answers: (readonly SourceFrame[] | undefined)[] = [];

  /** `findFrames` of `names` is called for a location that has a build id and no lines. */
  constructor(from: Dictionary, names: LocationNames) {
    this.#from = from;
    this.#names = names;
    this.#addresses = new FileAddresses(from, names.findBias ?? (() => 0));
  }

  find(location: number): readonly SourceFrame[] | undefined {
    const { mapping, lineStart } = this.#from.locations;
    const buildId = this.#from.mappings.buildId[mapping[location]];
    if (lineStart[location] !== lineStart[location + 1]) {
      return this.#otherLines(location, this.#from.strings.text(buildId as StringIndex));
    }
    if (buildId === 0) return undefined;
    const lines = this.#namesAt(location);
    this.#requested.push(location);
    this.#answers.push(lines);
    return lines;
  }

  findBias(location: number): number {
    return this.#addresses.findBias(location);
  }

  renew(since: number): ReadonlyMap<number, readonly SourceFrame[] | undefined> {
    const renewed = new Map<number, readonly SourceFrame[] | undefined>();
    const { mapping } = this.#from.locations;
    const isChanged = this.#changedMappings(since);
    const isMoved = this.#addresses.renew(isChanged);
    for (let i = 0; i < this.#requested.length; i += 1) {
      const location = this.#requested[i];
      const of = mapping[location];
      if (isChanged[of] === 0) continue;
      const lines = this.#namesAt(location);
      if (lines === this.#answers[i] && isMoved[of] === 0) continue;
      this.#answers[i] = lines;
      renewed.set(location, lines);
    }
    return renewed;
  }

  /**
   * Returns an array with 1 for each mapping whose build's names have changed after the change
   * number `since`.
   */
  #changedMappings(since: number): Uint8Array {
    const { mappings, strings } = this.#from;
    const isChanged = new Uint8Array(mappings.length).fill(1);
    const { changedAt } = this.#names;
    for (let row = 1; row < mappings.length && changedAt !== undefined; row += 1) {
      const buildId = strings.text(mappings.buildId[row] as StringIndex);
      isChanged[row] = changedAt(buildId) > since ? 1 : 0;
    }
    return isChanged;
  }

  /** Returns the calls at an address; undefined without names. */
  #namesAt(location: number): readonly SourceFrame[] | undefined {
    const { mapping } = this.#from.locations;
    const buildId = this.#from.mappings.buildId[mapping[location]] as StringIndex;
    const address = this.#addresses.address(location);
    const lines = this.#names.findFrames(this.#from.strings.text(buildId), address);
    return lines !== undefined && lines.length > 0 ? lines : undefined;
  }

  /** Returns the lines of a location if any of them has a better name. */
  #otherLines(location: number, buildId: string): readonly SourceFrame[] | undefined {
    const { findLine } = this.#names;
    if (findLine === undefined) return undefined;
    const { lineStart } = this.#from.locations;
    let isOther = false;
    const lines: SourceFrame[] = [];
    for (let at = lineStart[location]; at < lineStart[location + 1]; at += 1) {
      const line = this.#lineAt(at);
      const other = findLine(buildId, line);
      isOther ||= other !== undefined;
      lines.push(other ?? line);
    }
    return isOther ? lines : undefined;
  }

  #lineAt(row: number): SourceFrame {
    const { locations, functions, strings } = this.#from;
    const { name, systemName, fileName, startLine } = functions;
    const called = locations.lineFunction[row];
    return {
      functionName: strings.text(name[called] as StringIndex),
      systemName: strings.text(systemName[called] as StringIndex),
      fileName: strings.text(fileName[called] as StringIndex),
      line: locations.lineNumber[row],
      startLine: startLine[called],
      column: locations.lineColumn[row],
    };
  }
}
