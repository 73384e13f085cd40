// Interns the symbols of a profile in the dictionary.
//
// If a location has a build id, it is looked up by its address and a hash of its lines before any
// of its strings is interned. If the dictionary has it, nothing else needs to be done. Strings and
// functions are interned when they are first needed.
import type { PprofColumns } from '../formats/pprof/columns.ts';
import { inputLimits, overInputLimit } from '../base/input-limits.ts';
import { grown } from '../model/column.ts';
import { hashFile, hashFunction, hashLine } from '../model/content-hash.ts';
import type { Dictionary } from '../model/dictionary.ts';
import { mixHash } from '../model/hash-index.ts';
import type { FunctionIndex, LocationIndex, MappingIndex, StringIndex } from '../model/rows.ts';

const unknown = -1;

/**
 * Interns the symbols of the current profile. The results are valid until the next call to `start`.
 */
export class SymbolInterner {
  /** LocationIndex of each location of the profile. Row 0 is 0. */
  locationRow = new Int32Array(1_024);
  readonly #dictionary: Dictionary;
  readonly #columns: PprofColumns;
  #stringRow = new Int32Array(1_024);
  #functionRow = new Int32Array(1_024);
  /** Hash of each function's content; only valid if `#hasHashes`. */
  #functionHash = new Int32Array(1_024);
  #hasHashes = false;
  #mappingRow = new Int32Array(16);
  /**
   * 1 for mappings with a build id, whose locations are nearly always distinguished by their
   * addresses.
   */
  #hasBuildId = new Uint8Array(16);
  /** MappingIndex of each location, and the hash of its lines. Both are parts of its key. */
  #locationMapping = new Int32Array(1_024);
  #linesHash = new Int32Array(1_024);

  constructor(dictionary: Dictionary, columns: PprofColumns) {
    this.#dictionary = dictionary;
    this.#columns = columns;
  }

  /** Starts with a new profile, which must have been decoded and validated. */
  start(): void {
    const columns = this.#columns;
    this.#stringRow = grown(this.#stringRow, columns.stringCount);
    this.#stringRow.fill(unknown, 0, columns.stringCount);
    this.#functionRow = grown(this.#functionRow, columns.functionCount + 1);
    this.#functionRow.fill(unknown, 0, columns.functionCount + 1);
    this.#functionRow[0] = 0;
    this.#hasHashes = false;
  }

  /** Returns the row that a string of the profile has in the dictionary. */
  string(index: number): StringIndex {
    const known = this.#stringRow[index];
    if (known !== unknown) return known as StringIndex;
    const { bytes, stringStart, stringEnd } = this.#columns;
    const row = this.#dictionary.strings.intern(bytes, stringStart[index], stringEnd[index]);
    this.#stringRow[index] = row;
    return row;
  }

  /**
   * Returns a string of the profile. A string that several profiles contain is decoded only once.
   */
  text(index: number): string {
    return this.#dictionary.strings.text(this.string(index));
  }

  /**
   * Fills `locationRow`.
   *
   * Errors: AppError 'resource-exhausted' for a location that has more lines than a stack may have
   * frames.
   */
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
      const known = locationRow[row] as LocationIndex;
      if (known !== 0 && (this.#isByContent(row) || this.#hasLines(known, row))) continue;
      locationRow[row] = this.#internLocation(row);
    }
  }

