// Converts flame graphs, tables and source lines to the columns of Parca's Arrow records.
import { asWords } from '../../base/int64.ts';
import { type Bits, packBits } from '../../formats/arrow/bits.ts';
import type { ArrowColumn, IntegerArray } from '../../formats/arrow/column.ts';
import { type ColumnMemory, ownMemory } from '../../model/column-memory.ts';
import type { FlameGraph, LabelColumn } from '../../report/flame-graph.ts';
import type { SourceLines } from '../../report/source-lines.ts';
import type { RowLists, Table } from '../../report/table.ts';
import { noValue } from '../../report/tree/describe-frames.ts';
import {
  addressColumn,
  FrameSpreader,
  presence,
  StringColumns,
  unsignedArray,
} from './arrow-columns.ts';

/**
 * Makes the columns in Parca's order, with integers as narrow as their values allow. A column is
 * nullable if any record can have a null in it, such as the root of an empty profile. A column is
 * valid until the next one is requested.
 *
 * Source: FLAMEGRAPH_ARROW of parca.query.v1alpha1; Parca's UI and tests read columns by name.
 */
export function* flameGraphColumns(
  graph: FlameGraph,
  memory: ColumnMemory = ownMemory,
): Generator<ArrowColumn> {
  for (const makeColumn of [...frameColumns(graph, memory), ...rowColumns(graph, memory)]) {
    const mark = memory.mark();
    yield* [makeColumn()].flat();
    memory.release(mark);
  }
}

/** Function that makes one column, or several columns that share arrays. */
type ColumnMaker = () => ArrowColumn | readonly ArrowColumn[];

/** Returns the makers of the columns with facts about frames. */
function frameColumns(
  { strings, frames, frame, labelsOnly }: FlameGraph,
  memory: ColumnMemory,
): ColumnMaker[] {
  const rows = new FrameSpreader(frame, memory);
  const stringColumns = new StringColumns(strings, memory);
  const text = (name: string, values: Int32Array): (() => ArrowColumn) => {
    const { indices, valid, dictionary } = stringColumns.cells(values);
    return () => ({
      kind: 'dictionary',
      name,
      dictionary,
      indices: rows.cells(indices),
      valid: rows.bits(valid),
    });
  };
  const optional = (name: string, values: Int32Array): (() => ArrowColumn) => {
    const [cells, valid] = [narrow(values, memory), presence(values, memory)];
    return () => integer(name, rows.cells(cells), rows.bits(valid));
  };
  const functionName = text('function_name', frames.functionName);
  const inlined = encodeFlags(frames.inlined, memory);
  return [
    () => flagColumn('labels_only', labelsOnly, memory),
    () =>
      integer(
        'location_address',
        addressColumn(frames, frame, memory),
        rows.bits(frames.hasAddress),
      ),
    text('mapping_file', frames.mappingFile),
    text('mapping_build_id', frames.buildId),
    optional('location_line', frames.line),
    () => ({
      kind: 'bool',
      name: 'inlined',
      values: rows.bits(inlined.values),
      valid: rows.bits(inlined.valid),
    }),
    optional('function_startline', frames.startLine),
    ...(isEqual(frames.functionName, frames.systemName)
      ? [() => shared(functionName(), 'function_system_name')]
      : [functionName, text('function_system_name', frames.systemName)]),
    text('function_file_name', frames.fileName),
  ];
}

/** Returns the makers of the columns whose values differ between rows of the same frame. */
function rowColumns(graph: FlameGraph, memory: ColumnMemory): (() => ArrowColumn)[] {
  const { rowCount, startNanos, lengthNanos } = graph;
  // In the root of an empty graph, all values are null.
  const known = graph.isEmpty ? packBits(new Uint8Array(rowCount)) : undefined;
  return [
    () => childrenColumn(graph, memory),
    () => required('parent', graph.parent),
    () => integer('cumulative', narrowWide(graph.cumulative, memory), known),
    () => integer('flat', narrowWide(graph.flat, memory), known),
    () => integer('diff', narrowSigned(graph.diff, rowCount, memory), known),
    () => required('timestamp', startNanos ?? memory.take(BigInt64Array, rowCount)),
    () => integer('depth', narrow(graph.depth, memory), known),
    () => required('value_offset', narrowWide(graph.valueOffset, memory)),
    // Parca does not have this column; only charts have it.
    ...(lengthNanos === undefined ? [] : [() => required('duration', lengthNanos)]),
    ...graph.labels.map((label) => () => labelColumn(label, memory)),
  ];
}

