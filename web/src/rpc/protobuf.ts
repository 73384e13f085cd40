// Protobuf by tables: each message has a table of fields, read and written with exact 64-bit
// integers.
//
// The page's messages are few and small, so this file replaces a generator and its runtime in the
// bundle. Wire format: https://protobuf.dev/programming-guides/encoding

const varintWire = 0;
const fixed64Wire = 1;
const bytesWire = 2;
const fixed32Wire = 5;

const textEncoder = new TextEncoder();
const textDecoder = new TextDecoder();

/** A position in the bytes that are read. */
export interface Cursor {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  offset: number;
}

/** Reads and writes one kind of field. */
export interface Codec<T> {
  readonly wire: number;
  /** Returns the value of an absent field; `read` may change it. */
  initial(): T;
  /** Reads an occurrence of the field; `before` is the value of earlier occurrences. */
  read(cursor: Cursor, before: T): T;
  /** Appends all occurrences with their tag; writes nothing for the initial value. */
  write(out: number[], tag: number, value: T): void;
}

type Fields = { readonly [name: string]: readonly [number: number, codec: Codec<unknown>] };
type Values<F extends Fields> = {
  readonly [K in keyof F]: F[K][1] extends Codec<infer T> ? T : never;
};
/** Type of the values that a codec reads. */
export type ValueOf<C> = C extends Codec<infer T> ? T : never;

/** Decodes a message. Errors: RangeError if the bytes end inside a field. */
export function decode<T>(codec: MessageCodec<T>, bytes: Uint8Array): T {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return codec.readFields({ bytes, view, offset: 0 }, bytes.length);
}

/** Encodes a message. */
export function encode<T>(codec: MessageCodec<T>, value: T): Uint8Array<ArrayBuffer> {
  const out: number[] = [];
  codec.writeFields(out, value);
  return new Uint8Array(out);
}

/** Codec of a message, which may be nested. */
export interface MessageCodec<T> extends Codec<T | undefined> {
  readFields(cursor: Cursor, end: number): T;
  writeFields(out: number[], value: T): void;
}

/**
 * Returns the codec of a message with a table `name: [number, codec]`. An absent nested message is
 * undefined.
 */
export function message<const F extends Fields>(fields: F): MessageCodec<Values<F>> {
  const names = Object.keys(fields);
  const byNumber = new Map(names.map((name) => [fields[name][0], name]));

  function readFields(cursor: Cursor, end: number): Values<F> {
    const result: { [name: string]: unknown } = {};
    for (const name of names) result[name] = fields[name][1].initial();
    while (cursor.offset < end) {
      const tag = readVarint32(cursor);
      const name = byNumber.get(tag >>> 3);
      const codec = name === undefined ? undefined : fields[name][1];
      if (name === undefined || codec === undefined || codec.wire !== (tag & 7)) {
        skip(cursor, tag & 7);
      } else {
        result[name] = codec.read(cursor, result[name]);
      }
    }
    if (cursor.offset !== end) throw new RangeError('message ends inside a field');
    // The loop above has set all names in the table to values of their codecs.
    return result as Values<F>;
  }

  function writeFields(out: number[], value: Values<F>): void {
    for (const name of names) {
      const [number, codec] = fields[name];
      codec.write(out, (number << 3) | codec.wire, value[name]);
    }
  }

  return {
    wire: bytesWire,
    initial: () => undefined,
    readFields,
    writeFields,
    read: (cursor) => readFields(cursor, readLength(cursor)),
    write(out, tag, value) {
      if (value === undefined) return;
      const body: number[] = [];
      writeFields(body, value);
      writeVarint32(out, tag);
      writeVarint32(out, body.length);
      appendBytes(out, body);
    },
  };
}

/**
 * Returns the codec of a repeated field of messages, strings or bytes; the page does not need
 * packed numbers.
 */
export function repeated<T>(codec: Codec<T>): Codec<NonNullable<T>[]> {
  return {
    wire: codec.wire,
    initial: () => [],
    read(cursor, values) {
      const value = codec.read(cursor, codec.initial());
      if (value !== undefined && value !== null) values.push(value);
      return values;
    },
    write(out, tag, values) {
      for (const value of values) writeAlways(codec, out, tag, value);
    },
  };
}

/** Returns the codec of `map<string, T>`; entries are messages with key 1 and value 2. */
export function mapCodec<T>(codec: MessageCodec<T>): Codec<Map<string, T>> {
  const entry = message({ key: [1, string], value: [2, codec] });
  return {
    wire: bytesWire,
    initial: () => new Map(),
    read(cursor, values) {
      const { key, value } = entry.readFields(cursor, readLength(cursor));
      if (value !== undefined) values.set(key, value);
      return values;
    },
    write(out, tag, values) {
      for (const [key, value] of values) entry.write(out, tag, { key, value });
    },
  };
}

