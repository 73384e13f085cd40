// Symbols of a profile -> rows of the dictionary.
//
// A location of a known build is looked up by its address before any of its strings are read: in a
// warm dictionary, this is all the work. Strings and functions are interned when first needed.
import type { PprofColumns } from '../formats/pprof/columns.ts';
import { grown } from '../model/column.ts';
import type { Dictionary } from '../model/dictionary.ts';
import { mixHash } from '../model/hash-index.ts';
import type { FunctionIndex, LocationIndex, MappingIndex, StringIndex } from '../model/rows.ts';

const unknown = -1;

/** Interns the profile that `columns` hold at the time; valid until the next `start`. */
export class SymbolInterner {
  /** LocationIndex of each location row of the profile; row 0 is 0. */
  locationRow = new Int32Array(1_024);
  readonly #dictionary: Dictionary;
  readonly #columns: PprofColumns;
  #stringRow = new Int32Array(1_024);
  #functionRow = new Int32Array(1_024);
  #mappingRow = new Int32Array(16);
  /** 1 where the mapping has a build id: there, the address identifies a location. */
  #addressDecides = new Uint8Array(16);
  /** MappingIndex and hash of the lines of each location row: parts of its key. */
  #locationMapping = new Int32Array(1_024);
  #linesHash = new Int32Array(1_024);

  constructor(dictionary: Dictionary, columns: PprofColumns) {
    this.#dictionary = dictionary;
    this.#columns = columns;
  }

  /** Starts a new profile, decoded and validated. */
  start(): void {
    const columns = this.#columns;
    this.#stringRow = grown(this.#stringRow, columns.stringCount);
    this.#stringRow.fill(unknown, 0, columns.stringCount);
    this.#functionRow = grown(this.#functionRow, columns.functionCount + 1);
    this.#functionRow.fill(unknown, 0, columns.functionCount + 1);
    this.#functionRow[0] = 0;
  }

  /** The dictionary's row of a string of the profile. */
  string(index: number): StringIndex {
    const known = this.#stringRow[index];
    if (known !== unknown) return known as StringIndex;
    const { bytes, stringStart, stringEnd } = this.#columns;
    const row = this.#dictionary.strings.intern(bytes, stringStart[index], stringEnd[index]);
    this.#stringRow[index] = row;
    return row;
  }

  /** The text of a string of the profile, decoded once for all profiles. */
  text(index: number): string {
    return this.#dictionary.strings.text(this.string(index));
  }

  /** Fills `locationRow`. */
  internLocations(): void {
    this.#internMappings();
    const { locations } = this.#dictionary;
    const { addressLow, addressHigh, locationCount } = this.#columns;
    this.locationRow = grown(this.locationRow, locationCount + 1);
    this.#hashLocations();
    const { locationRow } = this;
    const mapping = this.#locationMapping;
    const linesHash = this.#linesHash;
    locations.findAll({ mapping, addressLow, addressHigh, linesHash }, locationCount, locationRow);
    for (let row = 1; row <= locationCount; row += 1) {
      if (locationRow[row] === 0) locationRow[row] = this.#internLocation(row);
    }
  }

  /** Fills the parts of the locations' keys that are not in the profile. */
  #hashLocations(): void {
    const { locationMapping, addressLow, addressHigh, lineStart, locationCount } = this.#columns;
    this.#locationMapping = grown(this.#locationMapping, locationCount + 1);
    this.#linesHash = grown(this.#linesHash, locationCount + 1);
    const mapping = this.#locationMapping;
    const linesHash = this.#linesHash;
    const mappingRow = this.#mappingRow;
    const addressDecides = this.#addressDecides;
    for (let row = 1; row <= locationCount; row += 1) {
      const local = locationMapping[row];
      mapping[row] = mappingRow[local];
      // Encoders without addresses write 0 for all: only the lines distinguish their locations.
      const byAddress = addressDecides[local] === 1 && (addressLow[row] | addressHigh[row]) !== 0;
      linesHash[row] = byAddress
        ? this.#hashLineNumbers(lineStart[row], lineStart[row + 1])
        : this.#hashLines(lineStart[row], lineStart[row + 1]);
    }
  }

  #internMappings(): void {
    const columns = this.#columns;
    const rows = columns.mappingCount + 1;
    this.#mappingRow = grown(this.#mappingRow, rows);
    this.#addressDecides = grown(this.#addressDecides, rows);
    for (let row = 1; row < rows; row += 1) {
      const buildId = this.string(columns.mappingBuildId[row]);
      this.#addressDecides[row] = buildId === 0 ? 0 : 1;
      this.#mappingRow[row] = this.#dictionary.mappings.intern(
        columns.mappingStartLow[row],
        columns.mappingStartHigh[row],
        columns.mappingLimitLow[row],
        columns.mappingLimitHigh[row],
        columns.mappingOffsetLow[row],
        columns.mappingOffsetHigh[row],
        this.string(columns.mappingFile[row]),
        buildId,
      );
    }
  }

  /**
   * Adds line numbers to the key within a build, so that a bare upload does not hide a symbolized
   * one.
   */
  #hashLineNumbers(start: number, end: number): number {
    const { lineNumber, lineColumn } = this.#columns;
    let hash = end - start;
    for (let line = start; line < end; line += 1) {
      hash = mixHash(hash ^ (lineColumn[line] << 20), lineNumber[line]);
    }
    return hash;
  }

  #hashLines(start: number, end: number): number {
    const { lineFunction, lineNumber, lineColumn } = this.#columns;
    let hash = end - start;
    for (let line = start; line < end; line += 1) {
      hash = mixHash(hash, this.#function(lineFunction[line]));
      hash = mixHash(mixHash(hash, lineNumber[line]), lineColumn[line]);
    }
    return hash;
  }

  /** Adds a location, unless an earlier one of the profile is the same. */
  #internLocation(row: number): LocationIndex {
    const columns = this.#columns;
    const { locations } = this.#dictionary;
    const mapping = this.#locationMapping[row] as MappingIndex;
    const low = columns.addressLow[row];
    const high = columns.addressHigh[row];
    const hash = this.#linesHash[row];
    const known = locations.find(mapping, low, high, hash);
    if (known !== 0) return known;
    const added = locations.add(mapping, low, high, hash);
    for (let line = columns.lineStart[row]; line < columns.lineStart[row + 1]; line += 1) {
      const functionRow = this.#function(columns.lineFunction[line]);
      locations.addLine(functionRow, columns.lineNumber[line], columns.lineColumn[line]);
    }
    return added;
  }

  #function(row: number): FunctionIndex {
    const known = this.#functionRow[row];
    if (known !== unknown) return known as FunctionIndex;
    const columns = this.#columns;
    const name = this.string(columns.functionName[row]);
    const systemName = this.string(columns.functionSystemName[row]);
    const interned = this.#dictionary.functions.intern(
      // Agents that do not demangle send only system names.
      name === 0 ? systemName : name,
      systemName,
      this.string(columns.functionFile[row]),
      columns.functionStartLine[row],
    );
    this.#functionRow[row] = interned;
    return interned;
  }
}