/**
 * Returns a column under two names. The columns of names and system names are the same, except in
 * C++ and Rust.
 */
function shared(column: ArrowColumn, name: string): ArrowColumn[] {
  return [column, { ...column, name }];
}

function integer(name: string, values: IntegerArray, valid?: Bits): ArrowColumn {
  return { kind: 'integer', name, values, valid };
}

function required(name: string, values: IntegerArray): ArrowColumn {
  return { kind: 'integer', name, values, isRequired: true };
}

function isEqual(a: Int32Array, b: Int32Array): boolean {
  return a.length === b.length && Buffer.compare(viewBytes(a), viewBytes(b)) === 0;
}

function viewBytes({ buffer, byteOffset, byteLength }: Int32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function flagColumn(name: string, cells: Int8Array, memory: ColumnMemory): ArrowColumn {
  const { values, valid } = encodeFlags(cells, memory);
  return { kind: 'bool', name, values: packBits(values), valid: packBits(valid) };
}

/** Returns the flag of each cell, and 1 for each cell that has a flag. */
function encodeFlags(
  cells: Int8Array,
  memory: ColumnMemory,
): { readonly values: Uint8Array; readonly valid: Uint8Array } {
  const values = memory.take(Uint8Array, cells.length);
  const valid = memory.take(Uint8Array, cells.length);
  for (let i = 0; i < cells.length; i += 1) {
    valid[i] = cells[i] === noValue ? 0 : 1;
    values[i] = cells[i] & 1;
  }
  return { values, valid };
}

function childrenColumn({ rowCount, childStart }: FlameGraph, memory: ColumnMemory): ArrowColumn {
  // In breadth-first order, siblings are adjacent: the concatenated lists are the rows 1, 2, 3, ...
  const values = memory.take(Uint32Array, rowCount - 1);
  const offsets = memory.take(Int32Array, rowCount + 1);
  const valid = memory.take(Uint8Array, rowCount);
  for (let i = 0; i < rowCount; i += 1) {
    if (i > 0) values[i - 1] = i;
    offsets[i] = childStart[i] - 1;
    valid[i] = childStart[i + 1] > childStart[i] ? 1 : 0;
  }
  offsets[rowCount] = rowCount - 1;
  return { kind: 'list', name: 'children', offsets, values, valid: packBits(valid) };
}

/** Converts values to the narrowest unsigned type; `noValue` becomes 0. */
function narrow(values: Int32Array, memory: ColumnMemory): Uint8Array | Uint16Array | Uint32Array {
  let largest = 0;
  for (let i = 0; i < values.length; i += 1) if (values[i] > largest) largest = values[i];
  const result = unsignedArray(values.length, largest, memory);
  for (let i = 0; i < values.length; i += 1) result[i] = values[i] === noValue ? 0 : values[i];
  return result;
}

/** Converts values to the narrowest unsigned type, or keeps int64 if a value is below 0. */
export function narrowWide(values: BigInt64Array, memory: ColumnMemory): IntegerArray {
  const words = new Uint32Array(values.buffer, values.byteOffset, values.length * 2);
  let high = 0;
  let low = 0;
  for (let i = 0; i < words.length; i += 2) {
    if (words[i] > low) low = words[i];
    if (words[i + 1] > high) high = words[i + 1];
  }
  if (high >= 0x8000_0000) return values;
  if (high > 0 || low === 0xffff_ffff) {
    return new BigUint64Array(values.buffer, values.byteOffset, values.length);
  }
  const result = unsignedArray(values.length, low, memory);
  for (let i = 0; i < values.length; i += 1) result[i] = words[i * 2];
  return result;
}

/** Converts values to the narrowest signed type; makes zeros if there are no values. */
export function narrowSigned(
  values: BigInt64Array | undefined,
  rowCount: number,
  memory: ColumnMemory,
): IntegerArray {
  if (values === undefined) return memory.take(Int8Array, rowCount);
  let largest = 0n;
  for (let i = 0; i < values.length; i += 1) {
    const magnitude = values[i] < 0n ? -values[i] : values[i];
    if (magnitude > largest) largest = magnitude;
  }
  if (largest >= 0x7fff_ffffn) return values;
  const words = asWords(values);
  const result =
    largest < 0x7fn
      ? memory.take(Int8Array, rowCount)
      : largest < 0x7fffn
        ? memory.take(Int16Array, rowCount)
        : memory.take(Int32Array, rowCount);
  for (let i = 0; i < rowCount; i += 1) result[i] = words[i * 2];
  return result;
}

function labelColumn({ name, values, index }: LabelColumn, memory: ColumnMemory): ArrowColumn {
  const encoder = new TextEncoder();
  const texts = values.map((value) => encoder.encode(value));
  const offsets = new Int32Array(texts.length + 1);
  texts.forEach((text, i) => {
    offsets[i + 1] = offsets[i] + text.length;
  });
  const indices = unsignedArray(index.length, values.length, memory);
  for (let i = 0; i < index.length; i += 1) indices[i] = index[i] === noValue ? 0 : index[i];
  const dictionary = { offsets, data: Buffer.concat(texts) };
  const valid = packBits(presence(index, memory));
  return { kind: 'dictionary', name: `labels.${name}`, indices, valid, dictionary };
}

/**
 * Makes the columns in Parca's order and types. If a dictionary is too large for Parca's 16-bit
 * index, the index has 32 bits.
 *
 * Source: TABLE_ARROW of parca.query.v1alpha1; Parca's UI reads columns by name.
 */
export function tableColumns(table: Table): ArrowColumn[] {
  const { rowCount } = table;
  const strings = new StringColumns(table.strings);
  const text = (name: string, rows: Int32Array, indexBytesMin: 2 | 4): ArrowColumn =>
    strings.column(name, rows, { isText: true, indexBytesMin });
  const optional = (name: string, values: Int32Array): ArrowColumn => {
    const valid = presence(values);
    const wide = widened(values.map((value, i) => (valid[i] === 1 ? value : 0)));
    return { kind: 'integer', name, values: wide, valid: packBits(valid) };
  };
  const noDiff = new BigInt64Array(rowCount);
  const addresses = addressColumn(table, undefined);
  return [
    text('mapping_file', table.mappingFile, 2),
    text('mapping_build_id', table.buildId, 2),
    integer('location_address', addresses, packBits(table.hasAddress)),
    optional('location_line', table.line),
    optional('function_startline', table.startLine),
    text('function_name', table.functionName, 4),
    text('function_system_name', table.systemName, 2),
    text('function_file_name', table.fileName, 4),
    required('cumulative', table.cumulative),
    integer('cumulative_diff', table.cumulativeDiff ?? noDiff),
    required('flat', table.flat),
    required('flat_diff', table.flatDiff ?? noDiff),
    rowLists('callers', table.callers),
    rowLists('callees', table.callees),
  ];
}

function rowLists(name: string, { starts, rows }: RowLists): ArrowColumn {
  return { kind: 'list', name, offsets: starts, values: widened(rows), isRequired: true };
}

/** Converts values to int64. */
function widened(values: Int32Array): BigInt64Array {
  const words = new Int32Array(values.length * 2);
  for (let i = 0; i < values.length; i += 1) {
    words[i * 2] = values[i];
    words[i * 2 + 1] = values[i] >> 31;
  }
  return new BigInt64Array(words.buffer);
}

/**
 * Makes the columns in Parca's order and types. A diff has two more columns, which Parca does not
 * have.
 *
 * Source: SOURCE of parca.query.v1alpha1.
 */
export function sourceColumns(lines: SourceLines): ArrowColumn[] {
  const { strings, fileName, functionName, line, cumulative, flat } = lines;
  const { cumulativeDiff, flatDiff } = lines;
  const texts = new StringColumns(strings);
  const textColumn = (name: string, of: Int32Array): ArrowColumn => {
    const column = texts.column(name, of, { isText: true });
    return { ...column, indices: Int32Array.from(column.indices), isRequired: true };
  };
  return [
    textColumn('filename', fileName),
    required('line_number', BigInt64Array.from(line, BigInt)),
    required('cumulative', cumulative),
    required('flat', flat),
    ...(cumulativeDiff === undefined ? [] : [required('cumulative_diff', cumulativeDiff)]),
    ...(flatDiff === undefined ? [] : [required('flat_diff', flatDiff)]),
    // Parca's record does not have this column.
    textColumn('function_name', functionName),
  ];
}
