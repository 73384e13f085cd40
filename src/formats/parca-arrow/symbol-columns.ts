// Converts locations, lines and functions of records to the symbol columns of a profile.
import type { PprofColumns } from '../pprof/columns.ts';
import {
  type DictionaryVector,
  isValid,
  type ListVector,
  type StructVector,
  type Vector,
} from '../arrow/read/vector.ts';
import { badRecord } from './bad-record.ts';
import {
  asList,
  asStruct,
  type DictionaryRows,
  requireField,
  int64s,
  textRows,
  validity,
} from './text-rows.ts';

const locationFields = new Set([
  'address',
  'frame_type',
  'mapping_file',
  'mapping_build_id',
  'lines',
]);
const mappingFields = ['mapping_start', 'mapping_limit', 'mapping_offset'];
const locationFieldsOfVersion1 = new Set([...locationFields, ...mappingFields]);
const lineFields = new Set(['line', 'column', 'function']);
const lineFieldsOfVersion1 = new Set([
  'line',
  'column',
  'function_name',
  'function_system_name',
  'function_filename',
  'function_start_line',
]);
const functionFields = new Set(['system_name', 'filename', 'start_line']);

/** Adds rows to the symbol tables of `columns`; all strings come from the same memory. */
export class SymbolColumns {
  readonly columns: PprofColumns;
  readonly #dictionaries: DictionaryRows;
  /** Row of each mapping by its fields. */
  readonly #mappings = new Map<string, number>();

  constructor(columns: PprofColumns, dictionaries: DictionaryRows) {
    this.columns = columns;
    this.#dictionaries = dictionaries;
  }

