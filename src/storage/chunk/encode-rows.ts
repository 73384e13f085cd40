// Writes the rows section of a chunk: columns of small numbers with escapes, and an index of pages.
import { ByteWriter } from '../../base/bytes.ts';
import { chunkVersion, escapeByWidth, bitWidth } from './chunk-format.ts';
import {
  chooseWidth,
  escapesIn,
  type NumberColumn,
  planNumbers,
  writeColumnEscapes,
  writeColumnNumbers,
  writeNumbers,
} from './number-column.ts';
import type { GroupedRows, RowGroup } from './row-groups.ts';

/** Encoding of the columns of one group. */
interface GroupPlan {
  readonly group: RowGroup;
  readonly countWidth: number;
  readonly gapWidth: number;
  /** Gap between each entry and the previous entry of the same profile. */
  readonly gaps: Uint32Array;
  readonly labelWidth: number;
  readonly labelBase: number;
  readonly valueColumns: readonly NumberColumn[];
  /** Size of the group in bytes. */
  readonly size: number;
}

export interface PlannedRows {
  readonly rows: GroupedRows;
  readonly full: GroupPlan;
  readonly changes: GroupPlan | undefined;
  /** Approximate size of the section in bytes. */
  readonly size: number;
}

/**
 * Chooses the widths of the columns. `factors` has the common divisor of each stored value column.
 */
export function planRows(rows: GroupedRows, factors: readonly number[]): PlannedRows {
  const full = planGroup(rows.full, factors);
  const changes = rows.changes === undefined ? undefined : planGroup(rows.changes, factors);
  return { rows, full, changes, size: full.size + (changes?.size ?? 0) };
}

export function writeRows({ rows, full, changes }: PlannedRows, entryCount: number): Uint8Array {
  const writer = new ByteWriter(1024 + full.size + (changes?.size ?? 0));
  const hasLabels = full.group.labels !== undefined;
  const groups = changes === undefined ? [full] : [full, changes];
  writer.u8(chunkVersion);
  writer.u8((hasLabels ? 1 : 0) | (changes === undefined ? 0 : 2));
  writer.varint(groups.reduce((sum, { group }) => sum + group.profileCount, 0));
  writer.varint(entryCount);
  writer.u8(full.valueColumns.length);
  for (const plan of groups) {
    writer.u8(plan.countWidth);
    writer.u8(plan.gapWidth);
    if (hasLabels) {
      writer.u8(plan.labelWidth);
      writer.varint(plan.labelBase);
    }
    for (const { width, isSigned } of plan.valueColumns) writer.u8(width | (isSigned ? 16 : 0));
  }
  writer.varint(rows.pages.length);
  const at = { full: 0, changes: 0 };
  for (const { isChanges, profiles, rows: count } of rows.pages) {
    const plan = isChanges && changes !== undefined ? changes : full;
    const from = isChanges ? at.changes : at.full;
    writer.varint(profiles * 2 + (isChanges ? 1 : 0));
    writer.varint(count);
    writer.varint(escapesIn(plan.gaps, plan.gapWidth, from, from + count));
    for (const { numbers, width } of plan.valueColumns) {
      writer.varint(escapesIn(numbers, width, from, from + count));
    }
    if (isChanges) at.changes += count;
    else at.full += count;
  }
  for (const plan of groups) writeGroup(writer, plan);
  return writer.copy();
}

function planGroup(group: RowGroup, factors: readonly number[]): GroupPlan {
  const { counts, profileCount, labels, rowCount, values } = group;
  const gaps = computeGaps(group);
  const { width: gapWidth, size: gapBytes } = chooseWidth(gaps, 4);
  const countWidth = bitWidth(greatest(counts, profileCount));
  const labelBase = labels === undefined ? 0 : leastLabel(labels);
  const labelWidth =
    labels === undefined ? 0 : bitWidth(Math.max(0, greatest(labels, rowCount) - labelBase + 1));
  const valueColumns = values.map((valueColumn, i) =>
    planNumbers(valueColumn, rowCount, factors[i]),
  );
  let size = profileCount * countWidth + rowCount * labelWidth + gapBytes;
  for (const column of valueColumns) size += column.size;
  return { group, countWidth, gapWidth, gaps, labelWidth, labelBase, valueColumns, size };
}

function computeGaps({ counts, profileCount, entries, rowCount }: RowGroup): Uint32Array {
  const gaps = new Uint32Array(rowCount);
  let row = 0;
  for (let profile = 0; profile < profileCount; profile += 1) {
    let before = 0;
    for (const end = row + counts[profile]; row < end; row += 1) {
      gaps[row] = entries[row] - before;
      before = entries[row];
    }
  }
  return gaps;
}

function greatest(numbers: Uint32Array, count: number): number {
  let most = 0;
  for (let i = 0; i < count; i += 1) if (numbers[i] > most) most = numbers[i];
  return most;
}

/** Returns the smallest label set, ignoring 0, which means "none". */
function leastLabel(labels: Uint32Array): number {
  let least = 0xffff_ffff;
  for (const label of labels) if (label !== 0 && label < least) least = label;
  return least;
}

function writeGroup(writer: ByteWriter, plan: GroupPlan): void {
  const { group, gaps, labelBase, valueColumns } = plan;
  const { rowCount, labels } = group;
  writeNumbers(writer, group.counts, group.profileCount, plan.countWidth);
  writeNumbers(writer, gaps, rowCount, plan.gapWidth);
  if (labels !== undefined) {
    const numbers = labels.map((label) => (label === 0 ? 0 : label - labelBase + 1));
    writeNumbers(writer, numbers, rowCount, plan.labelWidth);
  }
  for (const column of valueColumns) writeColumnNumbers(writer, column);
  const gapLimit = escapeByWidth[plan.gapWidth];
  for (const gap of gaps) if (gap >= gapLimit) writer.u32(gap);
  for (const column of valueColumns) writeColumnEscapes(writer, column);
}
