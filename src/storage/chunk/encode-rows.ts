// Writes the rows section of a chunk: columns of bytes with escapes, and an index of pages.
import { ByteWriter } from '../../base/bytes.ts';
import { chunkVersion, escapeOf, exactMax, two32, widthOf, writeUnsigned } from './chunk-format.ts';
import type { GroupedRows, RowGroup } from './row-groups.ts';

/** How the columns of one group become bytes. */
interface GroupPlan {
  readonly group: RowGroup;
  readonly countWidth: number;
  readonly gapWidth: number;
  /** Gaps to the entry before in the same profile. */
  readonly gaps: Uint32Array;
  readonly labelWidth: number;
  readonly labelBase: number;
  readonly planes: readonly PlanePlan[];
  /** Bytes of the group. */
  readonly size: number;
}

interface PlanePlan {
  readonly width: number;
  readonly isSigned: boolean;
  readonly factor: number;
  /** What is written, without escapes; Infinity where it is not exact in a double. */
  readonly numbers: Float64Array;
}

export interface PlannedRows {
  readonly rows: GroupedRows;
  readonly full: GroupPlan;
  readonly changes: GroupPlan | undefined;
  /** About the bytes of the section. */
  readonly size: number;
}

/** Chooses widths; `factors`: what the values of each stored plane are multiples of. */
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
  writer.u8(full.planes.length);
  for (const plan of groups) {
    writer.u8(plan.countWidth);
    writer.u8(plan.gapWidth);
    if (hasLabels) {
      writer.u8(plan.labelWidth);
      writer.varint(plan.labelBase);
    }
    for (const { width, isSigned } of plan.planes) writer.u8(width | (isSigned ? 16 : 0));
  }
  writer.varint(rows.pages.length);
  const at = { full: 0, changes: 0 };
  for (const { isChanges, profiles, rows: count } of rows.pages) {
    const plan = isChanges && changes !== undefined ? changes : full;
    const from = isChanges ? at.changes : at.full;
    writer.varint(profiles * 2 + (isChanges ? 1 : 0));
    writer.varint(count);
    writer.varint(countFrom(plan.gaps, from, from + count, escapeOf[plan.gapWidth]));
    for (const { numbers, width } of plan.planes) {
      writer.varint(countFrom(numbers, from, from + count, escapeOf[width]));
    }
    if (isChanges) at.changes += count;
    else at.full += count;
  }
  for (const plan of groups) writeGroup(writer, plan);
  return writer.copy();
}

function planGroup(group: RowGroup, factors: readonly number[]): GroupPlan {
  const { counts, profileCount, entries, labels, rowCount, values } = group;
  const gaps = gapsOf(group);
  const gapWidth = cheapest(gaps, rowCount, [1, 2, 4], 4);
  const countWidth = widthOf(greatest(counts, profileCount));
  const labelBase = labels === undefined ? 0 : leastLabel(labels);
  const labelWidth =
    labels === undefined ? 0 : widthOf(Math.max(0, greatest(labels, rowCount) - labelBase + 1));
  const planes = values.map((plane, i) => planPlane(plane, rowCount, factors[i]));
  let size = profileCount * countWidth + entries.length * labelWidth;
  size += costOf(gaps, rowCount, gapWidth, 4);
  for (const { numbers, width } of planes) size += costOf(numbers, rowCount, width, 8);
  return { group, countWidth, gapWidth, gaps, labelWidth, labelBase, planes, size };
}

