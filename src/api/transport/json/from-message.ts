// Converts encoded messages to protobuf's JSON. Like grpc-gateway, it writes fields that are zero.
import protobuf from 'protobufjs/minimal.js';
import { jsonMessageBytesMax } from '../../limits.ts';
import { jsonPieceLength } from '../../../base/limits.ts';
import { longTextSteps } from '../../../base/text/json-slices.ts';
import type { TextSteps } from '../call/answer-stream.ts';
import type { Schema, SchemaField, SchemaMessage } from './schema.ts';
import { formatDuration, formatTimestamp, type SecondsNanos } from './time.ts';

type Reader = protobuf.Reader;
type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

const wellKnown: ReadonlyMap<string, (value: SecondsNanos) => string> = new Map([
  ['google.protobuf.Timestamp', formatTimestamp],
  ['google.protobuf.Duration', formatDuration],
]);

/** Converts an encoded message of type `type` to JSON text. */
export function messageToJson(schema: Schema, type: SchemaMessage, bytes: Uint8Array): string {
  const reader = protobuf.Reader.create(bytes);
  return JSON.stringify(readMessage(schema, type, reader, reader.len));
}

/**
 * Writes the JSON of `messageToJson` in parts. Only the offsets of values are kept, so the memory
 * does not depend on the size of the values.
 */
export function* messageSteps(schema: Schema, type: SchemaMessage, bytes: Uint8Array): TextSteps {
  if (bytes.length <= jsonMessageBytesMax) {
    yield messageToJson(schema, type, bytes);
    return;
  }
  const reader = protobuf.Reader.create(bytes);
  yield* writeLarge(schema, type, reader, reader.len);
}

/** Number of bytes of a message that are read between two steps. */
const stepBytes = 16_384;

/** Offset of a field's value in the message, and its wire type. */
interface Place {
  readonly pos: number;
  readonly wireType: number;
}

/** Writes the message at the reader's position, field by field. */
function* writeLarge(schema: Schema, type: SchemaMessage, reader: Reader, end: number): TextSteps {
  const places = new Map<SchemaField, Place[]>();
  let checked = reader.pos;
  while (reader.pos < end) {
    const tag = reader.uint32();
    const wireType = tag & 7;
    const field = type.byNumber.get(tag >>> 3);
    if (field !== undefined) {
      const known = places.get(field);
      const place = { pos: reader.pos, wireType };
      if (known === undefined) places.set(field, [place]);
      else known.push(place);
    }
    reader.skipType(wireType);
    if (reader.pos - checked < stepBytes) continue;
    checked = reader.pos;
    yield '';
  }
  // Fields that are always written come first, as in `emptyMessage`.
  const always = type.omitsUnset
    ? []
    : type.fields.filter((field) => unsetValue(schema, field) !== undefined);
  let separator = '{';
  for (const field of new Set([...always, ...places.keys()])) {
    yield `${separator}${JSON.stringify(field.jsonName)}:`;
    separator = ',';
    const found = places.get(field);
    if (found === undefined) yield JSON.stringify(unsetValue(schema, field));
    else if (field.isMap) yield* writeMap(schema, field, reader, found);
    else if (field.isRepeated) yield* writeList(schema, field, reader, found);
    else yield* writeValueAt(schema, field, reader, found[found.length - 1].pos);
  }
  yield separator === '{' ? '{}' : '}';
}

function* writeMap(
  schema: Schema,
  field: SchemaField,
  reader: Reader,
  places: readonly Place[],
): TextSteps {
  /**
   * Offset of the value of each key. If a key is repeated, its last value counts; -1 = the entry
   * has no value.
   */
  const values = new Map<string, number>();
  for (const { pos } of places) {
    reader.pos = pos;
    const end = reader.uint32() + reader.pos;
    let key = '';
    let value = -1;
    while (reader.pos < end) {
      const tag = reader.uint32();
      if (tag >>> 3 === 2) value = reader.pos;
      if (tag >>> 3 === 1) key = reader.string();
      else reader.skipType(tag & 7);
    }
    values.set(key, value);
    yield '';
  }
  let separator = '{';
  for (const [key, pos] of values) {
    yield `${separator}${JSON.stringify(key)}:`;
    separator = ',';
    if (pos < 0) yield 'null';
    else yield* writeValueAt(schema, field, reader, pos);
  }
  yield separator === '{' ? '{}' : '}';
}

