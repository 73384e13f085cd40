// Encodes the sample times of a profile. docs/format/sample-times.md shows the format.
//
// The times of a row are stored as gaps in a Golomb-Rice code. The parameter of the code is
// computed from the number of samples of the row, so it need not be stored. The time of a single
// sample is stored as plain bits. A sample takes 1 to 2 bytes.
import { assert } from '../../base/assert.ts';
import { ByteReader, ByteWriter } from '../../base/bytes.ts';
import { AppError } from '../../base/errors.ts';
import { valueTypesMax } from '../../base/limits.ts';
import { sampleTimesMax } from '../limits.ts';
import type { SampleTimes } from './sample-times.ts';

const version = 2;

/** Encodings of a value column. */
const column = {
  /** Each sample has an equal share of the value of its row. */
  shared: 0,
  /** A factor, and each sample's value divided by it. */
  own: 1,
} as const;

/**
 * Maximum number of bits that are written in one step. Together with the bits of an unfinished
 * byte, these are fewer than 32.
 */
const bitsMax = 23;

/** Units of times, in milliseconds. The largest unit that divides all times is used. */
export const sampleTimeUnits = [10, 5, 2, 1] as const;

/** Maximum number of rows that a blob may announce. A chunk cannot have more rows. */
const rowsMax = 1 << 23;

/**
 * Encodes the sample times of a profile. `rowValues` has the values of the rows, by value column. A
 * column of sample values is not stored if the samples of each row share the row's value equally.
 */
