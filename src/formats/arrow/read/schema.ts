// The schema of a stream: its fields, limited to the types that agents' records have.
import { inputLimits } from '../../../base/input-limits.ts';
import { badStream } from './bad-stream.ts';
import { overLimit } from './over-limit.ts';
import type { FlatTable } from './flatbuffer-reader.ts';

/** Layout of a field's values. */
export type FieldType =
  | { readonly kind: 'bool' | 'text' | 'text-view' | 'list' | 'list-view' | 'struct' | 'runs' }
  | { readonly kind: 'int'; readonly bits: number; readonly isSigned: boolean }
  /** Int64 of nanoseconds since the epoch. */
  | { readonly kind: 'timestamp' }
  | { readonly kind: 'fixed'; readonly width: number };

/** A column, or a part of a column. */
export interface Field {
  readonly name: string;
  /** Type of the values; for a dictionary, the type of its entries. */
  readonly type: FieldType;
  readonly dictionary: FieldDictionary | undefined;
  readonly children: readonly Field[];
}

/** The dictionary of a field, and the type of the integers that refer to it. */
export interface FieldDictionary {
  readonly id: number;
  readonly indices: FieldType & { readonly kind: 'int' };
}

export interface Schema {
  readonly fields: readonly Field[];
  readonly metadata: ReadonlyMap<string, string>;
}

// Constants of Schema.fbs, https://github.com/apache/arrow/blob/main/format/Schema.fbs
const typeNames = [
  'no type',
  'Null',
  'Int',
  'FloatingPoint',
  'Binary',
  'Utf8',
  'Bool',
  'Decimal',
  'Date',
  'Time',
  'Timestamp',
  'Interval',
  'List',
  'Struct',
  'Union',
  'FixedSizeBinary',
  'FixedSizeList',
  'Map',
  'Duration',
  'LargeBinary',
  'LargeUtf8',
  'LargeList',
  'RunEndEncoded',
  'BinaryView',
  'Utf8View',
  'ListView',
  'LargeListView',
];
/** Types without parameters. */
const plainTypes: Readonly<Record<string, FieldType>> = {
  Binary: { kind: 'text' },
  Utf8: { kind: 'text' },
  Bool: { kind: 'bool' },
  List: { kind: 'list' },
  Struct: { kind: 'struct' },
  RunEndEncoded: { kind: 'runs' },
  BinaryView: { kind: 'text-view' },
  Utf8View: { kind: 'text-view' },
  ListView: { kind: 'list-view' },
};
const childCounts: Readonly<Partial<Record<FieldType['kind'], number>>> = {
  list: 1,
  'list-view': 1,
  runs: 2,
};
const nanoseconds = 3;

/** Reads a Schema table. Errors: as in badStream and overLimit. */
export function readSchema(table: FlatTable): Schema {
  if (table.int16(0, 0) !== 0) throw badStream('it is big-endian');
  const count = { fields: 0 };
  const fields = table.tables(1).map((field) => readField(field, count, 1));
  const metadata = new Map(table.tables(2).map((pair) => [pair.text(0), pair.text(1)]));
  return { fields, metadata };
}

function readField(table: FlatTable, count: { fields: number }, depth: number): Field {
  count.fields += 1;
  if (count.fields > inputLimits.arrowFields)
    throw overLimit('arrowFields', 'fields', count.fields);
  if (depth > inputLimits.arrowNesting) throw overLimit('arrowNesting', 'levels of fields', depth);
  const name = table.text(0);
  const type = readType(table.int8(2, 0), table.table(3), name);
  const children = table.tables(5).map((child) => readField(child, count, depth + 1));
  const childCount = type.kind === 'struct' ? children.length : (childCounts[type.kind] ?? 0);
  if (children.length !== childCount) {
    throw badStream(`field ${quoted(name)} has ${children.length} children, not ${childCount}`);
  }
  if (type.kind === 'runs' && !isRunEnd(children[0])) {
    throw badStream(`field ${quoted(name)} has run ends that are not int16, int32 or int64`);
  }
  return { name, type, dictionary: readDictionary(table.table(4), name), children };
}

function readType(number: number, table: FlatTable | undefined, name: string): FieldType {
  const typeName = typeNames[number] ?? `type ${number}`;
  const plain = Object.hasOwn(plainTypes, typeName) ? plainTypes[typeName] : undefined;
  if (plain !== undefined) return plain;
  if (typeName === 'Int') return readInt(table, name);
  if (typeName === 'FixedSizeBinary') {
    const width = table?.int32(0, 0) ?? 0;
    if (width > 0 && width <= 256) return { kind: 'fixed', width };
    throw badStream(`field ${quoted(name)} has values of ${width} bytes`);
  }
  if (typeName === 'Timestamp') {
    if (table?.int16(0, 0) === nanoseconds) return { kind: 'timestamp' };
    throw badStream(`field ${quoted(name)} has times that are not in nanoseconds`);
  }
  throw badStream(`field ${quoted(name)} is of type ${typeName}, which no record has`);
}

function readInt(table: FlatTable | undefined, name: string): FieldType & { kind: 'int' } {
  const bits = table?.int32(0, 0) ?? 0;
  if (![8, 16, 32, 64].includes(bits)) {
    throw badStream(`field ${quoted(name)} has integers of ${bits} bits`);
  }
  return { kind: 'int', bits, isSigned: table?.int8(1, 0) === 1 };
}

function readDictionary(table: FlatTable | undefined, name: string): FieldDictionary | undefined {
  if (table === undefined) return undefined;
  const indexTable = table.table(1);
  // Int32 is the format's default.
  const indices =
    indexTable === undefined
      ? ({ kind: 'int', bits: 32, isSigned: true } as const)
      : readInt(indexTable, name);
  return { id: table.count(0), indices };
}

function isRunEnd({ type, dictionary }: Field): boolean {
  return type.kind === 'int' && type.isSigned && type.bits > 8 && dictionary === undefined;
}

/** Quotes the first 100 characters of a name, for error messages. */
export function quoted(name: string): string {
  return JSON.stringify(name.slice(0, 100));
}
