// Converts protobuf's JSON to encoded messages. Like grpc-gateway, it accepts both spellings of a
// name and ignores unknown names.
import Long from 'long';
import protobuf from 'protobufjs/minimal.js';
import { AppError } from '../../../base/errors.ts';
import type { Schema, SchemaField, SchemaMessage } from './schema.ts';
import { parseDuration, parseTimestamp, type SecondsNanos } from './time.ts';

type Writer = protobuf.Writer;

/** Largest depth of nested messages, which is the decoder's limit, too. */
const depthMax = 100;

const wellKnown: ReadonlyMap<string, (text: string) => SecondsNanos> = new Map([
  ['google.protobuf.Timestamp', parseTimestamp],
  ['google.protobuf.Duration', parseDuration],
]);

/**
 * Encodes `json` (parsed) as a message of type `type`.
 *
 * Errors: AppError 'invalid-argument' naming the field.
 */
export function jsonToMessage(schema: Schema, type: SchemaMessage, json: unknown): Uint8Array {
  const writer = protobuf.Writer.create();
  writeMessage(schema, type, json, writer, '', 0);
  return writer.finish();
}

function writeMessage(
  schema: Schema,
  type: SchemaMessage,
  json: unknown,
  writer: Writer,
  path: string,
  depth: number,
): void {
  if (depth > depthMax) throw fail(path, `nested deeper than ${depthMax}`);
  const wellKnownParser = wellKnown.get(type.fullName);
  // Query parameters may also write a timestamp as start.seconds and start.nanos.
  if (wellKnownParser && !isObject(json)) {
    writeSecondsNanos(wellKnownParser(toStringValue(json, path)), writer);
    return;
  }
  if (!isObject(json)) throw fail(path, 'expected an object');
  const setOneofs = new Set<string>();
  for (const [name, value] of Object.entries(json)) {
    const field = type.byName.get(name);
    if (!field || value === null || value === undefined) continue;
    const fieldPath = path === '' ? name : `${path}.${name}`;
    if (field.oneof !== '') {
      if (setOneofs.has(field.oneof)) throw fail(fieldPath, `${field.oneof} is already set`);
      setOneofs.add(field.oneof);
    }
    writeField(schema, field, value, writer, fieldPath, depth);
  }
}

function writeField(
  schema: Schema,
  field: SchemaField,
  value: unknown,
  writer: Writer,
  path: string,
  depth: number,
): void {
  if (field.isMap) {
    if (!isObject(value)) throw fail(path, 'expected an object');
    for (const [key, entry] of Object.entries(value)) {
      writer.uint32(tag(field.number, 2)).fork().uint32(tag(1, 2)).string(key);
      writeValue(schema, { ...field, number: 2 }, entry, writer, `${path}.${key}`, depth);
      writer.ldelim();
    }
    return;
  }
  if (!field.isRepeated) {
    writeValue(schema, field, value, writer, path, depth);
    return;
  }
  if (!Array.isArray(value)) throw fail(path, 'expected a list');
  for (const [i, entry] of value.entries()) {
    writeValue(schema, field, entry, writer, `${path}[${i}]`, depth);
  }
}

function writeValue(
  schema: Schema,
  field: SchemaField,
  value: unknown,
  writer: Writer,
  path: string,
  depth: number,
): void {
  if (field.kind === 'message') {
    writer.uint32(tag(field.number, 2)).fork();
    writeMessage(schema, schema.message(field.typeName), value, writer, path, depth + 1);
    writer.ldelim();
    return;
  }
  if (field.kind === 'enum') {
    const { ignoresUnknown, numberOf } = schema.enum(field.typeName);
    const isName = typeof value === 'string' && /^[A-Za-z_]/.test(value);
    if (ignoresUnknown && isName && !numberOf.has(value)) return;
    writer.uint32(tag(field.number, 0)).int32(enumNumber(schema, field.typeName, value, path));
    return;
  }
  const scalar = scalars[field.kind];
  writer.uint32(tag(field.number, scalar.wireType));
  scalar.write(writer, value, path);
}

interface Scalar {
  readonly wireType: number;
  readonly write: (writer: Writer, value: unknown, path: string) => void;
}

