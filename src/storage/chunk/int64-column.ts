// A column of int64 as bytes of one width: base + factor x unsigned, read by a plain loop.
import type { ByteReader, ByteWriter } from '../../base/bytes.ts';
import { damaged, readZigzag64, two32, widthOf, writeZigzag64 } from './chunk-format.ts';

/** How a column's numbers are made from its bytes. Width 0: all are `base`; 8: they are int64. */
export interface ColumnCode {
  readonly width: number;
  readonly base: bigint;
  /** At least 1. */
  readonly factor: number;
}

const widths: readonly number[] = [0, 1, 2, 4, 8];

/** Finds the code with the fewest bytes for `values`. */
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
  const width = widthOf(Number(range) / factor);
  return width === 8 ? { width, base: 0n, factor: 1 } : { width, base: least, factor };
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
  if (hasBase) writeZigzag64(writer, base);
  if (hasFactor) writer.varint(factor);
}

export function readColumnCode(reader: ByteReader): ColumnCode {
  const head = reader.u8();
  const width = head & 15;
  if (!widths.includes(width)) throw damaged(`a column has ${width} bytes a number`);
  const base = (head & 16) === 0 ? 0n : readZigzag64(reader);
  const factor = (head & 32) === 0 ? 1 : reader.varint();
  return { width, base, factor };
}

export function writeColumn(writer: ByteWriter, code: ColumnCode, values: BigInt64Array): void {
  const { width, base, factor } = code;
  if (width === 8) {
    writer.raw(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
  } else if (width > 0) {
    writer.reserve(values.length * width);
    for (const value of values) {
      let rest = Number(value - base) / factor;
      for (let i = 0; i < width; i += 1) {
        writer.bytes[writer.length] = rest;
        writer.length += 1;
        rest = Math.floor(rest / 256);
      }
    }
  }
}

/**
 * Elements `first` .. `end` of the column whose bytes start at `at`; the caller has checked that
 * they are there.
 */
export function readColumn(
  bytes: Uint8Array,
  at: number,
  code: ColumnCode,
  first: number,
  end: number,
): BigInt64Array {
  const { width, base, factor } = code;
  const values = new BigInt64Array(end - first);
  if (width === 0) return values.fill(base);
  if (width === 8) {
    new Uint8Array(values.buffer).set(bytes.subarray(at + first * 8, at + end * 8));
    return values;
  }
  const parts = unsignedView(bytes, at + first * width, width, end - first);
  const words = new Int32Array(values.buffer);
  const from = Number(base);
  const reach = Math.abs(from) + factor * (256 ** width - 1);
  if (base === 0n && factor === 1) {
    for (let i = 0; i < parts.length; i += 1) words[i * 2] = parts[i];
  } else if (reach <= Number.MAX_SAFE_INTEGER) {
    for (let i = 0; i < parts.length; i += 1) {
      const value = from + factor * parts[i];
      words[i * 2] = value;
      words[i * 2 + 1] = Math.floor(value / two32);
    }
  } else {
    const by = BigInt(factor);
    for (let i = 0; i < parts.length; i += 1) values[i] = base + by * BigInt(parts[i]);
  }
  return values;
}

/** Sum of elements `first` .. `end`, modulo 2^64. */
export function sumColumn(
  bytes: Uint8Array,
  at: number,
  code: ColumnCode,
  first: number,
  end: number,
): bigint {
  const { width, base, factor } = code;
  if (width === 8) {
    const values = readColumn(bytes, at, code, first, end);
    const sum = new BigInt64Array(1);
    for (let i = 0; i < values.length; i += 1) sum[0] += values[i];
    return sum[0];
  }
  let sum = 0;
  if (width > 0) {
    const parts = unsignedView(bytes, at + first * width, width, end - first);
    for (let i = 0; i < parts.length; i += 1) sum += parts[i];
  }
  return BigInt.asIntN(64, base * BigInt(end - first) + BigInt(factor) * BigInt(sum));
}

/** `count` unsigned integers: the bytes themselves where they are aligned, else a copy. */
function unsignedView(
  bytes: Uint8Array,
  at: number,
  width: number,
  count: number,
): Uint8Array | Uint16Array | Uint32Array {
  if (width === 1) return bytes.subarray(at, at + count);
  const isAligned = (bytes.byteOffset + at) % width === 0;
  const source = isAligned ? bytes.subarray(at) : bytes.slice(at, at + count * width);
  if (width === 2) return new Uint16Array(source.buffer, source.byteOffset, count);
  return new Uint32Array(source.buffer, source.byteOffset, count);
}
