// A flame graph as the columns of Parca's Arrow record: 18, then one for each grouped label.
import { wordsOf } from '../../base/int64-words.ts';
import { noValue } from '../../report/tree/describe-frames.ts';
import type { FlameGraph, LabelColumn } from '../../report/flame-graph.ts';
import type { ArrowColumn, IntegerArray } from '../../formats/arrow/column.ts';
import { addressesOf, presence, StringColumns, unsignedArray } from './frame-cells.ts';

/**
 * The columns in Parca's order, integers as narrow as their values allow. The schema allows nulls
 * where a record can have any: what an empty profile's root does not say included.
 *
 * Source: FLAMEGRAPH_ARROW of parca.query.v1alpha1; Parca's UI and tests read them by name.
 */
export function flameGraphColumns(graph: FlameGraph): ArrowColumn[] {
  const { rowCount } = graph;
  const strings = new StringColumns(graph.strings);
  const functionName = strings.column('function_name', graph.functionName);
  // An empty profile has a root that says nothing.
  const known = graph.isEmpty ? new Uint8Array(rowCount) : undefined;
  const integer = (name: string, values: IntegerArray, valid?: Uint8Array): ArrowColumn => ({
    kind: 'integer',
    name,
    values,
    valid,
  });
  const required = (name: string, values: IntegerArray): ArrowColumn => ({
    ...{ kind: 'integer', name, values, isRequired: true },
  });
  const optional = (name: string, values: Int32Array): ArrowColumn =>
    integer(name, narrow(values), presence(values));
  return [
    flags('labels_only', graph.labelsOnly),
    integer('location_address', addressesOf(graph), graph.hasAddress),
    strings.column('mapping_file', graph.mappingFile),
    strings.column('mapping_build_id', graph.buildId),
    optional('location_line', graph.line),
    flags('inlined', graph.inlined),
    optional('function_startline', graph.startLine),
    functionName,
    // Outside of C++ and Rust the two are mostly the same; then they share memory and compression.
    isEqual(graph.functionName, graph.systemName)
      ? { ...functionName, name: 'function_system_name' }
      : strings.column('function_system_name', graph.systemName),
    strings.column('function_file_name', graph.fileName),
    childrenOf(graph),
    required('parent', graph.parent),
    integer('cumulative', narrowWide(graph.cumulative), known),
    integer('flat', narrowWide(graph.flat), known),
    integer('diff', narrowSigned(graph.diff, rowCount), known),
    required('timestamp', graph.startNanos ?? new BigInt64Array(rowCount)),
    integer('depth', narrow(graph.depth), known),
    required('value_offset', narrowWide(graph.valueOffset)),
    ...graph.labels.map(labelColumn),
  ];
}

function isEqual(a: Int32Array, b: Int32Array): boolean {
  return a.length === b.length && Buffer.compare(bytesOf(a), bytesOf(b)) === 0;
}

function bytesOf({ buffer, byteOffset, byteLength }: Int32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function flags(name: string, cells: Int8Array): ArrowColumn {
  const values = new Uint8Array(cells.length);
  const valid = new Uint8Array(cells.length);
  for (let i = 0; i < cells.length; i += 1) {
    valid[i] = cells[i] === noValue ? 0 : 1;
    values[i] = cells[i] & 1;
  }
  return { kind: 'bool', name, values, valid };
}

function childrenOf({ rowCount, childStart }: FlameGraph): ArrowColumn {
  // Breadth first, children lie together: the lists are the rows 1, 2, 3, ... cut up.
  const values = new Uint32Array(rowCount - 1);
  const offsets = new Int32Array(rowCount + 1);
  const valid = new Uint8Array(rowCount);
  for (let i = 0; i < rowCount; i += 1) {
    if (i > 0) values[i - 1] = i;
    offsets[i] = childStart[i] - 1;
    valid[i] = childStart[i + 1] > childStart[i] ? 1 : 0;
  }
  offsets[rowCount] = rowCount - 1;
  return { kind: 'list', name: 'children', offsets, values, valid };
}

/** Values >= 0 and `noValue` (which becomes 0) in the narrowest unsigned type. */
function narrow(values: Int32Array): Uint8Array | Uint16Array | Uint32Array {
  let largest = 0;
  for (let i = 0; i < values.length; i += 1) if (values[i] > largest) largest = values[i];
  const result = unsignedArray(values.length, largest);
  for (let i = 0; i < values.length; i += 1) result[i] = values[i] === noValue ? 0 : values[i];
  return result;
}

/** The narrowest unsigned type; with a value below 0, int64 as it is. */
function narrowWide(values: BigInt64Array): IntegerArray {
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
  const result = unsignedArray(values.length, low);
  for (let i = 0; i < values.length; i += 1) result[i] = words[i * 2];
  return result;
}

/** The narrowest signed type for values of both signs; zeros where there are none. */
function narrowSigned(values: BigInt64Array | undefined, rowCount: number): IntegerArray {
  if (values === undefined) return new Int8Array(rowCount);
  let largest = 0n;
  for (let i = 0; i < values.length; i += 1) {
    const magnitude = values[i] < 0n ? -values[i] : values[i];
    if (magnitude > largest) largest = magnitude;
  }
  if (largest >= 0x7fff_ffffn) return values;
  const words = wordsOf(values);
  const result =
    largest < 0x7fn
      ? new Int8Array(rowCount)
      : largest < 0x7fffn
        ? new Int16Array(rowCount)
        : new Int32Array(rowCount);
  for (let i = 0; i < rowCount; i += 1) result[i] = words[i * 2];
  return result;
}

function labelColumn({ name, values, index }: LabelColumn): ArrowColumn {
  const encoder = new TextEncoder();
  const texts = values.map((value) => encoder.encode(value));
  const offsets = new Int32Array(texts.length + 1);
  texts.forEach((text, i) => {
    offsets[i + 1] = offsets[i] + text.length;
  });
  const indices = unsignedArray(index.length, values.length);
  for (let i = 0; i < index.length; i += 1) indices[i] = index[i] === noValue ? 0 : index[i];
  const dictionary = { offsets, data: Buffer.concat(texts) };
  const valid = presence(index);
  return { kind: 'dictionary', name: `labels.${name}`, indices, valid, dictionary };
}