export const string: Codec<string> = {
  wire: bytesWire,
  initial: () => '',
  read: (cursor) => textDecoder.decode(readBytes(cursor)),
  write(out, tag, value) {
    if (value !== '') bytes.write(out, tag, textEncoder.encode(value));
  },
};

export const bytes: Codec<Uint8Array> = {
  wire: bytesWire,
  initial: () => new Uint8Array(0),
  read: (cursor) => readBytes(cursor),
  write(out, tag, value) {
    if (value.length === 0) return;
    writeVarint32(out, tag);
    writeVarint32(out, value.length);
    appendBytes(out, value);
  },
};

export const int64: Codec<bigint> = varint(0n, (cursor) => BigInt.asIntN(64, readVarint64(cursor)));
export const uint32: Codec<number> = varint(0, (cursor) => readVarint32(cursor));
export const int32: Codec<number> = varint(0, (cursor) => readVarint32(cursor) | 0);
export const bool: Codec<boolean> = varint(false, (cursor) => readVarint64(cursor) !== 0n);

export const double: Codec<number> = {
  wire: fixed64Wire,
  initial: () => 0,
  read(cursor) {
    cursor.offset += 8;
    return cursor.view.getFloat64(cursor.offset - 8, true);
  },
  write: (out, tag, value) => writeFloat(out, tag, new Float64Array([value])),
};

export const float: Codec<number> = {
  wire: fixed32Wire,
  initial: () => 0,
  read(cursor) {
    cursor.offset += 4;
    return cursor.view.getFloat32(cursor.offset - 4, true);
  },
  write: (out, tag, value) => writeFloat(out, tag, new Float32Array([value])),
};

function varint<T extends bigint | number | boolean>(
  initial: T,
  read: (cursor: Cursor) => T,
): Codec<T> {
  return {
    wire: varintWire,
    initial: () => initial,
    read,
    write(out, tag, value) {
      if (value === initial) return;
      writeVarint32(out, tag);
      writeVarint64(out, BigInt.asUintN(64, BigInt(value)));
    },
  };
}

/** Writes an element of a repeated field, even if it is "" or 0. */
function writeAlways<T>(codec: Codec<T>, out: number[], tag: number, value: T): void {
  const before = out.length;
  codec.write(out, tag, value);
  if (out.length > before) return;
  writeVarint32(out, tag);
  out.push(0);
}

function writeFloat(out: number[], tag: number, value: Float64Array | Float32Array): void {
  if (value[0] === 0) return;
  writeVarint32(out, tag);
  appendBytes(out, new Uint8Array(value.buffer));
}

function readLength(cursor: Cursor): number {
  const length = readVarint32(cursor);
  if (cursor.offset + length > cursor.bytes.length) {
    throw new RangeError('message is shorter than its length says');
  }
  return cursor.offset + length;
}

function readBytes(cursor: Cursor): Uint8Array {
  const end = readLength(cursor);
  const value = cursor.bytes.subarray(cursor.offset, end);
  cursor.offset = end;
  return value;
}

/**
 * High word of the last varint. It is a variable, so that reading a million varints creates no
 * objects.
 */
let high = 0;

/** Reads a varint; returns its low word, and stores the high word in `high`. */
function readVarint32(cursor: Cursor): number {
  const { bytes: from } = cursor;
  let low = 0;
  high = 0;
  for (let shift = 0; shift < 70; shift += 7) {
    if (cursor.offset >= from.length) throw new RangeError('message ends inside a varint');
    const byte = from[cursor.offset++];
    const bits = byte & 127;
    if (shift < 28) low |= bits << shift;
    else if (shift === 28) {
      low |= bits << 28;
      high |= bits >>> 4;
    } else high |= bits << (shift - 32);
    if (byte < 128) return low >>> 0;
  }
  throw new RangeError('varint is longer than 10 bytes');
}

function readVarint64(cursor: Cursor): bigint {
  const low = BigInt(readVarint32(cursor));
  return high === 0 ? low : (BigInt(high >>> 0) << 32n) | low;
}

function writeVarint32(out: number[], value: number): void {
  let rest = value >>> 0;
  while (rest > 127) {
    out.push((rest & 127) | 128);
    rest >>>= 7;
  }
  out.push(rest);
}

function writeVarint64(out: number[], value: bigint): void {
  let rest = value;
  while (rest > 127n) {
    out.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  out.push(Number(rest));
}

function skip(cursor: Cursor, wire: number): void {
  if (wire === varintWire) readVarint64(cursor);
  else if (wire === fixed64Wire) cursor.offset += 8;
  else if (wire === bytesWire) cursor.offset = readLength(cursor);
  else if (wire === fixed32Wire) cursor.offset += 4;
  else throw new RangeError(`wire type ${wire} is not supported`);
}

function appendBytes(out: number[], bytes: ArrayLike<number>): void {
  for (let i = 0; i < bytes.length; i++) out.push(bytes[i]);
}