  /** Returns the row of each string. */
  texts(vector: Vector, what: string): Uint32Array {
    return textRows(vector, this.columns, this.#dictionaries, what);
  }

  /** Returns the row of each location of a dictionary; 0 for nulls. */
  locationRows(vector: DictionaryVector): Uint32Array {
    return this.#dictionaries.lookUp(vector, 'stacktrace');
  }

  /**
   * Adds the functions of schema v2, and returns the row of each; 0 for nulls. They have only a
   * system name, which also becomes the name.
   */
  functions(vector: Vector): Uint32Array {
    const what = 'function';
    const struct = asStruct(vector, what, functionFields);
    const names = this.texts(requireField(struct, 'system_name', what), 'system_name');
    const files = this.texts(requireField(struct, 'filename', what), 'filename');
    const startLines = int64s(requireField(struct, 'start_line', what), 'start_line');
    const rows = new Uint32Array(struct.length);
    for (let i = 0; i < struct.length; i += 1) {
      if (isValid(struct, i)) rows[i] = this.#function(names[i], names[i], files[i], startLines[i]);
    }
    return rows;
  }

  /** Adds the locations of schema v2, and returns the row of each; 0 for nulls. */
  locations(vector: Vector): Uint32Array {
    const what = 'stacktrace';
    const struct = asStruct(vector, what, locationFields);
    const lines = asList(requireField(struct, 'lines', what), 'lines');
    const line = asStruct(lines.items, 'lines', lineFields);
    const functions = requireField(line, 'function', 'lines');
    if (functions.kind !== 'dictionary') throw badRecord('column function has no dictionary');
    const functionRows = this.#dictionaries.lookUp(functions, 'function');
    return this.#locations(struct, lines, line, (i) => functionRows[i]);
  }

  /** Adds the locations of schema v1, and returns the row of each; 0 for nulls. */
  locationsOfVersion1(vector: Vector): Uint32Array {
    const what = 'locations';
    const struct = asStruct(vector, what, locationFieldsOfVersion1);
    const lines = asList(requireField(struct, 'lines', what), 'lines');
    const line = asStruct(lines.items, 'lines', lineFieldsOfVersion1);
    const texts = (name: string): Uint32Array =>
      this.texts(requireField(line, name, 'lines'), name);
    const names = texts('function_name');
    const systemNames = texts('function_system_name');
    const files = texts('function_filename');
    const startLines = int64s(
      requireField(line, 'function_start_line', 'lines'),
      'function_start_line',
    );
    return this.#locations(struct, lines, line, (i) => {
      const name = names[i] === 0 ? systemNames[i] : names[i];
      return this.#function(name, systemNames[i], files[i], startLines[i]);
    });
  }

  #locations(
    struct: StructVector,
    lines: ListVector,
    line: StructVector,
    findFunction: (line: number) => number,
  ): Uint32Array {
    const { columns } = this;
    const addresses = viewWords(int64s(requireField(struct, 'address', 'locations'), 'address'));
    const mappings = this.#mappingRows(struct);
    const lineNumbers = int64s(requireField(line, 'line', 'lines'), 'line');
    const column = line.children.get('column');
    const columnNumbers = column && int64s(column, 'column');
    const rows = new Uint32Array(struct.length);
    for (let i = 0; i < struct.length; i += 1) {
      if (!isValid(struct, i)) continue;
      const row = columns.locationCount + 1;
      columns.reserveLocation(row);
      columns.locationCount = row;
      columns.locationId[row] = row;
      columns.locationMapping[row] = mappings[i];
      columns.addressLow[row] = addresses[2 * i];
      columns.addressHigh[row] = addresses[2 * i + 1];
      columns.lineStart[row] = columns.lineCount;
      const end = isValid(lines, i) ? lines.ends[i] : lines.starts[i];
      for (let at = lines.starts[i]; at < end; at += 1) {
        this.#line(findFunction(at), lineNumbers[at], columnNumbers?.[at] ?? 0n);
      }
      columns.lineStart[row + 1] = columns.lineCount;
      rows[i] = row;
    }
    return rows;
  }

  #line(functionRow: number, number: bigint, column: bigint): void {
    const { columns } = this;
    const row = columns.lineCount;
    columns.reserveLine(row);
    columns.lineCount = row + 1;
    columns.lineFunction[row] = functionRow;
    columns.lineNumber[row] = lineNumber(number);
    columns.lineColumn[row] = lineNumber(column);
  }

  #function(name: number, systemName: number, file: number, startLine: bigint): number {
    const { columns } = this;
    const row = columns.functionCount + 1;
    columns.reserveFunction(row);
    columns.functionCount = row;
    columns.functionId[row] = row;
    columns.functionName[row] = name;
    columns.functionSystemName[row] = systemName;
    columns.functionFile[row] = file;
    columns.functionStartLine[row] = lineNumber(startLine);
    return row;
  }

  /** Returns the row of the mapping of each location; 0 = none. */
  #mappingRows(struct: StructVector): Uint32Array {
    const files = this.texts(requireField(struct, 'mapping_file', 'locations'), 'mapping_file');
    const buildIds = this.texts(
      requireField(struct, 'mapping_build_id', 'locations'),
      'mapping_build_id',
    );
    const range = mappingFields.map((name) => struct.children.get(name));
    const [start] = range;
    // In schema v1, a location has a mapping if the mapping's start is set.
    const isThere = start && validity(start);
    const places = range.map((vector, i) => vector && int64s(vector, mappingFields[i]));
    const rows = new Uint32Array(struct.length);
    let last = '';
    let lastRow = 0;
    for (let i = 0; i < struct.length; i += 1) {
      const isMapped = start ? isThere?.[i] !== 0 : files[i] !== 0 || buildIds[i] !== 0;
      if (!isMapped) continue;
      const [from, limit, offset] = places.map((column) => column?.[i] ?? 0n);
      const key = `${files[i]} ${buildIds[i]} ${from} ${limit} ${offset}`;
      if (key !== last) {
        last = key;
        lastRow = this.#mappings.get(key) ?? 0;
        if (lastRow === 0) {
          lastRow = this.#mapping(files[i], buildIds[i], BigInt64Array.of(from, limit, offset));
          this.#mappings.set(key, lastRow);
        }
      }
      rows[i] = lastRow;
    }
    return rows;
  }

  #mapping(file: number, buildId: number, range: BigInt64Array): number {
    const { columns } = this;
    const row = columns.mappingCount + 1;
    columns.reserveMapping(row);
    columns.mappingCount = row;
    columns.mappingId[row] = row;
    columns.mappingFile[row] = file;
    columns.mappingBuildId[row] = buildId;
    const words = viewWords(range);
    columns.mappingStartLow[row] = words[0];
    columns.mappingStartHigh[row] = words[1];
    columns.mappingLimitLow[row] = words[2];
    columns.mappingLimitHigh[row] = words[3];
    columns.mappingOffsetLow[row] = words[4];
    columns.mappingOffsetHigh[row] = words[5];
    return row;
  }
}

/** Returns a view of int64 values as low and high words. */
function viewWords({ buffer, byteOffset, length }: BigInt64Array): Uint32Array {
  return new Uint32Array(buffer, byteOffset, length * 2);
}

/** Returns a line number within int32; any other number becomes 0 (unknown). */
function lineNumber(value: bigint): number {
  return value >= 0n && value < 0x8000_0000n ? Number(value) : 0;
}
