// A column of int64 values as numbers of one width. Values that do not fit the width are stored as
// escapes.
import type { ByteWriter } from '../../base/bytes.ts';
import {
  damaged,
  escapeByWidth,
  exactMax,
  readUnsigned,
  two32,
  writeUnsigned,
} from './chunk-format.ts';

/** A column that is about to be encoded. */
export interface NumberColumn {
  readonly width: number;
  /**
   * True if numbers are zigzag encoded. Escapes and numbers of width 8 are never zigzag encoded,
   * because they are int64.
   */
  readonly isSigned: boolean;
  /** The values, and their common divisor. */
  readonly values: BigInt64Array;
  readonly factor: number;
  /** Numbers to write; Infinity for numbers that a double cannot represent exactly. */
  readonly numbers: Float64Array;
  /** Size of numbers and escapes in bytes. */
  readonly size: number;
}

/** Position of a column. Offsets are in bytes. */
export interface PlacedNumbers {
  width: number;
  isSigned: boolean;
  at: number;
  /**
   * Offset of the escapes of the column, of 8 bytes each. The bytes up to `escapesEnd` may include
   * further data.
   */
  escapesAt: number;
  escapesEnd: number;
}

/** Chooses how the first `count` values are encoded. */
export function planNumbers(values: BigInt64Array, count: number, factor: number): NumberColumn {
  const words = new Int32Array(values.buffer, values.byteOffset, count * 2);
  const numbers = new Float64Array(count);
  let isSigned = false;
  for (let row = 0; row < count; row += 1) {
    const value = words[row * 2 + 1] * two32 + (words[row * 2] >>> 0);
    const isExact = value <= exactMax && value >= -exactMax;
    numbers[row] = isExact ? value : Infinity;
    if (isExact && value < 0) isSigned = true;
  }
  if (factor !== 1) for (let row = 0; row < count; row += 1) numbers[row] /= factor;
  if (isSigned) {
    for (let row = 0; row < count; row += 1) {
      numbers[row] = numbers[row] < 0 ? -2 * numbers[row] - 1 : 2 * numbers[row];
    }
  }
  return { ...chooseWidth(numbers, 8), isSigned, values, factor, numbers };
}

/**
 * Returns the width (1, 2, 4 or 8) with the smallest total size. Each escape takes `escapeBytes` in
 * addition to the width.
 */
export function chooseWidth(
  numbers: Float64Array | Uint32Array,
  escapeBytes: number,
): { width: number; size: number } {
  let [over1, over2, over4] = [0, 0, 0];
  for (let i = 0; i < numbers.length; i += 1) {
    const number = numbers[i];
    if (number < 0xff) continue;
    over1 += 1;
    if (number < 0xffff) continue;
    over2 += 1;
    if (number >= 0xffff_ffff) over4 += 1;
  }
  const count = numbers.length;
  let best = { width: 1, size: count + over1 * escapeBytes };
  const choices = [
    { width: 2, size: count * 2 + over2 * escapeBytes },
    { width: 4, size: count * 4 + over4 * escapeBytes },
  ];
  if (escapeBytes === 8) choices.push({ width: 8, size: count * 8 });
  for (const choice of choices) if (choice.size < best.size) best = choice;
  return best;
}

/** Counts the escapes among numbers `from` .. `to`. */
export function escapesIn(
  numbers: Float64Array | Uint32Array,
  width: number,
  from: number,
  to: number,
): number {
  if (width === 8) return 0;
  const limit = escapeByWidth[width];
  let count = 0;
  for (let i = from; i < to; i += 1) if (numbers[i] >= limit) count += 1;
  return count;
}

/** Writes the numbers. All bits are ones for numbers that do not fit. */
export function writeColumnNumbers(writer: ByteWriter, column: NumberColumn): void {
  const { width, numbers } = column;
  if (width < 8) writeNumbers(writer, numbers, numbers.length, width);
  else for (let row = 0; row < numbers.length; row += 1) writeWhole(writer, column, row);
}

export function writeColumnEscapes(writer: ByteWriter, column: NumberColumn): void {
  const { width, numbers } = column;
  if (width === 8) return;
  const limit = escapeByWidth[width];
  for (let row = 0; row < numbers.length; row += 1) {
    if (numbers[row] >= limit) writeWhole(writer, column, row);
  }
}

/** Writes numbers of 1, 2 or 4 bytes. All bits are ones for numbers that do not fit. */
export function writeNumbers(
  writer: ByteWriter,
  numbers: Float64Array | Uint32Array,
  count: number,
  width: number,
): void {
  writer.reserve(count * width);
  const { bytes } = writer;
  const limit = escapeByWidth[width];
  let at = writer.length;
  if (width === 1) {
    for (let i = 0; i < count; i += 1) bytes[at + i] = numbers[i] < 255 ? numbers[i] : 255;
    at += count;
  } else {
    for (let i = 0; i < count; i += 1) {
      writeUnsigned(bytes, at, width, numbers[i] < limit ? numbers[i] : limit);
      at += width;
    }
  }
  writer.length = at;
}

function writeWhole(writer: ByteWriter, { values, factor }: NumberColumn, row: number): void {
  const value = values[row];
  writer.i64(factor === 1 ? value : value / BigInt(factor));
}

/**
 * Reads `count` numbers into `words`, two words each, starting with number `into`.
 *
 * Errors: AppError 'data-loss'.
 */
export function readNumbers(
  bytes: Uint8Array,
  column: PlacedNumbers,
  count: number,
  words: Int32Array,
  into: number,
): void {
  const { width, isSigned, escapesEnd } = column;
  if (width === 8) {
    const target = new Uint8Array(words.buffer, words.byteOffset + into * 8, count * 8);
    target.set(bytes.subarray(column.at, column.at + count * 8));
    return;
  }
  const escape = escapeByWidth[width];
  let { at, escapesAt } = column;
  const end = (into + count) * 2;
  for (let to = into * 2; to < end; to += 2) {
    const number = width === 1 ? bytes[at] : readUnsigned(bytes, at, width);
    at += width;
    if (number === escape) {
      if (escapesAt >= escapesEnd) throw damaged('escapes of its values are missing');
      words[to] = readUnsigned(bytes, escapesAt, 4);
      words[to + 1] = readUnsigned(bytes, escapesAt + 4, 4);
      escapesAt += 8;
    } else if (isSigned) {
      words[to] = (number >>> 1) ^ -(number & 1);
      words[to + 1] = -(number & 1);
    } else {
      words[to] = number;
      words[to + 1] = 0;
    }
  }
}

/** Checks that a width is 1, 2, 4 or 8, and at most `most`. Errors: AppError 'data-loss'. */
export function checkWidth(width: number, most: number): number {
  const isKnown = width === 1 || width === 2 || width === 4 || width === 8;
  if (!isKnown || width > most) throw damaged(`a column has ${width} bytes a number`);
  return width;
}
