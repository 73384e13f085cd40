// Validates a decoded profile, with Parca's error messages, and converts its references to rows.
//
// Index 0 is always allowed; other indices must be below the table's length. Checks are in the
// order of Parca's ValidatePprofProfile and have its messages, which clients and people look for.
import { AppError } from '../../base/errors.ts';
import { profileTotalMax } from '../../base/limits.ts';
import type { PprofColumns } from './columns.ts';

const decoder = new TextDecoder();

/**
 * Checks every index, id and count of `columns`, and rewrites references to mappings, functions
 * and locations from ids to rows.
 *
 * Errors: AppError 'invalid-argument' "invalid profile: ...".
 */
export function validateProfile(columns: PprofColumns): void {
  validateStrings(columns);
  const mappingRows = validateMappings(columns);
  const functionRows = validateFunctions(columns);
  const { locationCount } = columns;
  const locationRows = columns.areLocationIdsRows
    ? undefined
    : readIdRows(columns, 'location', columns.locationId, locationCount);
  resolveLocations(columns, mappingRows, functionRows);
  validateTypes(columns);
  validateSamples(columns);
  resolveFrames(columns, locationRows);
  validateLabels(columns);
  requireInt64Sums(columns);
}

/** Returns a string of the profile, for errors and new names. It is too slow for loops. */
export function profileText(columns: PprofColumns, index: number): string {
  const { bytes, stringStart, stringEnd } = columns;
  return decoder.decode(bytes.subarray(stringStart[index], stringEnd[index]));
}

function validateStrings(columns: PprofColumns): void {
  const expected = 'first item in string table is expected to be empty string, but';
  if (columns.stringCount === 0) throw invalid(`${expected} the table has no items`);
  if (columns.stringStart[0] !== columns.stringEnd[0]) {
    throw invalid(`${expected} it is ${JSON.stringify(profileText(columns, 0).slice(0, 100))}`);
  }
}

function validateMappings(columns: PprofColumns): IdRows {
  const rows = readIdRows(columns, 'mapping', columns.mappingId, columns.mappingCount);
  for (let row = 1; row <= columns.mappingCount; row += 1) {
    const file = isString(columns, columns.mappingFile[row]);
    if (file && isString(columns, columns.mappingBuildId[row])) continue;
    const id = columns.idText(columns.mappingId[row]);
    throw invalid(`mapping (id: ${id}) has invalid ${file ? 'buildid' : 'filename'} index`);
  }
  return rows;
}

function validateFunctions(columns: PprofColumns): IdRows {
  if (!columns.areFunctionIdsRows) repairFunctionIds(columns);
  const rows = columns.areFunctionIdsRows
    ? undefined
    : readIdRows(columns, 'function', columns.functionId, columns.functionCount);
  if (columns.largestStringOfFunction < columns.stringCount) return rows;
  const { functionName, functionSystemName, functionFile } = columns;
  for (let row = 1; row <= columns.functionCount; row += 1) {
    if (
      isString(columns, functionName[row]) &&
      isString(columns, functionSystemName[row]) &&
      isString(columns, functionFile[row])
    ) {
      continue;
    }
    const field = !isString(columns, functionName[row])
      ? 'name'
      : !isString(columns, functionSystemName[row])
        ? 'systemname'
        : 'filename';
    const id = columns.idText(columns.functionId[row]);
    throw invalid(`function (id: ${id}) has invalid ${field} index`);
  }
  return rows;
}

/**
 * Assigns the function ids that Pyroscope's .NET SDK forgets. If no function has an id, there is
 * one function for each location, in the same order. Source: Pyroscope,
 * FixFunctionIDForBrokenDotnet.
 */
