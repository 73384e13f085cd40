// Encodes the profiles of one series as a chunk of three sections.
import { assert } from '../../base/assert.ts';
import { chunkProfilesMax, chunkRowsMax } from '../limits.ts';
import { exactMax, type ValueColumnCode, two32 } from './chunk-format.ts';
import type { ChunkInput } from './chunk-data.ts';
import { encodeChunkTimes } from './chunk-times.ts';
import { encodeProfiles, type ValueColumnTotals } from './encode-profiles.ts';
import { planRows, writeRows } from './encode-rows.ts';
import { sumMagnitude } from '../../model/merge.ts';
import { greatestDivisor } from './int64-column.ts';
import { changedProfiles, wholeProfiles } from './row-groups.ts';
import { type SortedRows, sortRows } from './sort-rows.ts';
import { encodeStacks, labelsPlace } from './stack-dictionary.ts';

/**
 * The sections of a chunk; docs/format/chunk.md shows their format. Ownership: the caller owns
 * them.
 */
export interface EncodedChunk {
  /** Section that ChunkProfiles reads. */
  readonly profiles: Uint8Array;
  /** Section that ChunkReader reads. */
  readonly stacks: Uint8Array;
  readonly rows: Uint8Array;
  /** Section of chunk-times.ts; undefined if no profile has sample times. */
  readonly times: Uint8Array | undefined;
  readonly profileCount: number;
  /** Number of stored rows; rows that are 0 in every value column are not stored. */
  readonly rowCount: number;
}

/** Encodes at most chunkProfilesMax profiles and chunkRowsMax rows. */
export function encodeChunk(input: ChunkInput): EncodedChunk {
  const { profileCount } = input;
  assert(profileCount <= chunkProfilesMax, 'a chunk has at most chunkProfilesMax profiles');
  assert(input.rowStart[profileCount] <= chunkRowsMax, 'a chunk has at most chunkRowsMax rows');
  assert(input.values.length > 0, 'a chunk has a value column');
  const sorted = sortRows(input);
  const { rowStart } = sorted;
  const values = input.values.map((valueColumn) => gathered(valueColumn, sorted.source));
  const valueColumns = planValueColumns(values);
  const stored = values.filter((_, valueColumn) => valueColumns[valueColumn].isStored);
  const factors = valueColumns.filter(({ isStored }) => isStored).map(({ factor }) => factor);
  const rowCounts = new Uint32Array(profileCount);
  for (let i = 0; i < profileCount; i += 1) rowCounts[i] = rowStart[i + 1] - rowStart[i];
  const own = values.map((valueColumn, i) => (valueColumns[i].isStored ? valueColumn : undefined));
  const totals = own.map((valueColumn) => valueColumn && computeTotals(valueColumn, rowStart));
  const sums = own.map(
    (valueColumn, i) => valueColumn && computeSums(valueColumn, sorted, valueColumns[i].factor),
  );
  return {
    profiles: encodeProfiles(chunkColumns(input), valueColumns, totals, rowCounts),
    stacks: encodeStacks({ ...sorted, profileCount, valueColumns, sums }),
    rows: encodeRows(input, sorted, stored, factors),
    times: encodeChunkTimes(input, sorted),
    profileCount,
    rowCount: sorted.entries.length,
  };
}

/** Returns the profile columns without unused elements at their ends. */
function chunkColumns({ profileCount, timeNanos, ...input }: ChunkInput): {
  profileCount: number;
  timeNanos: BigInt64Array;
  durationNanos: BigInt64Array;
  period: BigInt64Array;
  contentHash: Uint32Array | undefined;
} {
  return {
    profileCount,
    timeNanos: timeNanos.subarray(0, profileCount),
    durationNanos: input.durationNanos.subarray(0, profileCount),
    period: input.period.subarray(0, profileCount),
    contentHash: input.contentHash,
  };
}

