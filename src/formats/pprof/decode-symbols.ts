// Decodes the symbols of pprof bytes into columns: mappings, locations with their lines, functions.
//
// Most of a symbolized profile consists of locations and functions. Their loops keep the offset in
// a local variable, and read a tag and a varint of one or two bytes from one 32-bit word. That is
// 1.7 times faster than calling a function for each tag and varint.
import type { PprofColumns } from './columns.ts';
import type { WireReader } from '../wire-reader.ts';

/** Reads a Mapping message that ends at `end`. */
export function decodeMapping(reader: WireReader, columns: PprofColumns, end: number): void {
  const row = columns.mappingCount + 1;
  columns.reserveMapping(row);
  clearMapping(columns, row);
  while (reader.pos < end) {
    const start = reader.pos;
    reader.pos = start + 1;
    decodeMappingField(reader, columns, row, start, end);
  }
  reader.endMessage(end);
  columns.mappingCount = row;
}

function decodeMappingField(
  reader: WireReader,
  columns: PprofColumns,
  row: number,
  start: number,
  end: number,
): void {
  switch (reader.bytes[start]) {
    case 0x08:
      columns.mappingId[row] = columns.toId(reader.index(), reader);
      return;
    case 0x10:
      reader.varint();
      columns.mappingStartLow[row] = reader.low;
      columns.mappingStartHigh[row] = reader.high;
      return;
    case 0x18:
      reader.varint();
      columns.mappingLimitLow[row] = reader.low;
      columns.mappingLimitHigh[row] = reader.high;
      return;
    case 0x20:
      reader.varint();
      columns.mappingOffsetLow[row] = reader.low;
      columns.mappingOffsetHigh[row] = reader.high;
      return;
    case 0x28:
      columns.mappingFile[row] = reader.index();
      return;
    case 0x30:
      columns.mappingBuildId[row] = reader.index();
      return;
    // has_functions, has_filenames, has_line_numbers and has_inline_frames are ignored, because
    // the lines already show what they say.
    case 0x38:
    case 0x40:
    case 0x48:
    case 0x50:
      reader.varint();
      return;
    default:
      reader.pos = start;
      reader.skipUnknown(10, end);
  }
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

/**
 * Reads the Location message whose tag is next, and the Location messages that directly follow it,
 * within the Profile message that ends at `profileEnd`.
 */
export function decodeLocations(
  reader: WireReader,
  columns: PprofColumns,
  profileEnd: number,
): void {
  const { view } = reader;
  let { locationId, locationMapping, addressLow, addressHigh, lineStart } = columns;
  let { areLocationIdsRows, largestMappingOfLocation } = columns;
  let row = columns.locationCount;
  while (reader.pos < profileEnd && view.getUint8(reader.pos) === 0x22) {
    reader.pos += 1;
    const end = reader.endOfBytes(profileEnd);
    row += 1;
    if (row >= locationId.length) {
      columns.reserveLocation(row);
      ({ locationId, locationMapping, addressLow, addressHigh, lineStart } = columns);
    }
    let { pos } = reader;
    let id = 0;
    let mapping = 0;
    let low = 0;
    let high = 0;
    lineStart[row] = columns.lineCount;
    while (pos < end) {
      const start = pos;
      const word = view.getInt32(pos, true);
      const tag = word & 0xff;
      if (tag === 0x18) {
        reader.pos = pos + 1;
        reader.varint();
        low = reader.low;
        high = reader.high;
        pos = reader.pos;
        continue;
      }
      let value = (word >> 8) & 0x7f;
      if ((word & 0x8000) === 0) pos += 2;
      else if ((word & 0x80_0000) === 0) {
        value |= (word >> 9) & 0x3f80;
        pos += 3;
      } else {
        value = reader.longIndex(pos + 1);
        pos = reader.pos;
      }
      if (tag === 0x08) id = value < 0 ? columns.toId(value, reader) : value;
      else if (tag === 0x10) mapping = value < 0 ? columns.toId(value, reader) : value;
      else if (tag === 0x22 && value >= 0 && value <= end - pos) {
        decodeLine(reader, columns, pos, pos + value);
        pos = reader.pos;
      } else if (tag !== 0x28) pos = skipUnknown(reader, start, 4, end);
      // 0x28 is `is_folded`, which is not needed.
    }
    reader.pos = pos;
    reader.endMessage(end);
    if (id !== row) areLocationIdsRows = false;
    if (mapping >>> 0 > largestMappingOfLocation) largestMappingOfLocation = mapping >>> 0;
    locationId[row] = id;
    locationMapping[row] = mapping;
    addressLow[row] = low;
    addressHigh[row] = high;
    lineStart[row + 1] = columns.lineCount;
  }
  columns.areLocationIdsRows = areLocationIdsRows;
  columns.largestMappingOfLocation = largestMappingOfLocation;
  columns.locationCount = row;
}

function decodeLine(reader: WireReader, columns: PprofColumns, from: number, end: number): void {
  const row = columns.lineCount;
  columns.reserveLine(row);
  const { view } = reader;
  let pos = from;
  let functionId = 0;
  let number = 0;
  let column = 0;
  while (pos < end) {
    const start = pos;
    const word = view.getInt32(pos, true);
    const tag = word & 0xff;
    let value = (word >> 8) & 0x7f;
    if ((word & 0x8000) === 0) pos += 2;
    else if ((word & 0x80_0000) === 0) {
      value |= (word >> 9) & 0x3f80;
      pos += 3;
    } else {
      value = reader.longIndex(pos + 1);
      pos = reader.pos;
    }
    if (tag === 0x08) functionId = value < 0 ? columns.toId(value, reader) : value;
    else if (tag === 0x10) number = value < 0 ? readLineNumber(reader) : value;
    else if (tag === 0x18) column = value < 0 ? readLineNumber(reader) : value;
    else pos = skipUnknown(reader, start, 3, end);
  }
  reader.pos = pos;
  reader.endMessage(end);
  if (functionId >>> 0 > columns.largestFunctionOfLine) {
    columns.largestFunctionOfLine = functionId >>> 0;
  }
  columns.lineFunction[row] = functionId;
  columns.lineNumber[row] = number;
  columns.lineColumn[row] = column;
  columns.lineCount = row + 1;
}

/**
 * Reads the Function message whose tag is next, and the Function messages that directly follow it,
 * within the Profile message that ends at `profileEnd`.
 */
export function decodeFunctions(
  reader: WireReader,
  columns: PprofColumns,
  profileEnd: number,
): void {
  const { view } = reader;
  let { functionId, functionName, functionSystemName, functionFile, functionStartLine } = columns;
  let { areFunctionIdsRows, largestStringOfFunction: largest } = columns;
  let row = columns.functionCount;
  while (reader.pos < profileEnd && view.getUint8(reader.pos) === 0x2a) {
    reader.pos += 1;
    const end = reader.endOfBytes(profileEnd);
    row += 1;
    if (row >= functionId.length) {
      columns.reserveFunction(row);
      ({ functionId, functionName, functionSystemName } = columns);
      ({ functionFile, functionStartLine } = columns);
    }
    let { pos } = reader;
    let id = 0;
    let name = 0;
    let systemName = 0;
    let file = 0;
    let startLine = 0;
    while (pos < end) {
      const start = pos;
      const word = view.getInt32(pos, true);
      const tag = word & 0xff;
      let value = (word >> 8) & 0x7f;
      if ((word & 0x8000) === 0) pos += 2;
      else if ((word & 0x80_0000) === 0) {
        value |= (word >> 9) & 0x3f80;
        pos += 3;
      } else {
        value = reader.longIndex(pos + 1);
        pos = reader.pos;
      }
      if (tag === 0x08) id = value < 0 ? columns.toId(value, reader) : value;
      else if (tag === 0x10) name = value;
      else if (tag === 0x18) systemName = value;
      else if (tag === 0x20) file = value;
      else if (tag === 0x28) startLine = value < 0 ? readLineNumber(reader) : value;
      else pos = skipUnknown(reader, start, 5, end);
    }
    reader.pos = pos;
    reader.endMessage(end);
    if (id !== row) areFunctionIdsRows = false;
    if (name >>> 0 > largest) largest = name >>> 0;
    if (systemName >>> 0 > largest) largest = systemName >>> 0;
    if (file >>> 0 > largest) largest = file >>> 0;
    functionId[row] = id;
    functionName[row] = name;
    functionSystemName[row] = systemName;
    functionFile[row] = file;
    functionStartLine[row] = startLine;
  }
  columns.areFunctionIdsRows = areFunctionIdsRows;
  columns.largestStringOfFunction = largest;
  columns.functionCount = row;
}

/** Skips the field whose tag is at `start`; returns the offset after it. */
function skipUnknown(reader: WireReader, start: number, known: number, end: number): number {
  reader.pos = start;
  reader.skipUnknown(known, end);
  return reader.pos;
}

/** Returns the last varint as a number within int32; any other number becomes 0 (unknown). */
function readLineNumber(reader: WireReader): number {
  return reader.high === reader.low >> 31 ? reader.low : 0;
}
