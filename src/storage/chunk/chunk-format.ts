// Versions, value encodings and zigzag numbers, which the three sections of a chunk share.
// docs/format/chunk.md shows the format. Everything is little-endian.
import type { ByteReader, ByteWriter } from '../../base/bytes.ts';
import { AppError } from '../../base/errors.ts';
import { valueTypesMax } from '../../base/limits.ts';

/** The first byte of each section. */
export const chunkVersion = 1;

/** Encoding of one value column. */
export interface ValueColumnCode {
  /**
   * True if the value column is stored; otherwise its values are `factor` times those of value
   * column 0.
   */
  readonly isStored: boolean;
  /**
   * Factor by which the stored numbers, or the values of value column 0, are multiplied. Below
   * 2^53.
   */
  readonly factor: number;
}

/** Largest magnitude at which doubles and their differences are exact. */
export const exactMax = 2 ** 52;

export const two32 = 0x1_0000_0000;

/** The stored number that marks an escape, for each width in bytes. */
export const escapeByWidth: Readonly<Record<number, number>> = {
  1: 0xff,
  2: 0xffff,
  4: 0xffff_ffff,
  8: Infinity,
};

const halves = new Uint32Array(2);
const signedHalves = new Int32Array(halves.buffer);
const whole = new BigInt64Array(halves.buffer);

export function writeValueColumnCodes(
  writer: ByteWriter,
  valueColumns: readonly ValueColumnCode[],
): void {
  writer.u8(valueColumns.length);
  for (const { isStored, factor } of valueColumns) {
    writer.u8(isStored ? 0 : 1);
    writeZigzag64(writer, BigInt(factor));
  }
}

export function readValueColumnCodes(reader: ByteReader): ValueColumnCode[] {
  const count = reader.u8();
  if (count === 0 || count > valueTypesMax) throw damaged(`it has ${count} value columns`);
  return Array.from({ length: count }, (_, valueColumn) => {
    const kind = reader.u8();
    if (kind > 1 || (kind === 1 && valueColumn === 0))
      throw damaged(`value column ${valueColumn} has kind ${kind}`);
    return { isStored: kind === 0, factor: readFactor(reader) };
  });
}

/** Reads an integer below 2^53. */
export function readFactor(reader: ByteReader): number {
  const factor = readZigzagNumber(reader);
  if (typeof factor !== 'number') throw damaged(`values are multiples of ${factor}`);
  return factor;
}

/** Writes an integer modulo 2^64 as a varint; small magnitudes take few bytes. */
export function writeZigzag64(writer: ByteWriter, value: bigint): void {
  const int64 = BigInt.asIntN(64, value);
  writer.varintBig((int64 << 1n) ^ (int64 >> 63n));
}

export function readZigzag64(reader: ByteReader): bigint {
  readZigzagHalves(reader, signedHalves, 0);
  return whole[0];
}

/** Like readZigzag64, but returns a bigint only for numbers that a double cannot represent. */
export function readZigzagNumber(reader: ByteReader): number | bigint {
  const byte = reader.bytes[reader.at];
  if (byte < 128 && reader.at < reader.end) {
    reader.at += 1;
    return (byte >>> 1) ^ -(byte & 1);
  }
  readZigzagHalves(reader, signedHalves, 0);
  const high = signedHalves[1];
  const isExact = high >= -0x20_0000 && high < 0x20_0000;
  return isExact ? high * two32 + halves[0] : whole[0];
}

/** Like readZigzag64, but reads into `words[at]` (low half) and `words[at + 1]` (high half). */
export function readZigzagHalves(reader: ByteReader, words: Int32Array, at: number): void {
  reader.varint64(halves, 0);
  const sign = -(halves[0] & 1);
  words[at] = ((halves[0] >>> 1) | (halves[1] << 31)) ^ sign;
  words[at + 1] = (halves[1] >>> 1) ^ sign;
}

/** Reads an unsigned integer below 2^32 from its little-endian bytes. */
export function readUnsigned(bytes: Uint8Array, at: number, width: number): number {
  if (width === 1) return bytes[at];
  if (width === 2) return bytes[at] | (bytes[at + 1] << 8);
  return (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)) >>> 0;
}

/** Writes the low `width` bytes of an unsigned integer below 2^32. */
export function writeUnsigned(bytes: Uint8Array, at: number, width: number, value: number): void {
  bytes[at] = value;
  if (width === 1) return;
  bytes[at + 1] = value >>> 8;
  if (width === 2) return;
  bytes[at + 2] = value >>> 16;
  bytes[at + 3] = value >>> 24;
}

/**
 * Returns the number of bytes that `max` needs: 1 below 2^8, 2 below 2^16, 4 below 2^32, otherwise
 * 8.
 */
export function bitWidth(max: number): number {
  if (max < 256) return 1;
  if (max < 65_536) return 2;
  return max < two32 ? 4 : 8;
}

export function checkVersion(reader: ByteReader): void {
  const version = reader.u8();
  if (version !== chunkVersion) throw damaged(`its version is ${version}, not ${chunkVersion}`);
}

/** Returns the error for bytes that the encoder cannot have written. */
export function damaged(why: string): AppError {
  return new AppError('data-loss', `cannot read chunk: ${why}`);
}
