// The table of locations and their lines: the frames of stacks.
import { assert } from '../base/assert.ts';
import { grown, grownInSteps } from './column.ts';
import { HashIndex, mixHash } from './hash-index.ts';
import type { LocationIndex, MappingIndex } from './rows.ts';

/** Columns that `adopt` takes over. */
type LocationColumns = Pick<
  LocationTable,
  | 'addressLow'
  | 'addressHigh'
  | 'mapping'
  | 'lineStart'
  | 'linesHash'
  | 'lineFunction'
  | 'lineNumber'
  | 'lineColumn'
>;

/** Keys of many locations, by row; see `LocationTable.find` for the parts of a key. */
interface LocationKeys {
  readonly mapping: Int32Array;
  readonly addressLow: Uint32Array;
  readonly addressHigh: Uint32Array;
  readonly linesHash: Int32Array;
}

/** Values of `lineInlined` for known lines; 0 = unknown. */
const notInlined = 1;
const inlined = 2;

/**
 * Unique locations; row 0 is "none".
 *
 * A location has an address, a mapping and 0..n lines, innermost inlined call first (pprof order).
 * Lines of row r are rows `lineStart[r] .. lineStart[r + 1]` of the three line columns.
 *
 * The key of a location is (mapping, address, the caller's hash of its lines). If the build is
 * known, the hash is made from the content of the lines, so that lines are interned only after a
 * miss. Otherwise the hash is made from the rows of functions.
 */
export class LocationTable {
  addressLow = new Uint32Array(64);
  addressHigh = new Uint32Array(64);
  /** MappingIndex, 0 = unknown. */
  mapping = new Int32Array(64);
  /** First line row of each location; one more entry than locations. */
  lineStart = new Uint32Array(1025);
  /** Third part of a location's key; see `linesHash` of `find`. */
  linesHash = new Int32Array(64);
  length = 1;

  /** FunctionIndex of each line. */
  lineFunction = new Int32Array(64);
  /** Source line, counted from 1; 0 = unknown. */
  lineNumber = new Int32Array(64);
  /** Column, counted from 1; 0 = unknown. */
  lineColumn = new Int32Array(64);
  /** `notInlined`, `inlined` or unknown, for each line. */
  #lineInlined: Uint8Array | undefined;

  readonly #index = new HashIndex(64);
  /**
   * Key of each row: low and high half of the address, mapping, and hash of the lines. They are in
   * one array, so that a lookup touches only one cache line.
   */
  #keys = new Int32Array(4 * 1024);
  #isAdopted = false;
  #missSlot = 0;
  #missHash = 0;
  readonly seed: number;
  /**
   * Meaningless result of the prefetching reads. Without it, the compiler would remove them as
   * unused.
   */
  readBits = 0;

  /**
   * Creates a table. `seed` is a secret number for the hash function. No stored data depends on it.
   */
  constructor(seed = 0) {
    this.seed = seed;
  }

  /** Takes over decoded columns. Nothing can be looked up afterwards. */
  adopt(columns: LocationColumns, length: number): void {
    assert(this.length === 1, 'only an empty table adopts');
    this.addressLow = columns.addressLow;
    this.addressHigh = columns.addressHigh;
    this.mapping = columns.mapping;
    this.lineStart = columns.lineStart;
    this.linesHash = columns.linesHash;
    this.lineFunction = columns.lineFunction;
    this.lineNumber = columns.lineNumber;
    this.lineColumn = columns.lineColumn;
    this.length = length;
    this.#isAdopted = true;
  }

