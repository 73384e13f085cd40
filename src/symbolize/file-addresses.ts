// Converts addresses of a process to addresses of its files.
import type { Dictionary } from '../model/dictionary.ts';
import type { MappingTable } from '../model/mapping-table.ts';
import type { StringIndex } from '../model/rows.ts';

/**
 * A range of a process's memory that contains the bytes of a file, starting at `offset` in the
 * file.
 */
export interface LoadedRange {
  readonly start: number;
  /** First address after the range. */
  readonly limit: number;
  readonly offset: number;
}

/**
 * Function that returns the number to subtract from addresses in a range to get addresses in the
 * file of the build.
 */
export type FindBias = (buildId: string, range: LoadedRange) => number;

const wordValues = 0x1_0000_0000;

/** Finds the biases for a dictionary's locations. Each mapping is looked up once. */
export class FileAddresses {
  readonly #dictionary: Dictionary;
  readonly #findBias: FindBias;
  /** Bias of each mapping. */
  readonly #biases: (number | undefined)[] = [];

  constructor(dictionary: Dictionary, findBias: FindBias) {
    this.#dictionary = dictionary;
    this.#findBias = findBias;
  }

  /**
   * Returns the bias of a location. Subtracting the bias from the location's address gives the ELF
   * virtual address. The bias is 0 for an address outside of its mapping, because such an address
   * is already an ELF virtual address.
   */
  findBias(location: number): number {
    const { mapping } = this.#dictionary.locations;
    const bias = this.#findMappingBias(mapping[location]);
    return bias !== 0 && this.#isInMapping(location) ? bias : 0;
  }

  /** Returns the ELF virtual address of a location. */
  address(location: number): number {
    const { addressLow, addressHigh } = this.#dictionary.locations;
    const address = addressHigh[location] * wordValues + addressLow[location];
    return address - this.findBias(location);
  }

  /**
   * Looks up the mappings again that are marked with 1 in `isChanged`. Returns an array with 1 for
   * each mapping whose bias has changed.
   */
  renew(isChanged: Uint8Array): Uint8Array {
    const isOther = new Uint8Array(isChanged.length);
    this.#biases.forEach((known, row) => {
      if (known === undefined || isChanged[row] !== 1) return;
      this.#biases[row] = undefined;
      isOther[row] = this.#findMappingBias(row) === known ? 0 : 1;
    });
    return isOther;
  }

  #findMappingBias(row: number): number {
    const known = this.#biases[row];
    if (known !== undefined) return known;
    const { mappings, strings } = this.#dictionary;
    const buildId = mappings.buildId[row] as StringIndex;
    const range = loadedRange(mappings, row);
    const isRange = buildId !== 0 && range.start < range.limit;
    const bias = isRange ? this.#findBias(strings.text(buildId), range) : 0;
    this.#biases[row] = bias;
    return bias;
  }

  #isInMapping(location: number): boolean {
    const { addressLow, addressHigh, mapping } = this.#dictionary.locations;
    const address = addressHigh[location] * wordValues + addressLow[location];
    const { start, limit } = loadedRange(this.#dictionary.mappings, mapping[location]);
    return start <= address && address < limit;
  }
}

function loadedRange(table: MappingTable, row: number): LoadedRange {
  return {
    start: table.startHigh[row] * wordValues + table.startLow[row],
    limit: table.limitHigh[row] * wordValues + table.limitLow[row],
    offset: table.offsetHigh[row] * wordValues + table.offsetLow[row],
  };
}
