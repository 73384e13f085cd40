// pprof bytes -> columns: the Profile message and its samples.
//
// One pass, fields in any order (the string table may come last), packed and unpacked alike. What
// indices and ids mean is checked afterwards, by validate.ts.
// Source: https://github.com/google/pprof/blob/main/proto/profile.proto
import { AppError } from '../../base/errors.ts';
import { stackDepthMax, valueTypesMax } from '../../base/limits.ts';
import type { PprofColumns } from './columns.ts';
import { decodeFunction, decodeLocation, decodeMapping } from './decode-symbols.ts';
import { readId } from './read-id.ts';
import { WireReader } from './wire-reader.ts';

const varintBytesMax = 10;

/**
 * Decodes an uncompressed pprof message into `columns`, replacing what they held.
 *
 * Ownership: `message` is borrowed as long as the columns are read, for their strings.
 * Errors: DecodeError "failed to parse profile: ..." with the byte offset; AppError
 * 'resource-exhausted' for more samples, frames, values or symbols than the limits allow.
 */
export function decodePprof(message: Uint8Array, columns: PprofColumns): void {
  // A plain view: a Buffer here would make every byte access of the decoder polymorphic.
  const bytes = new Uint8Array(message.buffer, message.byteOffset, message.length);
  const reader = new WireReader();
  reader.open(bytes);
  columns.clear(bytes);
  const end = bytes.length;
  while (reader.pos < end) decodeField(reader, columns, reader.tag(end), end);
}

function decodeField(reader: WireReader, columns: PprofColumns, tag: number, end: number): void {
  switch (tag) {
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
      decodeLocation(reader, columns, reader.endOfBytes(end));
      return;
    case 0x2a:
      decodeFunction(reader, columns, reader.endOfBytes(end));
      return;
    case 0x32:
      decodeString(reader, columns, reader.endOfBytes(end));
      return;
    default:
      decodeScalar(reader, columns, tag, end);
  }
}

function decodeScalar(reader: WireReader, columns: PprofColumns, tag: number, end: number): void {
  switch (tag) {
    case 0x48:
      columns.timeNanos = reader.int64(end);
      return;
    case 0x50:
      columns.durationNanos = reader.int64(end);
      return;
    case 0x5a:
      decodePeriodType(reader, columns, reader.endOfBytes(end));
      return;
    case 0x60:
      columns.period = reader.int64(end);
      return;
    // drop_frames, keep_frames, comment (also packed), default_sample_type, doc_url: not kept.
    case 0x38:
    case 0x40:
    case 0x68:
    case 0x6a:
    case 0x70:
    case 0x78:
      reader.skip(tag, end);
      return;
    default:
      reader.skipUnknown(tag, 15, end);
  }
}

function decodeString(reader: WireReader, columns: PprofColumns, end: number): void {
  const row = columns.stringCount;
  columns.reserveString(row);
  columns.stringStart[row] = reader.pos;
  columns.stringEnd[row] = end;
  columns.stringCount = row + 1;
  reader.pos = end;
}

function decodeSampleType(reader: WireReader, columns: PprofColumns, end: number): void {
  const row = columns.sampleTypeCount;
  if (row === valueTypesMax) {
    throw new AppError(
      'resource-exhausted',
      `failed to parse profile: more than ${valueTypesMax} sample types, the limit`,
    );
  }
  columns.sampleTypeType[row] = 0;
  columns.sampleTypeUnit[row] = 0;
  while (reader.pos < end) {
    const tag = reader.tag(end);
    if (tag === 0x08) columns.sampleTypeType[row] = reader.index(end);
    else if (tag === 0x10) columns.sampleTypeUnit[row] = reader.index(end);
    else reader.skipUnknown(tag, 2, end);
  }
  columns.sampleTypeCount = row + 1;
}