function gapsOf({ counts, profileCount, entries, rowCount }: RowGroup): Uint32Array {
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

function planPlane(values: BigInt64Array, rowCount: number, factor: number): PlanePlan {
  const words = new Int32Array(values.buffer, values.byteOffset, rowCount * 2);
  const numbers = new Float64Array(rowCount);
  let isSigned = false;
  for (let row = 0; row < rowCount; row += 1) {
    const value = words[row * 2 + 1] * two32 + (words[row * 2] >>> 0);
    const isExact = value <= exactMax && value >= -exactMax;
    numbers[row] = isExact ? value : Infinity;
    if (isExact && value < 0) isSigned = true;
  }
  if (factor !== 1) for (let row = 0; row < rowCount; row += 1) numbers[row] /= factor;
  if (isSigned) {
    for (let row = 0; row < rowCount; row += 1) {
      numbers[row] = numbers[row] < 0 ? -2 * numbers[row] - 1 : 2 * numbers[row];
    }
  }
  const width = cheapest(numbers, rowCount, [1, 2, 4, 8], 8);
  return { width, isSigned, factor, numbers };
}

/** The width of `widths` with the fewest bytes, an escape taking `escapeBytes` more. */
function cheapest(
  numbers: Float64Array | Uint32Array,
  count: number,
  widths: readonly number[],
  escapeBytes: number,
): number {
  let best = widths[0];
  let bestCost = Infinity;
  for (const width of widths) {
    const cost = costOf(numbers, count, width, escapeBytes);
    if (cost >= bestCost) break;
    best = width;
    bestCost = cost;
  }
  return best;
}

function costOf(
  numbers: Float64Array | Uint32Array,
  count: number,
  width: number,
  escapeBytes: number,
): number {
  if (width === 8) return count * 8;
  return count * width + countFrom(numbers, 0, count, escapeOf[width]) * escapeBytes;
}

/** How many of the numbers `from` .. `to` are `limit` or more. */
function countFrom(
  numbers: Float64Array | Uint32Array,
  from: number,
  to: number,
  limit: number,
): number {
  if (limit === Infinity) return 0;
  let count = 0;
  for (let i = from; i < to; i += 1) if (numbers[i] >= limit) count += 1;
  return count;
}

function greatest(numbers: Uint32Array, count: number): number {
  let most = 0;
  for (let i = 0; i < count; i += 1) if (numbers[i] > most) most = numbers[i];
  return most;
}

/** The least label row that is not 0 ("none"). */
function leastLabel(labels: Uint32Array): number {
  let least = 0xffff_ffff;
  for (const label of labels) if (label !== 0 && label < least) least = label;
  return least;
}

function writeGroup(writer: ByteWriter, plan: GroupPlan): void {
  const { group, gaps, labelBase, planes } = plan;
  const { rowCount, labels } = group;
  writeNumbers(writer, group.counts, group.profileCount, plan.countWidth);
  writeNumbers(writer, gaps, rowCount, plan.gapWidth);
  if (labels !== undefined) {
    const numbers = labels.map((label) => (label === 0 ? 0 : label - labelBase + 1));
    writeNumbers(writer, numbers, rowCount, plan.labelWidth);
  }
  for (const [plane, { width, numbers }] of planes.entries()) {
    if (width < 8) writeNumbers(writer, numbers, rowCount, width);
    else for (let row = 0; row < rowCount; row += 1) writeWhole(writer, plan, plane, row);
  }
  const gapLimit = escapeOf[plan.gapWidth];
  for (const gap of gaps) if (gap >= gapLimit) writer.u32(gap);
  for (const [plane, { width, numbers }] of planes.entries()) {
    for (let row = 0; row < rowCount && width < 8; row += 1) {
      if (numbers[row] >= escapeOf[width]) writeWhole(writer, plan, plane, row);
    }
  }
}

/** Numbers that do not fit become all ones. */
function writeNumbers(
  writer: ByteWriter,
  numbers: Float64Array | Uint32Array,
  count: number,
  width: number,
): void {
  writer.reserve(count * width);
  const { bytes } = writer;
  const limit = escapeOf[width];
  let at = writer.length;
  if (width === 1) {
    for (let i = 0; i < count; i += 1) bytes[at + i] = numbers[i] < 255 ? numbers[i] : 255;
    at += count;
  } else {
    for (let i = 0; i < count; i += 1) {
      writeUnsigned(bytes, at, width, numbers[i] < limit ? numbers[i] : limit);
      at += width;
    }
  }
  writer.length = at;
}

/** A row's stored number as int64. */
function writeWhole(
  writer: ByteWriter,
  { group, planes }: GroupPlan,
  at: number,
  row: number,
): void {
  const { factor } = planes[at];
  const value = group.values[at][row];
  writer.i64(factor === 1 ? value : value / BigInt(factor));
}
