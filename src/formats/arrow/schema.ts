// Arrow's messages as flatbuffers: schema, record batch, dictionary batch.
import { integerType, type ArrowColumn, type IntegerArray } from './column.ts';
import { FlatbufferWriter, type Offset } from './flatbuffer-writer.ts';
import type { NestedColumn } from './nested-column.ts';
import type { FieldType } from './read/schema.ts';

// Constants of Message.fbs and Schema.fbs, https://github.com/apache/arrow/tree/main/format
const metadataVersion5 = 4;
const headerSchema = 1;
const headerDictionaryBatch = 2;
const headerRecordBatch = 3;
const typeInt = 2;
const typeBinary = 4;
const typeUtf8 = 5;
const typeBool = 6;
const typeTimestamp = 10;
const typeList = 12;
const typeFixedSizeBinary = 15;
const unitNanoseconds = 3;
const codecLz4Frame = 0;
/** Types without parameters. */
const plainTypes: Readonly<Partial<Record<NestedColumn['type']['kind'], number>>> = {
  text: typeBinary,
  utf8: typeUtf8,
  bool: typeBool,
  list: typeList,
  struct: 13,
  runs: 22,
  'text-view': 24,
  'list-view': 25,
};

/** Lengths and null counts of a batch's fields, and the positions of its buffers in the body. */
export interface BatchLayout {
  readonly rowCount: number;
  readonly nodeLengths: readonly number[];
  readonly nodeNulls: readonly number[];
  readonly bufferOffsets: readonly number[];
  readonly bufferLengths: readonly number[];
  readonly bodyLength: number;
  /** Number of data buffers of each view column. */
  readonly viewBuffers: readonly number[];
  readonly isCompressed: boolean;
}

/** Encodes the schema message; the id of a dictionary is the index of its column. */
export function schemaMessage(columns: readonly ArrowColumn[]): Uint8Array {
  const writer = new FlatbufferWriter();
  const fields = columns.map((column, id) => writeField(writer, column, id));
  const vector = writer.offsets(fields);
  writer.startTable();
  writer.reference(1, vector);
  return finishMessage(writer, headerSchema, writer.endTable(), 0);
}

/**
 * Encodes the schema message of nested columns; `dictionaryId` gives each column's dictionary a
 * number.
 */
export function nestedSchemaMessage(
  columns: readonly NestedColumn[],
  dictionaryId: (column: NestedColumn) => number,
  metadata: readonly (readonly [key: string, value: string])[],
): Uint8Array {
  const writer = new FlatbufferWriter();
  const fields = writer.offsets(
    columns.map((column) => writeNestedField(writer, column, dictionaryId)),
  );
  const pairs = writer.offsets(metadata.map(([key, value]) => writePair(writer, key, value)));
  writer.startTable();
  writer.reference(1, fields);
  writer.reference(2, pairs);
  return finishMessage(writer, headerSchema, writer.endTable(), 0);
}

/** Encodes the message that precedes the body of a record batch. */
export function recordBatchMessage(layout: BatchLayout): Uint8Array {
  const writer = new FlatbufferWriter();
  const batch = writeBatch(writer, layout);
  return finishMessage(writer, headerRecordBatch, batch, layout.bodyLength);
}

/** Encodes the message that precedes the values of dictionary `id`. */
export function dictionaryBatchMessage(id: number, layout: BatchLayout): Uint8Array {
  const writer = new FlatbufferWriter();
  const data = writeBatch(writer, layout);
  writer.startTable();
  writer.int64(0, id);
  writer.reference(1, data);
  return finishMessage(writer, headerDictionaryBatch, writer.endTable(), layout.bodyLength);
}

function finishMessage(
  writer: FlatbufferWriter,
  headerType: number,
  header: Offset,
  bodyLength: number,
): Uint8Array {
  writer.startTable();
  writer.int64(3, bodyLength);
  writer.reference(2, header);
  writer.int16(0, metadataVersion5);
  writer.int8(1, headerType);
  return writer.finish(writer.endTable());
}

function writeBatch(writer: FlatbufferWriter, layout: BatchLayout): Offset {
  const nodes = writer.int64Pairs(layout.nodeLengths, layout.nodeNulls);
  const buffers = writer.int64Pairs(layout.bufferOffsets, layout.bufferLengths);
  const views = layout.viewBuffers.length === 0 ? 0 : writer.int64s(layout.viewBuffers);
  const compression = layout.isCompressed ? writeCompression(writer) : 0;
  writer.startTable();
  writer.int64(0, layout.rowCount);
  writer.reference(1, nodes);
  writer.reference(2, buffers);
  if (compression !== 0) writer.reference(3, compression);
  if (views !== 0) writer.reference(4, views);
  return writer.endTable();
}