function encodeRows(
  input: ChunkInput,
  sorted: SortedRows,
  values: BigInt64Array[],
  factors: readonly number[],
): Uint8Array {
  const isInRows = sorted.labelsPlace === labelsPlace.rows;
  const labels = isInRows ? gatheredLabels(input.sampleLabels, sorted.source) : undefined;
  const whole = planRows(wholeProfiles(sorted, values, labels), factors);
  const changed = isInRows ? undefined : changedProfiles(sorted, values);
  const changes = changed && planRows(changed, factors);
  const isSmaller = changes !== undefined && changes.size < whole.size;
  return writeRows(isSmaller ? changes : whole, sorted.stacks.length);
}

function gathered(values: BigInt64Array, source: Uint32Array): BigInt64Array {
  const result = new BigInt64Array(source.length);
  for (let i = 0; i < source.length; i += 1) result[i] = values[source[i]];
  return result;
}

function gatheredLabels(labels: Uint32Array | undefined, source: Uint32Array): Uint32Array {
  assert(labels !== undefined, 'labels that are kept in rows are there');
  return source.map((row) => labels[row]);
}

/**
 * Finds the value columns that are multiples of value column 0. For each other column, finds the
 * greatest common divisor.
 */
function planValueColumns(values: readonly BigInt64Array[]): ValueColumnCode[] {
  const first = exactNumbers(values[0]);
  return values.map((valueColumn, i) => {
    const numbers = i === 0 ? first : exactNumbers(valueColumn);
    if (numbers === undefined) return { isStored: true, factor: 1 };
    const multiple = i === 0 || first === undefined ? undefined : findMultiple(first, numbers);
    if (multiple !== undefined) return { isStored: false, factor: multiple };
    // Stored numbers are summed modulo 2^64. So a column whose sum overflows must not be divided.
    if (sumMagnitude(valueColumn) > 2 ** 62) return { isStored: true, factor: 1 };
    let factor = 0;
    for (let row = 0; row < numbers.length && factor !== 1; row += 1) {
      const number = numbers[row];
      if (factor === 0 || number % factor !== 0) factor = greatestDivisor(number, factor);
    }
    return { isStored: true, factor: factor === 0 ? 1 : factor };
  });
}

/** Returns the values as doubles; undefined if any value is not exact as a double. */
function exactNumbers(values: BigInt64Array): Float64Array | undefined {
  const words = new Int32Array(values.buffer, values.byteOffset, values.length * 2);
  const numbers = new Float64Array(values.length);
  for (let i = 0; i < numbers.length; i += 1) {
    const number = words[i * 2 + 1] * two32 + (words[i * 2] >>> 0);
    if (number > exactMax || number < -exactMax) return undefined;
    numbers[i] = number;
  }
  return numbers;
}

/**
 * Returns the factor by which `first` must be multiplied to get `numbers`; undefined if the factor
 * differs between rows.
 */
function findMultiple(first: Float64Array, numbers: Float64Array): number | undefined {
  let factor = 0;
  for (let i = 0; i < first.length; i += 1) {
    if (first[i] === 0) continue;
    factor = numbers[i] / first[i];
    break;
  }
  if (!Number.isInteger(factor)) return undefined;
  for (let i = 0; i < first.length; i += 1) if (numbers[i] !== factor * first[i]) return undefined;
  return factor;
}

function computeTotals(values: BigInt64Array, rowStart: Uint32Array): ValueColumnTotals {
  const profileCount = rowStart.length - 1;
  const words = new Int32Array(values.buffer, values.byteOffset, values.length * 2);
  const total = new BigInt64Array(profileCount);
  const count = new Uint32Array(profileCount);
  for (let profile = 0; profile < profileCount; profile += 1) {
    let used = 0;
    for (let row = rowStart[profile]; row < rowStart[profile + 1]; row += 1) {
      total[profile] += values[row];
      if ((words[row * 2] | words[row * 2 + 1]) !== 0) used += 1;
    }
    count[profile] = used;
  }
  return { total, count };
}

/** Returns the sum of the divided values of each entry. Values are divided by `factor`. */
function computeSums(values: BigInt64Array, sorted: SortedRows, factor: number): BigInt64Array {
  const { entries } = sorted;
  const sums = new BigInt64Array(sorted.stacks.length);
  for (let row = 0; row < entries.length; row += 1) sums[entries[row]] += values[row];
  if (factor !== 1) for (let i = 0; i < sums.length; i += 1) sums[i] /= BigInt(factor);
  return sums;
}
