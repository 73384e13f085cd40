// Converts encoded messages to protobuf's JSON, with zero values, as grpc-gateway does.
import protobuf from 'protobufjs/minimal.js';
import { jsonMessageBytesMax } from '../../base/limits.ts';
import { finishPausing, type Pacer, type Steps, stoppablePacer } from '../../base/pacer.ts';
import { jsonInSlices } from '../../base/text/json-slices.ts';
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
 * Converts an encoded message to JSON as `messageToJson` does; a long one in slices, until the
 * signal is aborted that `signalOf` returns.
 */
export async function messageToJsonInSlices(
  schema: Schema,
  type: SchemaMessage,
  bytes: Uint8Array,
  pacer: Pick<Pacer, 'pause'>,
  signalOf?: () => AbortSignal,
): Promise<Uint8Array> {
  if (bytes.length <= jsonMessageBytesMax) return Buffer.from(messageToJson(schema, type, bytes));
  const reader = protobuf.Reader.create(bytes);
  const stoppable = stoppablePacer(pacer, signalOf?.());
  const json = await finishPausing(readLarge(schema, type, reader, reader.len), stoppable);
  return jsonInSlices(json, stoppable);
}

/** Reads a message as `readMessage` does, with steps between fields and inside of large ones. */
function* readLarge(
  schema: Schema,
  type: SchemaMessage,
  reader: Reader,
  end: number,
): Steps<{ [name: string]: Json }> {
  const json = emptyMessage(schema, type);
  let checked = reader.pos;
  while (reader.pos < end) {
    const tag = reader.uint32();
    const field = type.byNumber.get(tag >>> 3);
    if (field === undefined) reader.skipType(tag & 7);
    else if (field.kind !== 'message' || field.isMap || !isLargeNext(reader)) {
      readField(schema, field, tag & 7, reader, json);
    } else {
      const inner = schema.message(field.typeName);
      const innerEnd = reader.uint32() + reader.pos;
      const value = yield* readLarge(schema, inner, reader, innerEnd);
      const present = json[field.jsonName];
      if (Array.isArray(present)) present.push(value);
      else json[field.jsonName] = value;
    }
    if (reader.pos - checked < stepBytes) continue;
    checked = reader.pos;
    yield;
  }
  return json;
}

/** Bytes of a message between two looks at the clock. */
const stepBytes = 16_384;

/** Returns true if the message that begins here is too large to be read at once. */
function isLargeNext(reader: Reader): boolean {
  const start = reader.pos;
  const length = reader.uint32();
  reader.pos = start;
  return length > jsonMessageBytesMax;
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
  return json;
}

/** Returns a message without fields: the values of those that are unset. */
function emptyMessage(schema: Schema, type: SchemaMessage): { [name: string]: Json } {
  const json: { [name: string]: Json } = {};
  for (const field of type.fields) {
    const zero = unsetValue(schema, field);
    if (zero !== undefined) json[field.jsonName] = zero;
  }
  return json;
}

/** JSON value of an unset field; undefined leaves the field out. */
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
