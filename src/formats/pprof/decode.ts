// Decodes pprof bytes into columns: the Profile message and its samples.
//
// There is one pass over the fields, which may be in any order (the string table may be last),
// packed or unpacked. Indices and ids are checked later, by validate.ts. Source:
// https://github.com/google/pprof/blob/main/proto/profile.proto
import { AppError } from '../../base/errors.ts';
import { inputLimits, overInputLimit } from '../../base/input-limits.ts';
import { valueTypesMax } from '../../base/limits.ts';
import type { PprofColumns } from './columns.ts';
import { decodeFunctions, decodeLocations, decodeMapping } from './decode-symbols.ts';
import { tagStart } from './sample-offsets.ts';
import { WireReader } from '../wire-reader.ts';

const varintBytesMax = 10;

/**
 * Decodes an uncompressed pprof message into `columns`, replacing their content.
 *
 * Ownership: `message` is borrowed while `columns` is in use, because it has the strings. Errors:
 * DecodeError "failed to parse profile: ..." with the byte offset; AppError 'resource-exhausted'
 * for more samples, frames, values or symbols than the limits allow.
 */
export function decodePprof(message: Uint8Array, columns: PprofColumns): void {
  const reader = new WireReader();
  reader.open(message);
  columns.clear(reader.bytes);
  const end = message.length;
  while (reader.pos < end) {
    const start = reader.pos;
    reader.pos = start + 1;
    decodeField(reader, columns, start, end);
  }
  reader.endMessage(end);
  columns.requireWithinLimits();
}

/**
 * Reads one field of the Profile message; the reader is right after the tag, which is at `start`.
 */
function decodeField(reader: WireReader, columns: PprofColumns, start: number, end: number): void {
  switch (reader.bytes[start]) {
    case 0x0a:
      decodeSampleType(reader, columns, reader.endOfBytes(end));
      return;
    case 0x12:
      decodeSample(reader, columns, reader.endOfBytes(end));
      return;
    case 0x1a:
      decodeMapping(reader, columns, reader.endOfBytes(end));
      return;
    case 0x22:
      reader.pos = start;
      decodeLocations(reader, columns, end);
      return;
    case 0x2a:
      reader.pos = start;
      decodeFunctions(reader, columns, end);
      return;
    case 0x32:
      reader.pos = start;
      decodeStrings(reader, columns, end);
      return;
    default:
      decodeScalar(reader, columns, start, end);
  }
}

function decodeScalar(reader: WireReader, columns: PprofColumns, start: number, end: number): void {
  switch (reader.bytes[start]) {
    case 0x48:
      columns.timeNanos = reader.int64();
      return;
    case 0x50:
      columns.durationNanos = reader.int64();
      return;
    case 0x5a:
      decodePeriodType(reader, columns, reader.endOfBytes(end));
      return;
    case 0x60:
      columns.period = reader.int64();
      return;
    // drop_frames, keep_frames, comment, default_sample_type and doc_url are ignored.
    case 0x38:
    case 0x40:
    case 0x68:
    case 0x70:
    case 0x78:
      reader.varint();
      return;
    // comment, packed
    case 0x6a:
      reader.pos = reader.endOfBytes(end);
      return;
    default:
      decodeAddedScalar(reader, columns, start, end);
  }
}

/** Reads the mark for lost sample times; skips all other fields. */
function decodeAddedScalar(
  reader: WireReader,
  { offsets }: PprofColumns,
  start: number,
  end: number,
): void {
  const { bytes } = reader;
  if (bytes[start] === tagStart.lost && bytes[start + 1] === tagStart.second) {
    reader.pos = start + 2;
    reader.pos = reader.endOfBytes(end);
    offsets.areTooMany = true;
    return;
  }
  reader.pos = start;
  reader.skipUnknown(15, end);
}

