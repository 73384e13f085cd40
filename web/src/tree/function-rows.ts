// Reads the record with the functions of a selection into columns.
import { baseName } from '../../../src/model/file-path.ts';
import {
  requireBatch,
  isNull,
  optionalBatch,
  readRecord,
  rowTexts,
  widen64,
} from './arrow-cells.ts';

/** Columns of an answer, with a row per function, or per address without a function. */
export interface FunctionRows {
  readonly count: number;
  /** Name of the function, or `binary+0x1f20`. */
  readonly names: readonly string[];
  /** 1 for each row with a function. */
  readonly hasFunction: Uint8Array;
  /** File names; "" = unknown. */
  readonly files: readonly string[];
  readonly binaries: readonly string[];
  readonly builds: readonly string[];
  readonly self: BigInt64Array;
  readonly total: BigInt64Array;
  /**
   * Parts of the self values of rows whose name is in several files or binaries: file, binary and
   * value of each, separated by NUL; "" for other rows.
   */
  readonly parts: readonly string[];
  /** In a diff, self value minus the scaled base. */
  readonly selfDifference: BigInt64Array | undefined;
}

/** An answer without functions. */
export const noFunctionRows: FunctionRows = {
  count: 0,
  names: [],
  hasFunction: new Uint8Array(0),
  files: [],
  binaries: [],
  builds: [],
  self: new BigInt64Array(0),
  total: new BigInt64Array(0),
  parts: [],
  selfDifference: undefined,
};

/**
 * Reads a record of functions.
 *
 * Errors: flechette's error if the bytes are not an Arrow stream; RangeError for a missing column.
 */
export function readFunctionRows(record: Uint8Array): FunctionRows {
  const table = readRecord(record);
  const count = table.numRows;
  // A stream without rows has no batches.
  if (count === 0) return noFunctionRows;
  // If no row has a value, the column is missing.
  const texts = (name: string): string[] => {
    const column = optionalBatch(table, name);
    return column === undefined ? Array.from({ length: count }, () => '') : rowTexts(column);
  };
  const functions = optionalBatch(table, 'function_name');
  const names = texts('function_name');
  const hasFunction = new Uint8Array(count);
  const binaries = texts('mapping_file');
  const address = optionalBatch(table, 'location_address');
  const addresses = address && widen64(address);
  for (let row = 0; row < count; row += 1) {
    if (functions !== undefined && !isNull(functions, row)) hasFunction[row] = 1;
    else names[row] = addressName(binaries[row], addresses?.[row] ?? 0n);
  }
  const difference = optionalBatch(table, 'flat_diff');
  return {
    count,
    names,
    hasFunction,
    files: texts('function_file_name'),
    binaries,
    builds: texts('mapping_build_id'),
    self: widen64(requireBatch(table, 'flat')),
    total: widen64(requireBatch(table, 'cumulative')),
    parts: texts('flat_parts'),
    selfDifference: difference && widen64(difference),
  };
}

function addressName(binary: string, address: bigint): string {
  const digits = `0x${BigInt.asUintN(64, address).toString(16)}`;
  return binary === '' ? digits : `${baseName(binary)}+${digits}`;
}
