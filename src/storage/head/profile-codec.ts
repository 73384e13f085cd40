// Encodes a profile for the log, and decodes it into row memory. docs/format/wal.md shows the
// format.
//
// A profile is encoded once, when it is appended. It is decoded when it has become durable, and
// again in a replay. The same code decodes it both times, so the rows are equal.
import { assert } from '../../base/assert.ts';
import type { ByteReader, ByteWriter } from '../../base/bytes.ts';
import { AppError } from '../../base/errors.ts';
import { finishAtOnce, type Steps } from '../../base/pacer.ts';
import type { IncomingProfile } from '../interface.ts';
import { runBytes, type RowArena } from './row-arena.ts';

/** Encodings of the values of one sample type. */
const valueColumn = {
  /** Values without a factor. */
  plain: 0,
  /**
   * A factor. Each value is the factor times the value of the first sample type: for example, CPU
   * time is the period times the number of samples.
   */
  timesFirst: 1,
  /**
   * A factor, and values divided by it: for example, bytes divided by the size of a page, or
   * nanoseconds divided by the period.
   */
  divided: 2,
} as const;

const flagLabelled = 1;
/** Flag of a profile in which sample times follow the values. Earlier servers ignore it. */
const flagTimed = 2;
const two32 = 0x1_0000_0000;
/** Number of rows that are encoded or decoded in one step, which takes about a millisecond. */
const rowsPerStep = 16_384;
/** Maximum number of bytes of the longest varint. Ids take at most 5. */
const valueBytesMax = 10;
const idBytesMax = 5;

/** The part of an encoded profile that precedes its rows. */
export interface ProfileHead {
  readonly stream: number;
  readonly timeNanos: bigint;
  readonly contentHash: bigint;
  readonly durationNanos: bigint;
  readonly period: bigint;
  readonly rowCount: number;
  readonly isLabelled: boolean;
  /** True if sample times follow the rows. */
  readonly isTimed: boolean;
  readonly valueColumnCount: number;
}

/** Writes the length of a profile in bytes, then the profile. `stream` is the ref of its stream. */
export function encodeProfile(writer: ByteWriter, stream: number, profile: IncomingProfile): void {
  finishAtOnce(encodeProfileInSteps(writer, stream, profile));
}

/**
 * Like `encodeProfile`, but in steps. Nothing else may use the writer between two steps.
 *
 * It is a single generator, like `decodeRows`: with a generator for each column, a push of 100 rows
 * left 1.6 KB more garbage.
 */
export function* encodeProfileInSteps(
  writer: ByteWriter,
  stream: number,
  profile: IncomingProfile,
): Steps<void> {
  const { rowCount, values, sampleTimes } = profile;
  const labels = usedLabels(profile);
  const start = writer.length;
  writeHead(writer, stream, profile, labels !== undefined);
  for (const ids of labels === undefined ? [profile.stacks] : [profile.stacks, labels]) {
    for (let from = 0; from < rowCount; from += rowsPerStep) {
      if (from > 0) yield;
      encodeIds(writer, ids, from, endOfStep(from, rowCount));
    }
  }
  const first = splitHalves(values[0], rowCount);
  for (let index = 0; index < values.length; index += 1) {
    const halves = index === 0 ? first : splitHalves(values[index], rowCount);
    let multiple = index === 0 ? -1 : 0;
    for (let from = 0; from < rowCount && multiple >= 0; from += rowsPerStep) {
      if (from > 0) yield;
      multiple = multipleOfFirst(halves, first, from, endOfStep(from, rowCount), multiple);
    }
    if (multiple > 0) {
      writer.u8(valueColumn.timesFirst);
      writer.varint(multiple);
      continue;
    }
    let factor = dividingFactor(profile.period);
    for (let from = 0; from < rowCount && factor !== 0; from += rowsPerStep) {
      if (from > 0) yield;
      if (!areDivisible(halves, from, endOfStep(from, rowCount), factor)) factor = 0;
    }
    writer.u8(factor === 0 ? valueColumn.plain : valueColumn.divided);
    if (factor !== 0) writer.varint(factor);
    for (let from = 0; from < rowCount; from += rowsPerStep) {
      if (from > 0) yield;
      encodeValues(writer, halves, from, endOfStep(from, rowCount), factor);
    }
  }
  if (sampleTimes !== undefined) {
    writer.varint(sampleTimes.length);
    writer.raw(sampleTimes);
  }
  writer.setU32(start, writer.length - start - 4);
}

function endOfStep(from: number, rows: number): number {
  return Math.min(rows, from + rowsPerStep);
}