/** Reads the string whose tag is next, and the strings that directly follow it. */
function decodeStrings(reader: WireReader, columns: PprofColumns, end: number): void {
  const { bytes } = reader;
  let { stringStart, stringEnd } = columns;
  let row = columns.stringCount;
  let { pos } = reader;
  while (pos < end && bytes[pos] === 0x32) {
    let length = bytes[pos + 1];
    pos += 2;
    if (length > 0x7f) {
      reader.pos = pos - 1;
      length = reader.endOfBytes(end) - reader.pos;
      ({ pos } = reader);
    } else if (length > end - pos) {
      reader.pos = pos - 1;
      reader.endOfBytes(end);
    }
    if (row >= stringStart.length) {
      columns.reserveString(row);
      ({ stringStart, stringEnd } = columns);
    }
    stringStart[row] = pos;
    pos += length;
    stringEnd[row] = pos;
    row += 1;
  }
  reader.pos = pos;
  columns.stringCount = row;
}

function decodeSampleType(reader: WireReader, columns: PprofColumns, end: number): void {
  const row = columns.sampleTypeCount;
  if (row === valueTypesMax) {
    throw new AppError(
      'resource-exhausted',
      `failed to parse profile: more than ${valueTypesMax} sample types, the limit`,
    );
  }
  const type = { type: 0, unit: 0 };
  decodeValueType(reader, type, end);
  columns.sampleTypeType[row] = type.type;
  columns.sampleTypeUnit[row] = type.unit;
  columns.sampleTypeCount = row + 1;
}

function decodePeriodType(reader: WireReader, columns: PprofColumns, end: number): void {
  // If the period type occurs more than once, its fields are merged, as protobuf requires.
  const type = { type: columns.periodTypeType, unit: columns.periodTypeUnit };
  decodeValueType(reader, type, end);
  columns.periodTypeType = type.type;
  columns.periodTypeUnit = type.unit;
}

function decodeValueType(
  reader: WireReader,
  into: { type: number; unit: number },
  end: number,
): void {
  while (reader.pos < end) {
    const start = reader.pos;
    const tag = reader.bytes[start];
    reader.pos = start + 1;
    if (tag === 0x08) into.type = reader.index();
    else if (tag === 0x10) into.unit = reader.index();
    else {
      reader.pos = start;
      reader.skipUnknown(2, end);
    }
  }
  reader.endMessage(end);
}

function decodeSample(reader: WireReader, columns: PprofColumns, end: number): void {
  const row = columns.sampleCount;
  columns.reserveSample(row);
  const frames = columns.frameCount;
  const values = columns.valueCount;
  columns.frameStart[row] = frames;
  columns.valueStart[row] = values;
  columns.labelStart[row] = columns.labelCount;
  while (reader.pos < end) {
    const start = reader.pos;
    reader.pos = start + 1;
    decodeSampleField(reader, columns, start, end);
    if (columns.valueCount - values > valueTypesMax) throw tooManyValues();
    if (columns.frameCount - frames > inputLimits.stackDepth) throw tooDeep();
  }
  reader.endMessage(end);
  columns.frameStart[row + 1] = columns.frameCount;
  columns.valueStart[row + 1] = columns.valueCount;
  columns.labelStart[row + 1] = columns.labelCount;
  columns.sampleCount = row + 1;
}

function decodeSampleField(
  reader: WireReader,
  columns: PprofColumns,
  start: number,
  end: number,
): void {
  switch (reader.bytes[start]) {
    case 0x0a:
      decodeFrames(reader, columns, reader.endOfBytes(end));
      return;
    case 0x08:
      decodeFrame(reader, columns);
      return;
    case 0x12:
      decodeValues(reader, columns, reader.endOfBytes(end));
      return;
    case 0x10:
      decodeValue(reader, columns);
      return;
    case 0x1a:
      decodeLabel(reader, columns, reader.endOfBytes(end));
      return;
    default:
      decodeAddedField(reader, columns, start, end);
  }
}

