// A column of int64 numbers. Each is stored as an unsigned number of a fixed width, and is base +
// factor x that number. A simple loop reads the column. The lowest bytes of all numbers come first,
// then the second bytes, and so on: most of the highest bytes are equal, which compresses well, and
// no alignment is needed.
import type { ByteReader, ByteWriter } from '../../base/bytes.ts';
import { damaged, readZigzagNumber, two32, bitWidth, writeZigzag64 } from './chunk-format.ts';

/**
 * Encoding of a column. With width 0, all numbers are `base`; with width 8, they are stored as
 * int64.
 */
export interface ColumnCode {
  readonly width: number;
  readonly base: number | bigint;
  /** Factor by which the unsigned numbers are multiplied, at least 1. */
  readonly factor: number;
}

/** Finds the encoding with the fewest bytes for `values`. */
export function planColumn(values: BigInt64Array): ColumnCode {
  if (values.length === 0) return { width: 0, base: 0n, factor: 1 };
  let least = values[0];
  let most = values[0];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  const range = most - least;
  if (range === 0n) return { width: 0, base: least, factor: 1 };
  if (range > BigInt(Number.MAX_SAFE_INTEGER)) return { width: 8, base: 0n, factor: 1 };
  let factor = 0;
  for (const value of values) {
    factor = greatestDivisor(Number(value - least), factor);
    if (factor === 1) break;
  }
  const width = columnWidth(Number(range) / factor);
  return width === 8 ? { width, base: 0n, factor: 1 } : { width, base: least, factor };
}

/**
 * Returns the width in bytes for numbers up to `max`. Unlike `bitWidth`, it may return 3, because
 * times and totals in the millions are common.
 */
function columnWidth(max: number): number {
  return max >= 2 ** 16 && max < 2 ** 24 ? 3 : bitWidth(max);
}

export function greatestDivisor(a: number, b: number): number {
  let [large, small] = [Math.abs(a), Math.abs(b)];
  while (small !== 0) [large, small] = [small, large % small];
  return large;
}

export function writeColumnCode(writer: ByteWriter, { width, base, factor }: ColumnCode): void {
  const hasBase = base !== 0n;
  const hasFactor = factor !== 1;
  writer.u8(width | (hasBase ? 16 : 0) | (hasFactor ? 32 : 0));
  if (hasBase) writeZigzag64(writer, BigInt(base));
  if (hasFactor) writer.varint(factor);
}

/** Reads a code. Its base is a bigint only if a double cannot represent it exactly. */
export function readColumnCode(reader: ByteReader): ColumnCode {
  const head = reader.u8();
  const width = head & 15;
  if (width > 4 && width !== 8) throw damaged(`a column has ${width} bytes a number`);
  const base = (head & 16) === 0 ? 0 : readZigzagNumber(reader);
  const factor = (head & 32) === 0 ? 1 : reader.varint();
  return { width, base, factor };
}

export function writeColumn(writer: ByteWriter, code: ColumnCode, values: BigInt64Array): void {
  const { width, factor } = code;
  if (width === 8) {
    writer.raw(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
    return;
  }
  const base = BigInt(code.base);
  writer.reserve(values.length * width);
  for (let i = 0; i < values.length; i += 1) {
    const number = Number(values[i] - base) / factor;
    for (let byte = 0; byte < width; byte += 1) {
      writer.bytes[writer.length + byte * values.length + i] = Math.floor(number / 256 ** byte);
    }
  }
  writer.length += values.length * width;
}

/**
 * Returns a column of `count` elements whose bytes start at `at`. The caller has checked that the
 * bytes are there.
 */
export function readColumn(
  bytes: Uint8Array,
  at: number,
  count: number,
  { width, base, factor }: ColumnCode,
): BigInt64Array {
  const values = new BigInt64Array(count);
  if (width === 0) return values.fill(BigInt(base));
  if (width === 8) {
    new Uint8Array(values.buffer).set(bytes.subarray(at, at + count * 8));
    return values;
  }
  const words = new Int32Array(values.buffer);
  readLow(bytes, at, width, words);
  if (base === 0 && factor === 1) return values;
  const from = Number(base);
  if (factor * (256 ** width - 1) < two32) {
    addToBase(words, BigInt(base), factor);
  } else if (Math.abs(from) + factor * (256 ** width - 1) <= Number.MAX_SAFE_INTEGER) {
    for (let i = 0; i < words.length; i += 2) {
      const value = from + factor * (words[i] >>> 0);
      words[i] = value;
      words[i + 1] = Math.floor(value / two32);
    }
  } else {
    for (let i = 0; i < values.length; i += 1) {
      values[i] = BigInt(base) + BigInt(factor) * values[i];
    }
  }
  return values;
}

/**
 * Replaces numbers with `base + factor * low`, where `low` is the low word of the number. The
 * product must be below 2^32.
 */
function addToBase(words: Int32Array, base: bigint, factor: number): void {
  const baseLow = Number(BigInt.asIntN(32, base));
  const baseHigh = Number(BigInt.asIntN(32, base >> 32n));
  for (let i = 0; i < words.length; i += 2) {
    const product = Math.imul(words[i], factor);
    const low = (baseLow + product) | 0;
    words[i] = low;
    // The comparison is unsigned: if a sum is smaller than one of its summands, there is a carry.
    words[i + 1] = baseHigh + ((low ^ 0x8000_0000) < (product ^ 0x8000_0000) ? 1 : 0);
  }
}

/** Assembles numbers from their bytes, and writes each to the low one of its two words. */
function readLow(bytes: Uint8Array, at: number, width: number, words: Int32Array): void {
  const count = words.length / 2;
  if (width === 1) {
    for (let i = 0; i < count; i += 1) words[i * 2] = bytes[at + i];
  } else if (width === 2) {
    const second = at + count;
    for (let i = 0; i < count; i += 1) words[i * 2] = bytes[at + i] | (bytes[second + i] << 8);
  } else {
    for (let i = 0, from = at; i < count; i += 1, from += 1) {
      words[i * 2] = bytes[from] | (bytes[from + count] << 8) | (bytes[from + count * 2] << 16);
    }
    const fourth = at + count * 3;
    if (width === 4) {
      for (let i = 0; i < count; i += 1) words[i * 2] |= bytes[fourth + i] << 24;
    }
  }
}

/** Multiplies the first `count` elements of `values`, modulo 2^64. */
export function multiply(values: BigInt64Array, count: number, factor: number): void {
  if (factor === 1) return;
  // V8 keeps the product in a register only if both operands come from typed arrays.
  const by = BigInt64Array.of(BigInt(factor));
  for (let i = 0; i < count; i += 1) values[i] *= by[0];
}
