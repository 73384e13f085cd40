// Reads and writes ClickHouse's RowBinary format, which is little-endian like ByteWriter and
// ByteReader.
import type { ByteReader, ByteWriter } from '../../base/bytes.ts';

/** Number of bytes of the hash of a stack or a location. */
export const hashBytes = 16;

/** Writes an Array(String). */
export function writeTexts(writer: ByteWriter, texts: readonly string[]): void {
  writer.varint(texts.length);
  for (const text of texts) writer.text(text);
}

/** Writes an Array(Int32). */
export function writeInts(writer: ByteWriter, numbers: readonly number[]): void {
  writer.varint(numbers.length);
  for (const number of numbers) writer.u32(number);
}

/** Writes a String from bytes that should be UTF-8. */
export function writeBytes(writer: ByteWriter, bytes: Uint8Array): void {
  writer.varint(bytes.length);
  writer.raw(bytes);
}

/** Reads an Array(String). */
export function readTexts(reader: ByteReader): string[] {
  return readArray(reader, () => reader.text());
}

/** Reads an Array(Int32). */
export function readInts(reader: ByteReader): number[] {
  return readArray(reader, () => reader.u32() | 0);
}

/** Reads an Array; `read` reads one element. */
export function readArray<T>(reader: ByteReader, read: () => T): T[] {
  const length = reader.varint();
  const values: T[] = [];
  for (let i = 0; i < length; i += 1) values.push(read());
  return values;
}

/** Reads a UInt64. */
export function readUnsigned(reader: ByteReader): bigint {
  return BigInt.asUintN(64, reader.i64());
}

/** Returns the hash at an offset of `bytes` in hexadecimal. */
export function hashDigits({ buffer, byteOffset }: Uint8Array, at: number): string {
  return Buffer.from(buffer, byteOffset + at, hashBytes).toString('hex');
}