const int64Max = 2n ** 63n;
const uint64Max = 2n ** 64n;
const int32Max = 2n ** 31n;
const uint32Max = 2n ** 32n;

const scalars: Readonly<Record<string, Scalar>> = {
  string: {
    wireType: 2,
    write: (writer, value, path) => writer.string(toStringValue(value, path)),
  },
  bytes: { wireType: 2, write: (writer, value, path) => writer.bytes(toBytes(value, path)) },
  hex: {
    wireType: 2,
    write: (writer, value, path) => writer.bytes(Buffer.from(toStringValue(value, path), 'hex')),
  },
  bool: { wireType: 0, write: (writer, value, path) => writer.bool(toBoolean(value, path)) },
  double: { wireType: 1, write: (writer, value, path) => writer.double(toFloat(value, path)) },
  float: { wireType: 5, write: (writer, value, path) => writer.float(toFloat(value, path)) },
  int32: {
    wireType: 0,
    write: (writer, value, path) =>
      writer.int32(Number(toInteger(value, -int32Max, int32Max, path))),
  },
  uint32: {
    wireType: 0,
    write: (writer, value, path) => writer.uint32(Number(toInteger(value, 0n, uint32Max, path))),
  },
  int64: {
    wireType: 0,
    write: (writer, value, path) =>
      writeVarint64(writer, toInteger(value, -int64Max, int64Max, path)),
  },
  uint64: {
    wireType: 0,
    write: (writer, value, path) => writeVarint64(writer, toInteger(value, 0n, uint64Max, path)),
  },
  fixed64: {
    wireType: 1,
    write: (writer, value, path) => writer.fixed64(toLong(toInteger(value, 0n, uint64Max, path))),
  },
};

function writeVarint64(writer: Writer, value: bigint): void {
  writer.uint64(toLong(value));
}

function toLong(value: bigint): Long {
  const bits = BigInt.asUintN(64, value);
  return Long.fromBits(Number(bits & 0xffff_ffffn), Number(bits >> 32n), true);
}

function writeSecondsNanos({ seconds, nanos }: SecondsNanos, writer: Writer): void {
  writer.uint32(tag(1, 0));
  writeVarint64(writer, seconds);
  writer.uint32(tag(2, 0)).int32(nanos);
}

function tag(number: number, wireType: number): number {
  return (number << 3) | wireType;
}

/** Returns true for an object other than a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toStringValue(value: unknown, path: string): string {
  if (typeof value !== 'string') throw fail(path, 'expected a string');
  return value;
}

function toBytes(value: unknown, path: string): Buffer {
  const text = toStringValue(value, path);
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) throw fail(path, 'expected base64');
  return Buffer.from(text, 'base64');
}

/** Accepts strings too, because query parameters are strings. */
function toBoolean(value: unknown, path: string): boolean {
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw fail(path, 'expected true or false');
}

function toFloat(value: unknown, path: string): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') {
    if (value === 'NaN') return Number.NaN;
    const number = value.trim() === '' ? Number.NaN : Number(value);
    if (!Number.isNaN(number)) return number;
  }
  throw fail(path, 'expected a number');
}

function toInteger(value: unknown, min: bigint, end: bigint, path: string): bigint {
  const integer = parseInteger(value, path);
  if (integer < min || integer >= end) throw fail(path, `${integer} is out of range`);
  return integer;
}

function parseInteger(value: unknown, path: string): bigint {
  if (typeof value === 'string' && /^-?\d{1,20}$/.test(value)) return BigInt(value);
  if (typeof value === 'number' && Number.isInteger(value)) {
    if (Number.isSafeInteger(value)) return BigInt(value);
    throw fail(path, 'a number past 2^53 must be written as a string');
  }
  throw fail(path, 'expected an integer');
}

function enumNumber(schema: Schema, typeName: string, value: unknown, path: string): number {
  if (typeof value === 'string') {
    const number = schema.enum(typeName).numberOf.get(value);
    if (number !== undefined) return number;
    if (!/^-?\d+$/.test(value)) throw fail(path, `unknown value ${JSON.stringify(value)}`);
  }
  return Number(toInteger(value, -int32Max, int32Max, path));
}

function fail(path: string, why: string): AppError {
  return new AppError('invalid-argument', `cannot parse ${path === '' ? 'request' : path}: ${why}`);
}