  /**
   * Returns the row of a location by its key; 0 if there is none. After a miss, `add` may insert
   * the location if there was no other lookup in between.
   *
   * `linesHash`: any hash of the lines. Locations with equal mapping, address and hash are treated
   * as equal. A caller that cannot rely on the hash compares the lines, and continues with another
   * hash.
   */
  find(
    mapping: MappingIndex,
    addressLow: number,
    addressHigh: number,
    linesHash: number,
  ): LocationIndex {
    assert(!this.#isAdopted, 'an adopted table is complete');
    const key = mixHash(this.seed ^ addressLow, addressHigh);
    const hash = mixHash(mixHash(key, mapping), linesHash);
    const keys = this.#keys;
    const { slots, mask } = this.#index.at(hash);
    let slot = hash & mask;
    for (let row = slots[slot]; row !== 0; row = slots[slot]) {
      const at = row * 4;
      if (
        keys[at] === (addressLow | 0) &&
        keys[at + 1] === (addressHigh | 0) &&
        keys[at + 2] === mapping &&
        keys[at + 3] === (linesHash | 0)
      ) {
        return row as LocationIndex;
      }
      slot = (slot + 1) & mask;
    }
    this.#missSlot = slot;
    this.#missHash = hash;
    return 0 as LocationIndex;
  }

  /**
   * Sets `found[row]` of rows 1..count to the location with the key of that row, like `find`; 0 if
   * there is none.
   *
   * A large table does not fit into any cache of the processor. Each lookup waits for two memory
   * reads, and the second depends on the first. Hashes, first reads and second reads are therefore
   * in separate loops, so that as many reads as possible overlap: 1,000 lookups in a table of
   * 50,000 locations take 70 us, compared with 100 us with two loops.
   */
  findAll(keys: LocationKeys, count: number, found: Int32Array): void {
    assert(!this.#isAdopted, 'an adopted table is complete');
    this.#findFirstSlots(keys, count, found);
    const { mapping, addressLow, addressHigh, linesHash } = keys;
    const own = this.#keys;
    let bits = 0;
    for (let row = 1; row <= count; row += 1) bits ^= own[found[row] * 4];
    this.readBits = bits;
    for (let row = 1; row <= count; row += 1) {
      const at = found[row] * 4;
      if (
        at !== 0 &&
        own[at] === (addressLow[row] | 0) &&
        own[at + 1] === (addressHigh[row] | 0) &&
        own[at + 2] === mapping[row] &&
        own[at + 3] === linesHash[row]
      ) {
        continue;
      }
      const local = mapping[row] as MappingIndex;
      found[row] =
        at === 0 ? 0 : this.find(local, addressLow[row], addressHigh[row], linesHash[row]);
    }
  }

  /** Sets `found[row]` to the first candidate for the key of each row. */
  #findFirstSlots(
    { mapping, addressLow, addressHigh, linesHash }: LocationKeys,
    count: number,
    found: Int32Array,
  ): void {
    const { seed } = this;
    for (let row = 1; row <= count; row += 1) {
      const key = mixHash(seed ^ addressLow[row], addressHigh[row]);
      found[row] = mixHash(mixHash(key, mapping[row]), linesHash[row]);
    }
    this.#index.replaceByRows(found, 1, count + 1);
  }

  /** Adds the location that `find` missed. Add its lines with `addLine`, innermost first. */
  add(
    mapping: MappingIndex,
    addressLow: number,
    addressHigh: number,
    linesHash: number,
  ): LocationIndex {
    const row = this.length;
    this.addressLow = grownInSteps(this.addressLow, row + 1, row);
    this.addressHigh = grownInSteps(this.addressHigh, row + 1, row);
    this.mapping = grownInSteps(this.mapping, row + 1, row);
    this.linesHash = grownInSteps(this.linesHash, row + 1, row);
    this.lineStart = grownInSteps(this.lineStart, row + 2, row);
    this.addressLow[row] = addressLow;
    this.addressHigh[row] = addressHigh;
    this.mapping[row] = mapping;
    this.linesHash[row] = linesHash;
    this.lineStart[row + 1] = this.lineStart[row];
    this.#keys = grownInSteps(this.#keys, 4 * (row + 1), 4 * row);
    this.#keys[4 * row] = addressLow;
    this.#keys[4 * row + 1] = addressHigh;
    this.#keys[4 * row + 2] = mapping;
    this.#keys[4 * row + 3] = linesHash;
    this.length = row + 1;
    this.#index.insert(this.#missSlot, this.#missHash, row);
    return row as LocationIndex;
  }

  /** Appends a line to the last location. */
  addLine(functionRow: number, lineNumber: number, lineColumn: number): void {
    const line = this.lineStart[this.length];
    this.lineFunction = grownInSteps(this.lineFunction, line + 1, line);
    this.lineNumber = grownInSteps(this.lineNumber, line + 1, line);
    this.lineColumn = grownInSteps(this.lineColumn, line + 1, line);
    this.lineFunction[line] = functionRow;
    this.lineNumber[line] = lineNumber;
    this.lineColumn[line] = lineColumn;
    this.lineStart[this.length] = line + 1;
  }

  /**
   * Marks the last line as inlined into its caller or not. This is for filtered or inverted
   * locations; in other locations, all lines but the last are inlined.
   */
  markInlined(isInlined: boolean): void {
    const count = this.lineStart[this.length];
    this.#lineInlined = grown(this.#lineInlined ?? new Uint8Array(64), count);
    this.#lineInlined[count - 1] = isInlined ? inlined : notInlined;
  }

  /** Returns true if a line (row of the line columns) of a location was inlined into its caller. */
  isInlined(location: number, line: number): boolean {
    const said = this.#lineInlined?.[line] ?? 0;
    return said === 0 ? line + 1 < this.lineStart[location + 1] : said === inlined;
  }

  /** Memory in bytes. */
  get usedBytes(): number {
    return 36 * this.length + 12 * this.lineCount() + this.#index.usedBytes;
  }

  /** Number of line rows in use. */
  lineCount(): number {
    return this.lineStart[this.length];
  }
}