function decodePeriodType(reader: WireReader, columns: PprofColumns, end: number): void {
  while (reader.pos < end) {
    const tag = reader.tag(end);
    if (tag === 0x08) columns.periodTypeType = reader.index(end);
    else if (tag === 0x10) columns.periodTypeUnit = reader.index(end);
    else reader.skipUnknown(tag, 2, end);
  }
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
    const tag = reader.tag(end);
    switch (tag) {
      case 0x0a:
        decodeFrames(reader, columns, reader.endOfBytes(end));
        break;
      case 0x08:
        decodeFrame(reader, columns, end);
        break;
      case 0x12:
        decodeValues(reader, columns, reader.endOfBytes(end));
        break;
      case 0x10:
        decodeValue(reader, columns, end);
        break;
      case 0x1a:
        decodeLabel(reader, columns, reader.endOfBytes(end));
        break;
      default:
        reader.skipUnknown(tag, 3, end);
    }
    if (columns.valueCount - values > valueTypesMax) throw tooLong('values', valueTypesMax);
    if (columns.frameCount - frames > stackDepthMax) throw tooLong('frames', stackDepthMax);
  }
  columns.frameStart[row + 1] = columns.frameCount;
  columns.valueStart[row + 1] = columns.valueCount;
  columns.labelStart[row + 1] = columns.labelCount;
  columns.sampleCount = row + 1;
}

/** Packed location ids: the hottest loop of all. Ids of one and two bytes never leave it. */
function decodeFrames(reader: WireReader, columns: PprofColumns, end: number): void {
  const { bytes } = reader;
  let { pos } = reader;
  if (end - pos > stackDepthMax * varintBytesMax) throw tooLong('frames', stackDepthMax);
  let row = columns.frameCount;
  columns.reserveFrames(row + (end - pos));
  const { frameLocation } = columns;
  while (pos < end) {
    const first = bytes[pos];
    if (first < 0x80) {
      frameLocation[row] = first;
      pos += 1;
    } else if (pos + 1 < end && bytes[pos + 1] < 0x80) {
      frameLocation[row] = (first & 0x7f) | (bytes[pos + 1] << 7);
      pos += 2;
    } else {
      reader.pos = pos;
      frameLocation[row] = readId(reader, columns, end);
      pos = reader.pos;
    }
    row += 1;
  }
  columns.frameCount = row;
  reader.pos = pos;
}

function decodeFrame(reader: WireReader, columns: PprofColumns, end: number): void {
  const row = columns.frameCount;
  columns.reserveFrames(row + 1);
  columns.frameLocation[row] = readId(reader, columns, end);
  columns.frameCount = row + 1;
}

function decodeValues(reader: WireReader, columns: PprofColumns, end: number): void {
  const room = end - reader.pos;
  if (room > valueTypesMax * varintBytesMax) throw tooLong('values', valueTypesMax);
  let row = columns.valueCount;
  columns.reserveValues(row + room);
  const { bytes } = reader;
  const { valueWords } = columns;
  while (reader.pos < end) {
    const first = bytes[reader.pos];
    if (first < 0x80) {
      valueWords[row * 2] = first;
      valueWords[row * 2 + 1] = 0;
      reader.pos += 1;
    } else {
      reader.varint(end);
      valueWords[row * 2] = reader.low;
      valueWords[row * 2 + 1] = reader.high;
    }
    row += 1;
  }
  columns.valueCount = row;
}

function decodeValue(reader: WireReader, columns: PprofColumns, end: number): void {
  const row = columns.valueCount;
  columns.reserveValues(row + 1);
  reader.varint(end);
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
  columns.labelNumberWords[row * 2] = 0;
  columns.labelNumberWords[row * 2 + 1] = 0;
  while (reader.pos < end) {
    const tag = reader.tag(end);
    if (tag === 0x08) key = reader.index(end);
    else if (tag === 0x10) text = reader.index(end);
    else if (tag === 0x20) unit = reader.index(end);
    else if (tag === 0x18) {
      reader.varint(end);
      columns.labelNumberWords[row * 2] = reader.low;
      columns.labelNumberWords[row * 2 + 1] = reader.high;
    } else reader.skipUnknown(tag, 4, end);
  }
  columns.labelKey[row] = key;
  columns.labelText[row] = text;
  columns.labelUnit[row] = unit;
  columns.labelCount = row + 1;
}

function tooLong(what: string, limit: number): AppError {
  return new AppError(
    'resource-exhausted',
    `failed to parse profile: a sample has more than ${limit} ${what}, the limit`,
  );
}
