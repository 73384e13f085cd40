// pprof bytes -> columns: mappings, locations with their lines, functions.
import type { PprofColumns } from './columns.ts';
import { readId } from './read-id.ts';
import type { WireReader } from './wire-reader.ts';

/** Reads a Mapping message that ends at `end`. */
export function decodeMapping(reader: WireReader, columns: PprofColumns, end: number): void {
  const row = columns.mappingCount + 1;
  columns.reserveMapping(row);
  clearMapping(columns, row);
  while (reader.pos < end) {
    const tag = reader.tag(end);
    switch (tag) {
      case 0x08:
        columns.mappingId[row] = readId(reader, columns, end);
        break;
      case 0x10:
        reader.varint(end);
        columns.mappingStartLow[row] = reader.low;
        columns.mappingStartHigh[row] = reader.high;
        break;
      case 0x18:
        reader.varint(end);
        columns.mappingLimitLow[row] = reader.low;
        columns.mappingLimitHigh[row] = reader.high;
        break;
      case 0x20:
        reader.varint(end);
        columns.mappingOffsetLow[row] = reader.low;
        columns.mappingOffsetHigh[row] = reader.high;
        break;
      case 0x28:
        columns.mappingFile[row] = reader.index(end);
        break;
      case 0x30:
        columns.mappingBuildId[row] = reader.index(end);
        break;
      // has_functions, has_filenames, has_line_numbers, has_inline_frames: the lines tell.
      case 0x38:
      case 0x40:
      case 0x48:
      case 0x50:
        reader.skip(tag, end);
        break;
      default:
        reader.skipUnknown(tag, 10, end);
    }
  }
  columns.mappingCount = row;
}

function clearMapping(columns: PprofColumns, row: number): void {
  columns.mappingId[row] = 0;
  columns.mappingStartLow[row] = 0;
  columns.mappingStartHigh[row] = 0;
  columns.mappingLimitLow[row] = 0;
  columns.mappingLimitHigh[row] = 0;
  columns.mappingOffsetLow[row] = 0;
  columns.mappingOffsetHigh[row] = 0;
  columns.mappingFile[row] = 0;
  columns.mappingBuildId[row] = 0;
}

/** Reads a Location message that ends at `end`. */
export function decodeLocation(reader: WireReader, columns: PprofColumns, end: number): void {
  const row = columns.locationCount + 1;
  columns.reserveLocation(row);
  let id = 0;
  let mapping = 0;
  let low = 0;
  let high = 0;
  columns.lineStart[row] = columns.lineCount;
  while (reader.pos < end) {
    const tag = reader.tag(end);
    switch (tag) {
      case 0x08:
        id = readId(reader, columns, end);
        break;
      case 0x10:
        mapping = readId(reader, columns, end);
        break;
      case 0x18:
        reader.varint(end);
        low = reader.low;
        high = reader.high;
        break;
      case 0x22:
        decodeLine(reader, columns, reader.endOfBytes(end));
        break;
      // is_folded: nothing depends on it.
      case 0x28:
        reader.skip(tag, end);
        break;
      default:
        reader.skipUnknown(tag, 5, end);
    }
  }
  columns.locationId[row] = id;
  columns.locationMapping[row] = mapping;
  columns.addressLow[row] = low;
  columns.addressHigh[row] = high;
  columns.lineStart[row + 1] = columns.lineCount;
  columns.locationCount = row;
}

function decodeLine(reader: WireReader, columns: PprofColumns, end: number): void {
  const row = columns.lineCount;
  columns.reserveLine(row);
  let functionId = 0;
  let number = 0;
  let column = 0;
  while (reader.pos < end) {
    const tag = reader.tag(end);
    if (tag === 0x08) functionId = readId(reader, columns, end);
    else if (tag === 0x10) number = reader.int32(end);
    else if (tag === 0x18) column = reader.int32(end);
    else reader.skipUnknown(tag, 3, end);
  }
  columns.lineFunction[row] = functionId;
  columns.lineNumber[row] = number;
  columns.lineColumn[row] = column;
  columns.lineCount = row + 1;
}

/** Reads a Function message that ends at `end`. */
export function decodeFunction(reader: WireReader, columns: PprofColumns, end: number): void {
  const row = columns.functionCount + 1;
  columns.reserveFunction(row);
  let id = 0;
  let name = 0;
  let systemName = 0;
  let file = 0;
  let startLine = 0;
  while (reader.pos < end) {
    const tag = reader.tag(end);
    switch (tag) {
      case 0x08:
        id = readId(reader, columns, end);
        break;
      case 0x10:
        name = reader.index(end);
        break;
      case 0x18:
        systemName = reader.index(end);
        break;
      case 0x20:
        file = reader.index(end);
        break;
      case 0x28:
        startLine = reader.int32(end);
        break;
      default:
        reader.skipUnknown(tag, 5, end);
    }
  }
  columns.functionId[row] = id;
  columns.functionName[row] = name;
  columns.functionSystemName[row] = systemName;
  columns.functionFile[row] = file;
  columns.functionStartLine[row] = startLine;
  columns.functionCount = row;
}
