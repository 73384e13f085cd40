// Encodes the times of a profile's samples. docs/format/sample-times.md draws the bytes.
//
// Times of a row are gaps in a Golomb-Rice code, whose parameter follows from the number of samples
// of the row: nothing but the gaps is stored, and a sample takes 1 to 2 bytes.
import { ByteReader, ByteWriter } from '../../base/bytes.ts';
import { AppError } from '../../base/errors.ts';
import { valueTypesMax } from '../../base/limits.ts';
import { sampleTimesMax } from '../limits.ts';
import type { SampleTimes } from './sample-times.ts';

const version = 1;

/** Encodings of a value column. */
const column = {
  /** Each sample has an equal share of the value of its row. */
  shared: 0,
  /** A factor, and each sample's value divided by it. */
  own: 1,
} as const;

/** Rows that a blob may announce; a chunk has as many at most. */
const rowsMax = 1 << 23;

/**
 * Encodes times of a profile. `rowValues` are the values of the rows by value column: a column
 * whose samples share them equally needs no values of its own.
 */
export function encodeSampleTimes(
  { start, millis, values }: SampleTimes,
  rowValues: readonly BigInt64Array[],
): Uint8Array {
  const writer = new ByteWriter(64 + 2 * millis.length);
  const rowCount = start.length - 1;
  let [first, last] = [millis[0] ?? 0, millis[0] ?? 0];
  for (const milli of millis) {
    if (milli < first) first = milli;
    if (milli > last) last = milli;
  }
  writer.u8(version);
  writer.varint(rowCount);
  writer.varint(millis.length);
  writer.varint(first);
  writer.varint(last - first);
  const bits = new BitWriter(writer);
  for (let row = 0; row < rowCount; row += 1) bits.count(start[row + 1] - start[row]);
  for (let row = 0; row < rowCount; row += 1) {
    const parameter = riceParameter(last - first, start[row + 1] - start[row]);
    let before = first;
    for (let i = start[row]; i < start[row + 1]; i += 1) {
      bits.rice(millis[i] - before, parameter);
      before = millis[i];
    }
  }
  bits.flush();
  writer.u8(values.length);
  values.forEach((own, i) => {
    if (own === undefined || areShares(own, start, rowValues[i])) writer.u8(column.shared);
    else writeOwn(writer, own);
  });
  return writer.copy();
}

/**
 * Decodes the times of a profile of `rowCount` rows; of any number if absent.
 *
 * Errors: AppError 'data-loss'.
 */
export function decodeSampleTimes(bytes: Uint8Array, rowCount?: number): SampleTimes {
  const reader = new ByteReader(bytes);
  const found = reader.u8();
  if (found !== version) throw damaged(`they have version ${found}`);
  const rows = reader.varint();
  const samples = reader.varint();
  if (rows > rowsMax || (rowCount !== undefined && rows !== rowCount)) {
    throw damaged(`they have ${rows} rows of ${rowCount ?? 'any number'}`);
  }
  // A row and a sample take a bit at least.
  const bitsMax = bytes.length * 8;
  if (rows > bitsMax || samples > bitsMax || samples > sampleTimesMax) {
    throw damaged(`they have ${rows} rows and ${samples} samples in ${bytes.length} bytes`);
  }
  const first = reader.varint();
  const span = reader.varint();
  const start = new Uint32Array(rows + 1);
  const millis = new Float64Array(samples);
  const bits = new BitReader(reader);
  for (let row = 0; row < rows; row += 1) {
    start[row + 1] = start[row] + bits.count();
    if (start[row + 1] > samples) throw damaged('their rows have too many samples');
  }
  if (start[rows] !== samples) throw damaged('their rows have too few samples');
  for (let row = 0; row < rows; row += 1) {
    const parameter = riceParameter(span, start[row + 1] - start[row]);
    let time = first;
    for (let i = start[row]; i < start[row + 1]; i += 1) {
      time += bits.rice(parameter);
      millis[i] = time;
    }
  }
  bits.end();
  return { start, millis, values: readColumns(reader, samples) };
}

/** Returns the times of the earliest and the latest sample, without decoding the others. */
export function spanOfSampleTimes(bytes: Uint8Array): {
  readonly from: number;
  readonly to: number;
} {
  const reader = new ByteReader(bytes);
  const found = reader.u8();
  if (found !== version) throw damaged(`they have version ${found}`);
  reader.varint();
  reader.varint();
  const from = reader.varint();
  return { from, to: from + reader.varint() };
}