/** Writes the part of a profile that precedes its rows, and reserves space for the length. */
function writeHead(
  writer: ByteWriter,
  stream: number,
  profile: IncomingProfile,
  isLabelled: boolean,
): void {
  writer.u32(0);
  writer.varint(stream);
  writer.i64(profile.timeNanos);
  writer.i64(profile.contentHash);
  writer.varintBig(profile.durationNanos);
  writer.varintBig(profile.period);
  writer.varint(profile.rowCount);
  const flags = isLabelled ? flagLabelled : 0;
  writer.u8(profile.sampleTimes === undefined ? flags : flags | flagTimed);
  writer.varint(profile.values.length);
}

/** Returns the label column; undefined when no row has labels. */
function usedLabels(profile: IncomingProfile): Uint32Array | undefined {
  const { sampleLabels, rowCount } = profile;
  if (sampleLabels === undefined) return undefined;
  for (let i = 0; i < rowCount; i += 1) if (sampleLabels[i] !== 0) return sampleLabels;
  return undefined;
}

function splitHalves(column: BigInt64Array, rows: number): Uint32Array {
  assert(column.length >= rows, 'value columns have a value for each row');
  return new Uint32Array(column.buffer, column.byteOffset, rows * 2);
}

/** Writes the ids of rows `from` to `to` as zigzag varints of their differences. */
function encodeIds(writer: ByteWriter, ids: Uint32Array, from: number, to: number): void {
  writer.reserve((to - from) * idBytesMax);
  const { bytes } = writer;
  let at = writer.length;
  let previous = from === 0 ? 0 : ids[from - 1] | 0;
  for (let i = from; i < to; i += 1) {
    const id = ids[i] | 0;
    const delta = (id - previous) | 0;
    previous = id;
    let rest = ((delta << 1) ^ (delta >> 31)) >>> 0;
    while (rest > 127) {
      bytes[at] = (rest & 127) | 128;
      at += 1;
      rest >>>= 7;
    }
    bytes[at] = rest;
    at += 1;
  }
  writer.length = at;
}

/** Returns the factor by which values may be divided; 0 if there is none. */
function dividingFactor(period: bigint): number {
  return period > 1n && period < 0x1_0000_0000n ? Number(period) : 0;
}

/** Writes the values of rows `from` to `to`, divided by `factor` unless it is 0. */
function encodeValues(
  writer: ByteWriter,
  halves: Uint32Array,
  from: number,
  to: number,
  factor: number,
): void {
  if (factor !== 0) {
    for (let i = from; i < to; i += 1) writer.varint(doubleAt(halves, i) / factor);
    return;
  }
  writer.reserve((to - from) * valueBytesMax);
  for (let i = from; i < to; i += 1) writer.varint64(halves[2 * i], halves[2 * i + 1]);
}

/**
 * Returns the factor by which the values of the first sample type must be multiplied to get the
 * values of rows `from` to `to`. It is at least 1; or 0 if any factor fits, or -1 if none fits.
 * `factor` is the factor of earlier rows.
 */
function multipleOfFirst(
  halves: Uint32Array,
  first: Uint32Array,
  from: number,
  to: number,
  factor: number,
): number {
  for (let i = from; i < to; i += 1) {
    const base = doubleAt(first, i);
    const value = doubleAt(halves, i);
    if (base < 0 || value < 0) return -1;
    if (factor === 0 && base !== 0) {
      factor = value / base;
      if (factor < 1 || !Number.isSafeInteger(factor)) return -1;
    }
    // A product above 2^53 may be rounded, but it cannot equal a value below 2^53.
    if (base * factor !== value) return -1;
  }
  return factor;
}

function areDivisible(halves: Uint32Array, from: number, to: number, factor: number): boolean {
  for (let i = from; i < to; i += 1) {
    const value = doubleAt(halves, i);
    if (value < 0 || Math.floor(value / factor) * factor !== value) return false;
  }
  return true;
}

/** Returns the value of a row; -1 if it is negative or at least 2^53. */
function doubleAt(halves: Uint32Array, row: number): number {
  const high = halves[2 * row + 1];
  return high < 0x20_0000 ? high * two32 + halves[2 * row] : -1;
}

/**
 * Reads the part of a profile that precedes its rows. The reader must be just after the length of
 * the profile.
 */
export function decodeProfileHead(reader: ByteReader): ProfileHead {
  const stream = reader.varint();
  const timeNanos = reader.i64();
  const contentHash = reader.i64();
  const durationNanos = reader.varintBig();
  const period = reader.varintBig();
  const rowCount = reader.varint();
  const flags = reader.u8();
  const isLabelled = (flags & flagLabelled) !== 0;
  const isTimed = (flags & flagTimed) !== 0;
  const valueColumnCount = reader.varint();
  // Each row takes at least one byte. A larger count is damage, and would only make the server
  // allocate memory.
  if (rowCount > reader.end - reader.at) {
    throw new AppError('data-loss', `cannot decode profile: it has no ${rowCount} rows`);
  }
  return {
    stream,
    timeNanos,
    contentHash,
    durationNanos,
    period,
    rowCount,
    isLabelled,
    isTimed,
    valueColumnCount,
  };
}