/** Reads sample times; skips all other fields. */
function decodeAddedField(
  reader: WireReader,
  { offsets, sampleCount }: PprofColumns,
  start: number,
  end: number,
): void {
  const { bytes } = reader;
  if (bytes[start + 1] === tagStart.second) {
    reader.pos = start + 2;
    if (bytes[start] === tagStart.offsets) {
      offsets.readOffsets(reader, sampleCount, reader.endOfBytes(end));
      return;
    }
    if (bytes[start] === tagStart.values) {
      offsets.readValues(reader, sampleCount, reader.endOfBytes(end));
      return;
    }
  }
  reader.pos = start;
  reader.skipUnknown(3, end);
}

/**
 * Decodes packed location ids. No other loop runs as often, so it handles ids of one and two bytes
 * itself.
 */
function decodeFrames(reader: WireReader, columns: PprofColumns, end: number): void {
  const { bytes } = reader;
  let { pos } = reader;
  if (end - pos > inputLimits.stackDepth * varintBytesMax) throw tooDeep();
  let row = columns.frameCount;
  columns.reserveFrames(row + (end - pos));
  const { frameLocation } = columns;
  while (pos < end) {
    let id = bytes[pos];
    pos += 1;
    if (id > 0x7f) {
      id = (id & 0x7f) | (bytes[pos] << 7);
      pos += 1;
      if (id > 0x3fff) {
        id = columns.toId(reader.longIndex(pos - 2), reader);
        pos = reader.pos;
      }
    }
    frameLocation[row] = id;
    row += 1;
  }
  columns.frameCount = row;
  reader.pos = pos;
  reader.endMessage(end);
}

function decodeFrame(reader: WireReader, columns: PprofColumns): void {
  const row = columns.frameCount;
  columns.reserveFrames(row + 1);
  columns.frameLocation[row] = columns.toId(reader.index(), reader);
  columns.frameCount = row + 1;
}

function decodeValues(reader: WireReader, columns: PprofColumns, end: number): void {
  const room = end - reader.pos;
  if (room > valueTypesMax * varintBytesMax) throw tooManyValues();
  let row = columns.valueCount;
  columns.reserveValues(row + room);
  const { valueWords } = columns;
  while (reader.pos < end) {
    reader.varint();
    valueWords[row * 2] = reader.low;
    valueWords[row * 2 + 1] = reader.high;
    row += 1;
  }
  reader.endMessage(end);
  columns.valueCount = row;
}

function decodeValue(reader: WireReader, columns: PprofColumns): void {
  const row = columns.valueCount;
  columns.reserveValues(row + 1);
  reader.varint();
  columns.valueWords[row * 2] = reader.low;
  columns.valueWords[row * 2 + 1] = reader.high;
  columns.valueCount = row + 1;
}

function decodeLabel(reader: WireReader, columns: PprofColumns, end: number): void {
  const row = columns.labelCount;
  columns.reserveLabel(row);
  let key = 0;
  let text = 0;
  let unit = 0;
  let low = 0;
  let high = 0;
  while (reader.pos < end) {
    const start = reader.pos;
    const tag = reader.bytes[start];
    reader.pos = start + 1;
    if (tag === 0x08) key = reader.index();
    else if (tag === 0x10) text = reader.index();
    else if (tag === 0x20) unit = reader.index();
    else if (tag === 0x18) {
      reader.varint();
      low = reader.low;
      high = reader.high;
    } else {
      reader.pos = start;
      reader.skipUnknown(4, end);
    }
  }
  reader.endMessage(end);
  columns.labelKey[row] = key;
  columns.labelText[row] = text;
  columns.labelUnit[row] = unit;
  columns.labelNumberWords[row * 2] = low;
  columns.labelNumberWords[row * 2 + 1] = high;
  columns.labelCount = row + 1;
}

function tooManyValues(): AppError {
  return new AppError(
    'resource-exhausted',
    `failed to parse profile: a sample has more than ${valueTypesMax} values, the limit`,
  );
}

function tooDeep(): AppError {
  return overInputLimit(
    'stackDepth',
    `failed to parse profile: a sample has more than ${inputLimits.stackDepth} frames, the limit`,
  );
}
