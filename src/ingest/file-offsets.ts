// Converts addresses of a running program to offsets in its file. Without this, each start of a
// program that is loaded at a random address would add new locations to the dictionary.
//
// The offset of an address is computed from its mapping. The mapping then starts at its own file
// offset, as if the file were loaded at address 0. Only the address at which the program was loaded
// is lost: a reader who knows the segments of the file can compute its ELF virtual addresses
// (`src/symbolize/load-bias.ts`). A second conversion changes nothing.
import type { PprofColumns } from '../formats/pprof/columns.ts';

const wordValues = 0x1_0000_0000;
/** End of the user's address space; addresses of the kernel are larger. */
const userAddressMax = 2 ** 47;
/**
 * Lowest start of a mapping whose addresses are converted. Mappings below it belong to programs
 * that are always loaded at the same address.
 */
const movedStartMin = wordValues;
const openingBracket = 0x5b;

/**
 * Converts the addresses of mappings that have a build id and were placed by a loader. An address
 * outside of its mapping is already an offset in the file; its mapping is replaced by one without a
 * range. If `areOfFiles`, this is done for all addresses. Addresses in the kernel, in its modules,
 * and in memory without a file do not change.
 *
 * Errors: AppError 'resource-exhausted' for too many mappings.
 */
export function moveToFileOffsets(columns: PprofColumns, areOfFiles: boolean): void {
  const { mappingCount } = columns;
  if (areOfFiles) {
    for (let row = 1; row <= mappingCount; row += 1) {
      if (columns.mappingBuildId[row] !== 0) setRange(columns, row, 0, 0, 0);
    }
    return;
  }
  let moved: MovedMapping[] | undefined;
  for (let row = 1; row <= mappingCount; row += 1) {
    const mapping = readMapping(columns, row);
    if (mapping === undefined) continue;
    moved ??= [];
    moved[row] = mapping;
    const { start, limit, offset } = mapping;
    setRange(columns, row, offset, limit - start + offset, offset);
  }
  if (moved !== undefined) moveLocations(columns, moved);
}

/** A mapping before the conversion. */
interface MovedMapping {
  readonly start: number;
  readonly limit: number;
  readonly offset: number;
  /** Row of the copy of this mapping that has no range; 0 until the copy is made. */
  bareRow: number;
}

/** Reads a mapping; returns undefined if its addresses must not be converted. */
function readMapping(columns: PprofColumns, row: number): MovedMapping | undefined {
  if (columns.mappingStartHigh[row] === 0 || columns.mappingBuildId[row] === 0) return undefined;
  const start = columns.mappingStartHigh[row] * wordValues + columns.mappingStartLow[row];
  const limit = columns.mappingLimitHigh[row] * wordValues + columns.mappingLimitLow[row];
  const offset = columns.mappingOffsetHigh[row] * wordValues + columns.mappingOffsetLow[row];
  const isOfUser = movedStartMin <= start && start < limit && limit <= userAddressMax;
  if (!isOfUser || offset >= start || isEmpty(columns, columns.mappingBuildId[row])) {
    return undefined;
  }
  // Names in brackets, such as [vdso] and [heap], are not files.
  const file = columns.mappingFile[row];
  if (columns.bytes[columns.stringStart[file]] === openingBracket && !isEmpty(columns, file)) {
    return undefined;
  }
  return { start, limit, offset, bareRow: 0 };
}

function isEmpty({ stringStart, stringEnd }: PprofColumns, index: number): boolean {
  return stringStart[index] === stringEnd[index];
}

function moveLocations(columns: PprofColumns, moved: readonly (MovedMapping | undefined)[]): void {
  const { locationMapping, addressLow, addressHigh, locationCount } = columns;
  for (let row = 1; row <= locationCount; row += 1) {
    const mapping = moved[locationMapping[row]];
    if (mapping === undefined) continue;
    const { start, limit, offset } = mapping;
    const address = addressHigh[row] * wordValues + addressLow[row];
    if (address < start || address >= limit) {
      if (mapping.bareRow === 0) mapping.bareRow = addBareMapping(columns, locationMapping[row]);
      locationMapping[row] = mapping.bareRow;
      continue;
    }
    const place = address - start + offset;
    addressLow[row] = place >>> 0;
    addressHigh[row] = Math.floor(place / wordValues);
  }
}

/** Adds a mapping of the same file that has no range, and returns its row. */
function addBareMapping(columns: PprofColumns, like: number): number {
  const row = columns.mappingCount + 1;
  columns.reserveMapping(row);
  columns.mappingCount = row;
  columns.mappingId[row] = 0;
  columns.mappingFile[row] = columns.mappingFile[like];
  columns.mappingBuildId[row] = columns.mappingBuildId[like];
  setRange(columns, row, 0, 0, 0);
  return row;
}

function setRange(
  columns: PprofColumns,
  row: number,
  start: number,
  limit: number,
  offset: number,
): void {
  columns.mappingStartLow[row] = start >>> 0;
  columns.mappingStartHigh[row] = Math.floor(start / wordValues);
  columns.mappingLimitLow[row] = limit >>> 0;
  columns.mappingLimitHigh[row] = Math.floor(limit / wordValues);
  columns.mappingOffsetLow[row] = offset >>> 0;
  columns.mappingOffsetHigh[row] = Math.floor(offset / wordValues);
}