/** The largest dictionary rows to which a profile refers. */
export interface LargestIds {
  readonly stack: number;
  readonly sampleLabels: number;
}

/** Columns of ids in a run, in their order. */
const plainIds = ['stack'] as const;
const labelledIds = ['stack', 'sampleLabels'] as const;

/** Facts about decoded rows, and their sample times. */
interface ReadRows extends LargestIds {
  /** Encoded sample times; undefined if there are none. Ownership: the caller owns them. */
  readonly times: Uint8Array | undefined;
}

/**
 * Reads the rows of a profile, and then their sample times, in steps. The reader must be just after
 * the head of the profile. The rows are written into a new run of the arena, in the layout of
 * RowSegment. Nothing else may allocate runs until the last step.
 *
 * Errors: AppError 'data-loss' if the bytes end early; the run is then released.
 */
export function* decodeRows(
  reader: ByteReader,
  head: ProfileHead,
  arena: RowArena,
): Steps<ReadRows> {
  const { rowCount, valueColumnCount, isLabelled } = head;
  const { words } = arena.allocate(runBytes(rowCount, valueColumnCount, isLabelled));
  const start = arena.runOffset * 2;
  const ids = start + valueColumnCount * rowCount * 2;
  const largest = { stack: 0, sampleLabels: 0 };
  try {
    for (const name of isLabelled ? labelledIds : plainIds) {
      const first = name === 'stack' ? ids : ids + rowCount;
      for (let from = 0; from < rowCount; from += rowsPerStep) {
        if (from > 0) yield;
        const before = from === 0 ? 0 : words[first + from - 1];
        const end = first + endOfStep(from, rowCount);
        const id = decodeIds(reader, words, first + from, end, before);
        largest[name] = Math.max(largest[name], id);
      }
    }
    for (let index = 0; index < valueColumnCount; index += 1) {
      const mode = reader.u8();
      const factor = mode === valueColumn.plain ? 0 : reader.varint();
      requireValueColumnMode(mode);
      const at = start + index * rowCount * 2;
      for (let from = 0; from < rowCount; from += rowsPerStep) {
        if (from > 0) yield;
        const end = endOfStep(from, rowCount);
        if (mode === valueColumn.timesFirst) multiplyFirst(words, start, at, from, end, factor);
        else decodeValues(reader, words, at + 2 * from, at + 2 * end, factor);
      }
    }
    return { ...largest, times: head.isTimed ? readTimes(reader) : undefined };
  } catch (error) {
    arena.release();
    throw error;
  }
}

function requireValueColumnMode(mode: number): void {
  if (mode === valueColumn.plain || mode === valueColumn.timesFirst || mode === valueColumn.divided)
    return;
  throw new AppError('data-loss', `cannot decode profile: unknown value column mode ${mode}`);
}

function readTimes(reader: ByteReader): Uint8Array {
  const length = reader.varint();
  const start = reader.skip(length);
  return reader.bytes.slice(start, start + length);
}

/** Reads ids into words `start` to `end`; `before` is the previous id. Returns the largest id. */
function decodeIds(
  reader: ByteReader,
  words: Uint32Array,
  start: number,
  end: number,
  before: number,
): number {
  const { bytes } = reader;
  let at = reader.at;
  let id = before | 0;
  let largest = 0;
  for (let i = start; i < end; i += 1) {
    let byte = bytes[at];
    at += 1;
    let bits = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at];
      at += 1;
      bits |= (byte & 127) << shift;
    }
    id = (id + ((bits >>> 1) ^ -(bits & 1))) | 0;
    words[i] = id;
    if (id >>> 0 > largest) largest = id >>> 0;
  }
  if (at > reader.end) throw new AppError('data-loss', 'cannot decode profile: its rows end early');
  reader.at = at;
  return largest;
}

/** Reads values into words `start` to `end`, and multiplies them by `factor` unless it is 0. */
function decodeValues(
  reader: ByteReader,
  words: Uint32Array,
  start: number,
  end: number,
  factor: number,
): void {
  if (factor === 0) {
    for (let at = start; at < end; at += 2) reader.varint64(words, at);
    return;
  }
  for (let at = start; at < end; at += 2) setDouble(words, at, reader.varint() * factor);
}

/** Sets the values of rows `from` to `end` to those of the first sample type times `factor`. */
function multiplyFirst(
  words: Uint32Array,
  first: number,
  start: number,
  from: number,
  end: number,
  factor: number,
): void {
  for (let i = from; i < end; i += 1) {
    const base = words[first + 2 * i + 1] * two32 + words[first + 2 * i];
    setDouble(words, start + 2 * i, base * factor);
  }
}

function setDouble(words: Uint32Array, at: number, value: number): void {
  words[at] = value;
  words[at + 1] = value / two32;
}
