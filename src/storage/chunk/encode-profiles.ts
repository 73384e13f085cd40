// Writes the profiles section of a chunk: times, totals and counts, each as a column.
import { ByteWriter } from '../../base/bytes.ts';
import { sumMagnitude, sumValues } from '../../model/merge.ts';
import { digestOfTimes } from '../../model/profiles/profile-digest.ts';
import type { ChunkInput } from './chunk-data.ts';
import { chunkVersion, type ValueColumnCode, writeZigzag64 } from './chunk-format.ts';
import { type ColumnCode, planColumn, writeColumn, writeColumnCode } from './int64-column.ts';

/**
 * Sums over the rows of each profile, for one value column; undefined for value columns that are
 * not stored.
 */
export interface ValueColumnTotals {
  readonly total: BigInt64Array;
  /** Number of nonzero rows. */
  readonly count: Uint32Array;
}

/** A column to be written after the header. */
interface PlannedColumn {
  readonly code: ColumnCode;
  readonly values: BigInt64Array;
}

/** Writes the section; `rows` has the number of stored rows of each profile. */
export function encodeProfiles(
  input: Omit<ChunkInput, 'rowStart' | 'stacks' | 'sampleLabels' | 'values'>,
  valueColumns: readonly ValueColumnCode[],
  totals: readonly (ValueColumnTotals | undefined)[],
  rows: Uint32Array,
): Uint8Array {
  const { profileCount, timeNanos, contentHash } = input;
  const writer = new ByteWriter(256 + profileCount * 16);
  const columns: PlannedColumn[] = [];
  const plan = (values: BigInt64Array): void => {
    const code = planColumn(values);
    writeColumnCode(writer, code);
    columns.push({ code, values });
  };
  writer.u8(chunkVersion);
  writer.u8(contentHash === undefined ? 0 : 1);
  writer.varint(profileCount);
  const first = profileCount === 0 ? 0n : timeNanos[0];
  writeZigzag64(writer, first);
  writeZigzag64(writer, profileCount === 0 ? 0n : timeNanos[profileCount - 1] - first);
  plan(timeDeltas(timeNanos));
  plan(input.durationNanos);
  if (profileCount > 1) {
    const { spacingMinNanos, spacingMaxNanos, coveredNanos, ...last } = digestOfTimes(input);
    writeDoubles(writer, spacingMinNanos, spacingMaxNanos, coveredNanos, last.lastDurationNanos);
  }
  plan(input.period);
  const rowsWide = widened(rows);
  writer.varintBig(sumValues(rowsWide));
  plan(rowsWide);
  writer.u8(valueColumns.length);
  valueColumns.forEach(({ isStored, factor }, valueColumn) => {
    const own = totals[valueColumn];
    writer.u8((isStored ? 0 : 1) | (own !== undefined && isEqual(own.count, rows) ? 2 : 0));
    if (own === undefined) {
      writeZigzag64(writer, BigInt(factor));
      return;
    }
    writeZigzag64(writer, sumValues(own.total));
    writeDoubles(writer, sumMagnitude(own.total));
    plan(own.total);
    if (isEqual(own.count, rows)) return;
    const counts = widened(own.count);
    writer.varintBig(sumValues(counts));
    plan(counts);
  });
  for (const { code, values } of columns) writeColumn(writer, code, values);
  if (contentHash !== undefined) {
    writer.raw(new Uint8Array(contentHash.buffer, contentHash.byteOffset, profileCount * 4));
  }
  return writer.copy();
}

function writeDoubles(writer: ByteWriter, ...values: readonly number[]): void {
  writer.raw(new Uint8Array(Float64Array.from(values).buffer));
}

function timeDeltas(timeNanos: BigInt64Array): BigInt64Array {
  const spacing = new BigInt64Array(Math.max(0, timeNanos.length - 1));
  for (let i = 0; i < spacing.length; i += 1) spacing[i] = timeNanos[i + 1] - timeNanos[i];
  return spacing;
}

function widened(values: Uint32Array): BigInt64Array {
  const wide = new BigInt64Array(values.length);
  const words = new Uint32Array(wide.buffer);
  for (let i = 0; i < values.length; i += 1) words[i * 2] = values[i];
  return wide;
}

function isEqual(a: Uint32Array, b: Uint32Array): boolean {
  return a.every((value, i) => value === b[i]);
}