function readColumns(reader: ByteReader, samples: number): (BigInt64Array | undefined)[] {
  const count = reader.u8();
  if (count > valueTypesMax) throw damaged(`they have ${count} columns of values`);
  const values = Array.from({ length: count }, () => {
    const kind = reader.u8();
    if (kind === column.shared) return undefined;
    if (kind !== column.own) throw damaged(`a column has kind ${kind}`);
    if (samples > reader.end - reader.at) throw damaged('their values end early');
    const factor = reader.varintBig();
    const own = new BigInt64Array(samples);
    for (let i = 0; i < samples; i += 1) {
      const bits = BigInt.asUintN(64, reader.varintBig());
      own[i] = ((bits >> 1n) ^ -(bits & 1n)) * factor;
    }
    return own;
  });
  if (reader.at !== reader.end) throw damaged('bytes follow them');
  return values;
}

/** Returns true if the samples of each row that has some share the row's value equally. */
function areShares(own: BigInt64Array, start: Uint32Array, rows: BigInt64Array): boolean {
  for (let row = 0; row + 1 < start.length; row += 1) {
    const [from, to] = [start[row], start[row + 1]];
    if (from === to) continue;
    if (own[from] * BigInt(to - from) !== rows[row]) return false;
    for (let i = from + 1; i < to; i += 1) if (own[i] !== own[from]) return false;
  }
  return true;
}

function writeOwn(writer: ByteWriter, own: BigInt64Array): void {
  let factor = 0n;
  for (const value of own) {
    factor = greatestDivisor(factor, value);
    if (factor === 1n) break;
  }
  if (factor === 0n) factor = 1n;
  writer.u8(column.own);
  writer.varintBig(factor);
  for (const value of own) {
    const divided = value / factor;
    writer.varintBig(BigInt.asIntN(64, (divided << 1n) ^ (divided >> 63n)));
  }
}

function greatestDivisor(a: bigint, b: bigint): bigint {
  let [left, right] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (right !== 0n) [left, right] = [right, left % right];
  // The magnitude of the least int64 has no factor that is one.
  return left > 0x7fff_ffff_ffff_ffffn ? 1n : left;
}

/** Returns the parameter for `count` times in a span of milliseconds: low bits that are plain. */
function riceParameter(span: number, count: number): number {
  const mean = Math.floor((span * 0.69) / (count + 1));
  return mean < 2 ? 0 : 31 - Math.clz32(Math.min(mean, 0x7fff_ffff));
}

/** Appends bits, the lowest of each byte first. */
class BitWriter {
  readonly #writer: ByteWriter;
  #byte = 0;
  #used = 0;

  constructor(writer: ByteWriter) {
    this.#writer = writer;
  }

  /** Writes a count of 0 and more in Elias' gamma code, of the count plus 1. */
  count(count: number): void {
    const value = count + 1;
    const length = 31 - Math.clz32(value);
    for (let i = 0; i < length; i += 1) this.#bit(1);
    this.#bit(0);
    this.#bits(value, length);
  }

  rice(gap: number, parameter: number): void {
    let quotient = Math.floor(gap / 2 ** parameter);
    for (; quotient > 0; quotient -= 1) this.#bit(1);
    this.#bit(0);
    this.#bits(gap % 2 ** parameter, parameter);
  }

  flush(): void {
    if (this.#used === 0) return;
    this.#writer.u8(this.#byte);
    this.#byte = 0;
    this.#used = 0;
  }

  #bits(value: number, count: number): void {
    for (let i = 0; i < count; i += 1) this.#bit((value >>> i) & 1);
  }

  #bit(bit: number): void {
    this.#byte |= bit << this.#used;
    this.#used += 1;
    if (this.#used === 8) this.flush();
  }
}

/** Reads what a BitWriter wrote. Errors: AppError 'data-loss'. */
class BitReader {
  readonly #reader: ByteReader;
  #at: number;
  #byte = 0;
  #left = 0;

  constructor(reader: ByteReader) {
    this.#reader = reader;
    this.#at = reader.at;
  }

  count(): number {
    let length = 0;
    while (this.#bit() === 1) length += 1;
    if (length > 24) throw damaged('a row has too many samples');
    return 2 ** length + this.#bits(length) - 1;
  }

  rice(parameter: number): number {
    let quotient = 0;
    while (this.#bit() === 1) quotient += 1;
    return quotient * 2 ** parameter + this.#bits(parameter);
  }

  /** Moves the reader to the first whole byte that is not read. */
  end(): void {
    this.#reader.at = this.#at;
  }

  #bits(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i += 1) value += this.#bit() * 2 ** i;
    return value;
  }

  #bit(): number {
    if (this.#left === 0) {
      if (this.#at >= this.#reader.end) throw damaged('they end early');
      this.#byte = this.#reader.bytes[this.#at];
      this.#at += 1;
      this.#left = 8;
    }
    const bit = this.#byte & 1;
    this.#byte >>>= 1;
    this.#left -= 1;
    return bit;
  }
}

function damaged(why: string): AppError {
  return new AppError('data-loss', `cannot read times of samples: ${why}`);
}