function* writeList(
  schema: Schema,
  field: SchemaField,
  reader: Reader,
  places: readonly Place[],
): TextSteps {
  let separator = '[';
  for (const { pos, wireType } of places) {
    reader.pos = pos;
    const isPacked = wireType === 2 && isNumeric(field);
    if (!isPacked) {
      yield separator;
      yield* writeValueAt(schema, field, reader, pos);
      separator = ',';
      continue;
    }
    for (const end = reader.uint32() + reader.pos; reader.pos < end; separator = ',') {
      yield separator + JSON.stringify(readValue(schema, field, reader));
    }
  }
  yield separator === '[' ? '[]' : ']';
}

function* writeValueAt(schema: Schema, field: SchemaField, reader: Reader, pos: number): TextSteps {
  reader.pos = pos;
  const isLarge = field.kind === 'message' && reader.uint32() > jsonMessageBytesMax;
  if (isLarge && !wellKnown.has(field.typeName)) {
    const start = reader.pos;
    reader.pos = pos;
    yield* writeLarge(schema, schema.message(field.typeName), reader, reader.uint32() + start);
    return;
  }
  reader.pos = pos;
  const isLong = hasLength.has(field.kind) && reader.uint32() > jsonPieceLength;
  reader.pos = pos;
  if (isLong && field.kind === 'bytes') yield* base64Steps(reader.bytes());
  else if (isLong) yield* longTextSteps(reader.string());
  else yield JSON.stringify(readValue(schema, field, reader));
}

const hasLength: ReadonlySet<string> = new Set(['bytes', 'string']);
/**
 * Number of bytes that are encoded as base64 in one step. It is a multiple of three, so that the
 * results can be concatenated.
 */
const base64PieceBytes = 3 * 8_192;

function* base64Steps(bytes: Uint8Array): TextSteps {
  yield '"';
  for (let at = 0; at < bytes.length; at += base64PieceBytes) {
    yield base64(bytes.subarray(at, at + base64PieceBytes));
  }
  yield '"';
}

function readMessage(schema: Schema, type: SchemaMessage, reader: Reader, end: number): Json {
  const print = wellKnown.get(type.fullName);
  if (print) return print(readSecondsNanos(reader, end));
  const json = emptyMessage(schema, type);
  while (reader.pos < end) {
    const tag = reader.uint32();
    const field = type.byNumber.get(tag >>> 3);
    if (field) readField(schema, field, tag & 7, reader, json);
    else reader.skipType(tag & 7);
  }
  return type.omitsUnset ? withoutUnset(schema, type, json) : json;
}

/** Removes fields that have the same value as an unset field. */
function withoutUnset(
  schema: Schema,
  type: SchemaMessage,
  json: { [name: string]: Json },
): { [name: string]: Json } {
  for (const field of type.fields) {
    const { jsonName } = field;
    const value = json[jsonName];
    const isEmpty = Array.isArray(value) && value.length === 0;
    if (isEmpty || value === unsetValue(schema, field)) delete json[jsonName];
  }
  return json;
}

/** Returns the JSON of a message in which no field is set. */
function emptyMessage(schema: Schema, type: SchemaMessage): { [name: string]: Json } {
  const json: { [name: string]: Json } = {};
  for (const field of type.fields) {
    const zero = unsetValue(schema, field);
    if (zero !== undefined) json[field.jsonName] = zero;
  }
  return json;
}