function writeCompression(writer: FlatbufferWriter): Offset {
  writer.startTable();
  writer.int8(0, codecLz4Frame);
  return writer.endTable();
}

function writePair(writer: FlatbufferWriter, key: string, value: string): Offset {
  const [keyText, valueText] = [writer.string(key), writer.string(value)];
  writer.startTable();
  writer.reference(0, keyText);
  writer.reference(1, valueText);
  return writer.endTable();
}

function writeNestedField(
  writer: FlatbufferWriter,
  column: NestedColumn,
  dictionaryId: (column: NestedColumn) => number,
): Offset {
  const { children = [], extension } = column;
  const name = writer.string(column.name);
  const fields = writer.offsets(
    children.map((child) => writeNestedField(writer, child, dictionaryId)),
  );
  const metadata = extension && [
    writePair(writer, 'ARROW:extension:name', extension),
    writePair(writer, 'ARROW:extension:metadata', ''),
  ];
  const pairs = metadata ? writer.offsets(metadata) : 0;
  const [typeNumber, type] = writeNestedType(writer, column.type);
  const indices = new Uint32Array(0);
  const dictionary = column.dictionary
    ? writeDictionaryEncoding(writer, indices, dictionaryId(column))
    : 0;
  writer.startTable();
  writer.reference(0, name);
  writer.reference(3, type);
  if (dictionary !== 0) writer.reference(4, dictionary);
  writer.reference(5, fields);
  if (pairs !== 0) writer.reference(6, pairs);
  writer.int8(1, column.isNullable === true ? 1 : 0);
  writer.int8(2, typeNumber);
  return writer.endTable();
}

function writeNestedType(
  writer: FlatbufferWriter,
  type: FieldType | { readonly kind: 'utf8' },
): readonly [number: number, type: Offset] {
  if (type.kind === 'int') {
    writer.startTable();
    writer.int32(0, type.bits);
    writer.int8(1, type.isSigned ? 1 : 0);
    return [typeInt, writer.endTable()];
  }
  if (type.kind === 'timestamp') {
    const zone = writer.string('UTC');
    writer.startTable();
    writer.int16(0, unitNanoseconds);
    writer.reference(1, zone);
    return [typeTimestamp, writer.endTable()];
  }
  if (type.kind === 'fixed') {
    writer.startTable();
    writer.int32(0, type.width);
    return [typeFixedSizeBinary, writer.endTable()];
  }
  return [plainTypes[type.kind] ?? 0, writeEmptyTable(writer)];
}

function writeField(writer: FlatbufferWriter, column: ArrowColumn, id: number): Offset {
  const name = writer.string(column.name);
  let children: Offset = 0;
  let dictionary: Offset = 0;
  let type: Offset;
  let typeNumber: number;
  switch (column.kind) {
    case 'bool':
      [typeNumber, type] = [typeBool, writeEmptyTable(writer)];
      break;
    case 'integer':
      [typeNumber, type] = [typeInt, writeIntType(writer, column.values)];
      break;
    case 'dictionary':
      [typeNumber, type] = [column.isText ? typeUtf8 : typeBinary, writeEmptyTable(writer)];
      dictionary = writeDictionaryEncoding(writer, column.indices, id);
      break;
    case 'list':
      [typeNumber, type] = [typeList, writeEmptyTable(writer)];
      children = writer.offsets([writeItemField(writer, column.values)]);
      break;
  }
  if (children === 0) children = writer.offsets([]);
  writer.startTable();
  writer.reference(0, name);
  writer.reference(3, type);
  if (dictionary !== 0) writer.reference(4, dictionary);
  writer.reference(5, children);
  writer.int8(1, column.isRequired ? 0 : 1);
  writer.int8(2, typeNumber);
  return writer.endTable();
}

function writeItemField(writer: FlatbufferWriter, values: IntegerArray): Offset {
  const name = writer.string('item');
  const type = writeIntType(writer, values);
  const children = writer.offsets([]);
  writer.startTable();
  writer.reference(0, name);
  writer.reference(3, type);
  writer.reference(5, children);
  writer.int8(1, 1);
  writer.int8(2, typeInt);
  return writer.endTable();
}

function writeIntType(writer: FlatbufferWriter, values: IntegerArray): Offset {
  const { bits, isSigned } = integerType(values);
  writer.startTable();
  writer.int32(0, bits);
  writer.int8(1, isSigned ? 1 : 0);
  return writer.endTable();
}

function writeDictionaryEncoding(
  writer: FlatbufferWriter,
  indices: IntegerArray,
  id: number,
): Offset {
  const indexType = writeIntType(writer, indices);
  writer.startTable();
  writer.int64(0, id);
  writer.reference(1, indexType);
  return writer.endTable();
}

function writeEmptyTable(writer: FlatbufferWriter): Offset {
  writer.startTable();
  return writer.endTable();
}