export function encodeSampleTimes(
  { start, millis, values }: SampleTimes,
  rowValues: readonly BigInt64Array[],
): Uint8Array {
  const writer = new ByteWriter(64 + 2 * millis.length);
  const rowCount = start.length - 1;
  const { first, last, unit } = measure(millis);
  const span = (last - first) / unit;
  assert(span < 2 ** bitsMax, 'times of a profile are near to each other');
  writer.u8(version);
  writer.varint(unit);
  writer.varint(rowCount);
  writer.varint(millis.length);
  writer.varint(first / unit);
  writer.varint(span);
  const bits = new BitWriter(writer);
  const more = Number(hasEmptyRow(start));
  bits.plain(more, 1);
  for (let row = 0; row < rowCount; row += 1) bits.count(start[row + 1] - start[row] + more);
  const width = 32 - Math.clz32(span);
  for (let row = 0; row < rowCount; row += 1) {
    const count = start[row + 1] - start[row];
    if (count === 1) bits.plain((millis[start[row]] - first) / unit, width);
    if (count <= 1) continue;
    const parameter = riceParameter(span, count);
    let before = first;
    for (let i = start[row]; i < start[row + 1]; i += 1) {
      bits.rice((millis[i] - before) / unit, parameter);
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
 * Decodes the sample times of a profile with `rowCount` rows; without `rowCount`, any number of
 * rows is accepted.
 *
 * Errors: AppError 'data-loss'.
 */
export function decodeSampleTimes(bytes: Uint8Array, rowCount?: number): SampleTimes {
  const reader = new ByteReader(bytes);
  const unit = readUnit(reader);
  const rows = reader.varint();
  const samples = reader.varint();
  if (rows > rowsMax || (rowCount !== undefined && rows !== rowCount)) {
    throw damaged(`they have ${rows} rows of ${rowCount ?? 'any number'}`);
  }
  // A row and a sample each take at least one bit.
  const bitCount = bytes.length * 8;
  if (rows > bitCount || samples > bitCount || samples > sampleTimesMax) {
    throw damaged(`they have ${rows} rows and ${samples} samples in ${bytes.length} bytes`);
  }
  const first = reader.varint();
  const span = reader.varint();
  if (span >= 2 ** bitsMax) throw damaged(`they span ${span} units`);
  const start = new Uint32Array(rows + 1);
  const millis = new Float64Array(samples);
  const bits = new BitReader(reader);
  const more = bits.plain(1);
  for (let row = 0; row < rows; row += 1) {
    start[row + 1] = start[row] + bits.count() - more;
    if (start[row + 1] > samples) throw damaged('their rows have too many samples');
  }
  if (start[rows] !== samples) throw damaged('their rows have too few samples');
  const width = 32 - Math.clz32(span);
  for (let row = 0; row < rows; row += 1) {
    const count = start[row + 1] - start[row];
    const parameter = riceParameter(span, count);
    let after = 0;
    for (let i = start[row]; i < start[row + 1]; i += 1) {
      after += count === 1 ? bits.plain(width) : bits.rice(parameter);
      millis[i] = (first + after) * unit;
    }
    if (after > span) throw damaged('a time is after the latest');
  }
  bits.end();
  return { start, millis, values: readColumns(reader, samples) };
}

/** Returns the times of the earliest and the latest sample, without decoding the other samples. */
export function spanOfSampleTimes(bytes: Uint8Array): {
  readonly from: number;
  readonly to: number;
} {
  const reader = new ByteReader(bytes);
  const unit = readUnit(reader);
  reader.varint();
  reader.varint();
  const first = reader.varint();
  return { from: first * unit, to: (first + reader.varint()) * unit };
}

function readUnit(reader: ByteReader): number {
  const found = reader.u8();
  if (found !== version) throw damaged(`they have version ${found}`);
  const unit = reader.varint();
  if (!(sampleTimeUnits as readonly number[]).includes(unit))
    throw damaged(`their unit is ${unit} ms`);
  return unit;
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

/** Returns the earliest and the latest time, and their unit. */
function measure(millis: Float64Array): { first: number; last: number; unit: number } {
  let [first, last] = [millis[0] ?? 0, millis[0] ?? 0];
  for (const milli of millis) {
    if (milli < first) first = milli;
    if (milli > last) last = milli;
  }
  const isIn = (unit: number): boolean => {
    if (first % unit !== 0) return false;
    for (const milli of millis) if ((milli - first) % unit !== 0) return false;
    return true;
  };
  return { first, last, unit: sampleTimeUnits.find(isIn) ?? 1 };
}

function hasEmptyRow(start: Uint32Array): boolean {
  for (let row = 0; row + 1 < start.length; row += 1)
    if (start[row] === start[row + 1]) return true;
  return false;
}

/** Returns true if the samples of each row share the row's value equally. */
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
  // The magnitude of the smallest int64 is not an int64, so it cannot be a factor.
  return left > 0x7fff_ffff_ffff_ffffn ? 1n : left;
}

/** Returns the number of low bits that are stored unchanged, for `count` times within a span. */
function riceParameter(span: number, count: number): number {
  const mean = Math.floor((span * 0.69) / (count + 1));
  return mean < 2 ? 0 : 31 - Math.clz32(Math.min(mean, 0x7fff_ffff));
}

/** Appends bits, the lowest of each byte first. */
class BitWriter {
  readonly #writer: ByteWriter;
  /** Bits that have not been written yet, fewer than 8. */
  #pending = 0;
  #used = 0;

  constructor(writer: ByteWriter) {
    this.#writer = writer;
  }

  /** Writes a positive number in Elias' gamma code. */
  count(count: number): void {
    const length = 31 - Math.clz32(count);
    this.#unary(length);
    this.plain(count - 2 ** length, length);
  }

  rice(gap: number, parameter: number): void {
    this.#unary(gap >>> parameter);
    this.plain(gap & ((1 << parameter) - 1), parameter);
  }

  /** Writes the lowest bits of a number, `bitsMax` at most. */
  plain(value: number, count: number): void {
    this.#pending |= value << this.#used;
    this.#used += count;
    for (; this.#used >= 8; this.#used -= 8) {
      this.#writer.u8(this.#pending & 0xff);
      this.#pending >>>= 8;
    }
  }

  flush(): void {
    if (this.#used > 0) this.#writer.u8(this.#pending);
    this.#pending = 0;
    this.#used = 0;
  }

  /** Writes ones, and a zero. */
  #unary(ones: number): void {
    let left = ones;
    for (; left >= bitsMax; left -= bitsMax) this.plain(2 ** bitsMax - 1, bitsMax);
    this.plain(2 ** left - 1, left + 1);
  }
}

/** Reads what a BitWriter wrote. Errors: AppError 'data-loss'. */
class BitReader {
  readonly #reader: ByteReader;
  #at: number;
  /**
   * Bits that were read but have not been returned yet. The lowest `#left` bits are valid, the
   * others are 0.
   */
  #pending = 0;
  #left = 0;

  constructor(reader: ByteReader) {
    this.#reader = reader;
    this.#at = reader.at;
  }

  count(): number {
    const length = this.#unary();
    if (length >= bitsMax) throw damaged('a row has too many samples');
    return 2 ** length + this.plain(length);
  }

  rice(parameter: number): number {
    const quotient = this.#unary();
    return quotient * 2 ** parameter + this.plain(parameter);
  }

  /** Returns a number of at most `bitsMax` bits. */
  plain(count: number): number {
    while (this.#left < count) this.#fill();
    const value = this.#pending & (2 ** count - 1);
    this.#pending >>>= count;
    this.#left -= count;
    return value;
  }

  /** Moves the reader to the first byte from which no bit was read. */
  end(): void {
    this.#reader.at = this.#at - (this.#left >>> 3);
  }

  #unary(): number {
    let ones = 0;
    for (;;) {
      if (this.#left === 0) this.#fill();
      const zeros = ~this.#pending;
      const here = 31 - Math.clz32(zeros & -zeros);
      if (here < this.#left) {
        this.#pending >>>= here + 1;
        this.#left -= here + 1;
        return ones + here;
      }
      ones += this.#left;
      this.#pending = 0;
      this.#left = 0;
    }
  }

  #fill(): void {
    if (this.#at >= this.#reader.end) throw damaged('they end early');
    this.#pending |= this.#reader.bytes[this.#at] << this.#left;
    this.#at += 1;
    this.#left += 8;
  }
}

function damaged(why: string): AppError {
  return new AppError('data-loss', `cannot read times of samples: ${why}`);
}