  /** Computes the parts of the locations' keys that the profile does not contain. */
  #hashLocations(): void {
    const { locationMapping, lineStart, locationCount } = this.#columns;
    this.#locationMapping = grown(this.#locationMapping, locationCount + 1);
    this.#linesHash = grown(this.#linesHash, locationCount + 1);
    const mapping = this.#locationMapping;
    const linesHash = this.#linesHash;
    const mappingRow = this.#mappingRow;
    for (let row = 1; row <= locationCount; row += 1) {
      if (lineStart[row + 1] - lineStart[row] > inputLimits.stackDepth) throw tooManyLines();
      const local = locationMapping[row];
      mapping[row] = mappingRow[local];
      linesHash[row] = this.#isByContent(row)
        ? this.#hashContent(lineStart[row], lineStart[row + 1])
        : this.#hashLines(lineStart[row], lineStart[row + 1]);
    }
  }

  /**
   * Returns true if the hash of a location's lines is computed from its content. Otherwise, it is
   * computed from the rows of functions. Rows are small numbers, whose hashes may be equal, so the
   * lines must be compared as well. An address of 0 does not count, because encoders without
   * addresses write it for all locations.
   */
  #isByContent(row: number): boolean {
    const { locationMapping, addressLow, addressHigh } = this.#columns;
    return (
      this.#hasBuildId[locationMapping[row]] === 1 && (addressLow[row] | addressHigh[row]) !== 0
    );
  }

  #internMappings(): void {
    const columns = this.#columns;
    const rows = columns.mappingCount + 1;
    this.#mappingRow = grown(this.#mappingRow, rows);
    this.#hasBuildId = grown(this.#hasBuildId, rows);
    for (let row = 1; row < rows; row += 1) {
      const buildId = this.string(columns.mappingBuildId[row]);
      this.#hasBuildId[row] = buildId === 0 ? 0 : 1;
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
   * Returns a hash of lines that does not depend on rows of the dictionary. An upload without names
   * has another hash, so it does not keep later uploads from adding the names. If two clients have
   * different names for an address, both are stored.
   */
  #hashContent(start: number, end: number): number {
    const { lineFunction, lineNumber, lineColumn } = this.#columns;
    if (start !== end && !this.#hasHashes) this.#hashFunctions();
    const functionHash = this.#functionHash;
    let hash = end - start;
    for (let line = start; line < end; line += 1) {
      hash = hashLine(hash, functionHash[lineFunction[line]], lineNumber[line], lineColumn[line]);
    }
    return hash;
  }

  /** Computes the hashes of all functions of the profile. Each name is read only once. */
  #hashFunctions(): void {
    this.#hasHashes = true;
    const { bytes, stringStart, stringEnd, functionCount } = this.#columns;
    const { functionName, functionSystemName, functionFile, functionStartLine } = this.#columns;
    const { strings } = this.#dictionary;
    this.#functionHash = grown(this.#functionHash, functionCount + 1);
    const hashes = this.#functionHash;
    hashes[0] = 0;
    for (let row = 1; row <= functionCount; row += 1) {
      const system = functionSystemName[row];
      let name = functionName[row];
      // As in #function, the system name replaces a missing name.
      if (stringStart[name] === stringEnd[name]) name = system;
      const nameHash = strings.hashRow(bytes, stringStart[name], stringEnd[name]);
      const systemHash =
        system === name ? nameHash : strings.hashRow(bytes, stringStart[system], stringEnd[system]);
      const file = functionFile[row];
      const fileHash = hashFile(bytes, stringStart[file], stringEnd[file]);
      hashes[row] = hashFunction(nameHash, systemHash, fileHash, functionStartLine[row]);
    }
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

  /** Adds a location to the dictionary, unless an earlier location of the profile is the same. */
  #internLocation(row: number): LocationIndex {
    const columns = this.#columns;
    const { locations } = this.#dictionary;
    const mapping = this.#locationMapping[row] as MappingIndex;
    const low = columns.addressLow[row];
    const high = columns.addressHigh[row];
    let hash = this.#linesHash[row];
    for (;;) {
      const known = locations.find(mapping, low, high, hash);
      if (known === 0) break;
      if (this.#isByContent(row) || this.#hasLines(known, row)) return known;
      // DictionaryTranslator takes the same step, so that each of the two finds rows that the other
      // has added.
      hash = mixHash(hash, 1);
    }
    const added = locations.add(mapping, low, high, hash);
    for (let line = columns.lineStart[row]; line < columns.lineStart[row + 1]; line += 1) {
      const functionRow = this.#function(columns.lineFunction[line]);
      locations.addLine(functionRow, columns.lineNumber[line], columns.lineColumn[line]);
    }
    return added;
  }

  /**
   * Returns true if a location of the dictionary and a location of the profile have the same lines.
   */
  #hasLines(location: LocationIndex, row: number): boolean {
    const { locations } = this.#dictionary;
    const { lineFunction, lineNumber, lineColumn, lineStart } = this.#columns;
    const end = lineStart[row + 1];
    let at = locations.lineStart[location];
    if (locations.lineStart[location + 1] - at !== end - lineStart[row]) return false;
    for (let line = lineStart[row]; line < end; line += 1, at += 1) {
      if (locations.lineNumber[at] !== lineNumber[line]) return false;
      if (locations.lineColumn[at] !== lineColumn[line]) return false;
      if (locations.lineFunction[at] !== this.#function(lineFunction[line])) return false;
    }
    return true;
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

function tooManyLines(): Error {
  return overInputLimit(
    'stackDepth',
    `cannot store profile: a location has more than ${inputLimits.stackDepth} lines, the limit`,
  );
}