function repairFunctionIds(columns: PprofColumns): void {
  const { functionCount, functionId, lineFunction, locationCount } = columns;
  if (functionCount !== locationCount || columns.lineCount !== locationCount) return;
  for (let row = 1; row <= functionCount; row += 1) {
    const hasOneLine = columns.lineStart[row + 1] - columns.lineStart[row] === 1;
    if (functionId[row] !== 0 || !hasOneLine) return;
  }
  for (let row = 1; row <= functionCount; row += 1) {
    functionId[row] = row;
    lineFunction[columns.lineStart[row]] = row;
  }
  columns.areFunctionIdsRows = true;
  columns.largestFunctionOfLine = functionCount;
}

function resolveLocations(columns: PprofColumns, mappings: IdRows, functions: IdRows): void {
  const { locationMapping, lineFunction, lineStart, mappingCount, functionCount } = columns;
  const areRows = mappings === undefined && functions === undefined;
  const areInTables =
    columns.largestMappingOfLocation <= mappingCount &&
    columns.largestFunctionOfLine <= functionCount;
  if (areRows && areInTables) return;
  for (let row = 1; row <= columns.locationCount; row += 1) {
    const mapping = rowOfId(mappings, mappingCount, locationMapping[row]);
    if (mapping < 0) throw invalid('location has invalid mapping id');
    locationMapping[row] = mapping;
    for (let line = lineStart[row]; line < lineStart[row + 1]; line += 1) {
      const functionRow = rowOfId(functions, functionCount, lineFunction[line]);
      if (functionRow < 0) {
        const id = columns.idText(columns.locationId[row]);
        throw invalid(`location ${id} has invalid function id`);
      }
      lineFunction[line] = functionRow;
    }
  }
}

function validateTypes(columns: PprofColumns): void {
  const { sampleTypeCount, sampleTypeType, sampleTypeUnit } = columns;
  if (sampleTypeCount === 0 && columns.sampleCount > 0) {
    throw invalid('missing sample type information');
  }
  for (let row = 0; row < sampleTypeCount; row += 1) {
    if (!isString(columns, sampleTypeType[row])) {
      throw invalid(`sample type ${row} has invalid type index`);
    }
    if (!isString(columns, sampleTypeUnit[row])) {
      throw invalid(`sample type ${row} has invalid unit index`);
    }
  }
  if (!isString(columns, columns.periodTypeType))
    throw invalid('period type has invalid type index');
  if (!isString(columns, columns.periodTypeUnit))
    throw invalid('period type has invalid unit index');
}

function validateSamples(columns: PprofColumns): void {
  const { valueStart, sampleTypeCount } = columns;
  for (let row = 0; row < columns.sampleCount; row += 1) {
    const count = valueStart[row + 1] - valueStart[row];
    if (count !== sampleTypeCount) {
      throw invalid(`mismatch: sample has ${count} values vs. ${sampleTypeCount} types`);
    }
  }
}

function resolveFrames(columns: PprofColumns, rows: IdRows): void {
  const { frameLocation, frameCount, locationCount } = columns;
  if (rows !== undefined) {
    for (let frame = 0; frame < frameCount; frame += 1) {
      const row = rows.get(frameLocation[frame]) ?? 0;
      if (row === 0) throw badFrame(columns, frame);
      frameLocation[frame] = row;
    }
    return;
  }
  // One unsigned comparison checks for 1..n. The negative numbers of wide ids fail this check.
  for (let frame = 0; frame < frameCount; frame += 1) {
    if ((frameLocation[frame] - 1) >>> 0 >= locationCount) throw badFrame(columns, frame);
  }
}

function badFrame(columns: PprofColumns, frame: number): AppError {
  const id = columns.frameLocation[frame];
  if (id === 0) return invalid('location ids of stacktraces must be non-zero');
  let sample = 0;
  while (columns.frameStart[sample + 1] <= frame) sample += 1;
  const number = frame - columns.frameStart[sample];
  const text = columns.idText(id);
  return invalid(`sample ${sample} location number ${number} (${text}) is out of range`);
}