/** Returns the JSON value of an unset field; undefined if the field is left out. */
function unsetValue(schema: Schema, field: SchemaField): Json | undefined {
  if (field.isMap) return {};
  if (field.isRepeated) return [];
  if (field.kind === 'message' && field.oneof === '') return null;
  if (field.hasPresence) return undefined;
  if (field.kind === 'enum') return schema.enum(field.typeName).nameOf.get(0) ?? 0;
  return scalars[field.kind].zero;
}

function readField(
  schema: Schema,
  field: SchemaField,
  wireType: number,
  reader: Reader,
  json: { [name: string]: Json },
): void {
  const present = json[field.jsonName];
  if (field.isMap) {
    const [key, value] = readMapEntry(schema, field, reader);
    if (typeof present === 'object' && present !== null && !Array.isArray(present)) {
      Object.defineProperty(present, key, { value, enumerable: true, configurable: true });
    }
    return;
  }
  if (!Array.isArray(present)) {
    json[field.jsonName] = readValue(schema, field, reader);
    return;
  }
  const isPacked = wireType === 2 && isNumeric(field);
  if (!isPacked) {
    present.push(readValue(schema, field, reader));
    return;
  }
  for (const end = reader.uint32() + reader.pos; reader.pos < end;) {
    present.push(readValue(schema, field, reader));
  }
}

function isNumeric(field: SchemaField): boolean {
  return !['message', 'string', 'bytes', 'hex'].includes(field.kind);
}

function readMapEntry(schema: Schema, field: SchemaField, reader: Reader): [string, Json] {
  const end = reader.uint32() + reader.pos;
  let key = '';
  let value: Json = null;
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag >>> 3 === 1) key = reader.string();
    else if (tag >>> 3 === 2) value = readValue(schema, field, reader);
    else reader.skipType(tag & 7);
  }
  return [key, value];
}

function readValue(schema: Schema, field: SchemaField, reader: Reader): Json {
  if (field.kind === 'message') {
    const end = reader.uint32() + reader.pos;
    return readMessage(schema, schema.message(field.typeName), reader, end);
  }
  if (field.kind === 'enum') {
    const number = reader.int32();
    return schema.enum(field.typeName).nameOf.get(number) ?? number;
  }
  return scalars[field.kind].read(reader);
}

function readSecondsNanos(reader: Reader, end: number): SecondsNanos {
  let seconds = 0n;
  let nanos = 0;
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag >>> 3 === 1) seconds = BigInt(reader.int64().toString());
    else if (tag >>> 3 === 2) nanos = reader.int32();
    else reader.skipType(tag & 7);
  }
  return { seconds, nanos };
}

interface Scalar {
  readonly zero: Json;
  readonly read: (reader: Reader) => Json;
}

const scalars: Readonly<Record<string, Scalar>> = {
  string: { zero: '', read: (reader) => reader.string() },
  bytes: { zero: '', read: (reader) => base64(reader.bytes()) },
  hex: { zero: '', read: (reader) => Buffer.from(reader.bytes()).toString('hex') },
  bool: { zero: false, read: (reader) => reader.bool() },
  double: { zero: 0, read: (reader) => floatText(reader.double()) },
  float: { zero: 0, read: (reader) => floatText(shortest(reader.float())) },
  int32: { zero: 0, read: (reader) => reader.int32() },
  uint32: { zero: 0, read: (reader) => reader.uint32() },
  int64: { zero: '0', read: (reader) => reader.int64().toString() },
  uint64: { zero: '0', read: (reader) => reader.uint64().toString() },
  fixed64: { zero: '0', read: (reader) => reader.fixed64().toString() },
};

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

function floatText(value: number): Json {
  return Number.isFinite(value) ? value : String(value);
}

/** Returns the number with the fewest digits that rounds to the same 32-bit float. */
function shortest(value: number): number {
  for (let digits = 6; digits < 9; digits += 1) {
    const candidate = Number(value.toPrecision(digits));
    if (Math.fround(candidate) === value) return candidate;
  }
  return value;
}