function validateLabels(columns: PprofColumns): void {
  const { labelKey, labelText, labelUnit } = columns;
  for (let label = 0; label < columns.labelCount; label += 1) {
    if (labelKey[label] === 0) throw badLabel(columns, label, 'no key');
    if (!isString(columns, labelKey[label])) throw badLabel(columns, label, 'invalid key index');
    if (!isString(columns, labelText[label])) throw badLabel(columns, label, 'invalid str index');
    if (!isString(columns, labelUnit[label])) throw badLabel(columns, label, 'invalid unit index');
  }
}

function badLabel(columns: PprofColumns, label: number, why: string): AppError {
  let sample = 0;
  while (columns.labelStart[sample + 1] <= label) sample += 1;
  return invalid(`sample ${sample} label ${label - columns.labelStart[sample]} has ${why}`);
}

function isString(columns: PprofColumns, index: number): boolean {
  return index >= 0 && index < columns.stringCount;
}

function invalid(why: string): AppError {
  return new AppError('invalid-argument', `invalid profile: ${why}`);
}

interface ValueColumns {
  readonly valueCount: number;
  readonly sampleTypeCount: number;
  readonly values: BigInt64Array;
  readonly valueWords: Int32Array;
}

/**
 * Checks that every subset of a column's values has a sum of at most `profileTotalMax`.
 *
 * Errors: AppError 'invalid-argument' "invalid profile: the sum of sample type N is ...".
 */
export function requireInt64Sums(columns: ValueColumns): void {
  const { valueWords, valueCount } = columns;
  // The OR of all high words limits every value. For real profiles, this check is enough.
  let high = 0;
  for (let i = 1; i < valueCount * 2; i += 2) high |= valueWords[i] ^ (valueWords[i] >> 31);
  const valueMax = 2 ** (32 + 32 - Math.clz32(high));
  if (valueMax * valueCount < Number(profileTotalMax)) return;
  for (let type = 0; type < columns.sampleTypeCount; type += 1) requireColumn(columns, type);
}

function requireColumn(columns: ValueColumns, type: number): void {
  let gains = 0n;
  let losses = 0n;
  for (let i = type; i < columns.valueCount; i += columns.sampleTypeCount) {
    const value = columns.values[i];
    if (value > 0n) gains += value;
    else losses += value;
  }
  if (gains <= profileTotalMax && losses >= -profileTotalMax) return;
  const sum = gains > profileTotalMax ? gains : losses;
  throw new AppError(
    'invalid-argument',
    `invalid profile: the sum of sample type ${type} is ${sum}, the limit is ${profileTotalMax}`,
  );
}

/** Row of each id of one table; undefined if ids are the rows themselves. */
type IdRows = ReadonlyMap<number, number> | undefined;

/**
 * Returns the row of each id of a table.
 *
 * pprof requires unique ids, and Parca requires 1..n in order; this applies the weaker rule.
 * Errors: AppError 'invalid-argument' "invalid profile: <table> id is not sequential: ..." for an
 * id that is 0 or occurs twice.
 */
function readIdRows(
  columns: PprofColumns,
  table: 'mapping' | 'function' | 'location',
  ids: Int32Array,
  count: number,
): IdRows {
  let row = 1;
  while (row <= count && ids[row] === row) row += 1;
  if (row > count) return undefined;
  const rows = new Map<number, number>();
  for (row = 1; row <= count; row += 1) {
    const id = ids[row];
    if (id === 0 || rows.has(id)) {
      const why = id === 0 ? 'id 0 means none' : `id ${columns.idText(id)} occurs twice`;
      throw new AppError(
        'invalid-argument',
        `invalid profile: ${table} id is not sequential: ${why}`,
      );
    }
    rows.set(id, row);
  }
  return rows;
}

/**
 * Returns the row of `id` in a table of `count` rows, -1 if there is none; id 0 is row 0, which
 * means "none".
 */
function rowOfId(rows: IdRows, count: number, id: number): number {
  if (id === 0) return 0;
  if (rows !== undefined) return rows.get(id) ?? -1;
  return id > 0 && id <= count ? id : -1;
}
