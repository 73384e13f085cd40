// Sums the rows of single profiles over time, with filters of stacks and labels.
import { AppError } from '../../base/errors.ts';
import { numberAt, asWords } from '../../base/int64.ts';
import { sumMagnitude } from '../../model/merge.ts';
import type { RowSource } from '../selection.ts';
import type { ProfileColumns } from '../../model/profiles/profile-columns.ts';
import type { ReadContext, StackFilter } from '../interface.ts';
import type { LineProfiles } from './line-profiles.ts';
import { countProfiles, rowsOfProfiles, type ProfileRows } from './profile-rows.ts';

/** Rows of a slice, and filters to apply to them. The rows stay valid across an await. */
export interface SliceRows {
  /** Rows of the same profiles as in `profiles`, in the same order. */
  readonly sources: readonly RowSource[];
  /** Profiles of the slice. Ownership: the caller owns them. */
  readonly profiles: ProfileColumns;
  /**
   * Filter with an element for each SampleLabelsIndex, 1 = rows with these labels match; if
   * undefined, all rows match.
   */
  readonly rowFilter: Uint8Array | undefined;
  /** Filter of stacks; if undefined, all stacks match. */
  readonly filter: StackFilter | undefined;
}

/** Throws AppError 'data-loss' if the sources have more or fewer profiles than their slice. */
export function checkRowsAreThere({
  sources,
  profiles,
}: Pick<SliceRows, 'sources' | 'profiles'>): void {
  const count = sources.reduce((sum, source) => sum + countProfiles(source), 0);
  if (count === profiles.profileCount) return;
  const missing = profiles.profileCount - count;
  throw new AppError('data-loss', `cannot read the rows of ${missing} profiles of a series`);
}

/**
 * Returns the profiles with totals and counts that include only rows whose stacks are kept. Labels
 * of rows are ignored. Profiles without such rows stay, with a total of 0. It pauses, because a
 * slice may have millions of rows.
 */
export async function filteredTotals(
  { sources, profiles, filter }: SliceRows,
  context: ReadContext,
): Promise<ProfileColumns> {
  if (filter === undefined) return profiles;
  const total = new BigInt64Array(profiles.profileCount);
  const count = new Uint32Array(profiles.profileCount);
  let i = 0;
  for (const source of sources) {
    for (const rows of rowsOfProfiles(source)) {
      count[i] = addKept(rows, filter, total, i);
      i += 1;
      const pausing = context.pause();
      if (pausing !== undefined) await pausing;
    }
  }
  const { profileCount, timeNanos, durationNanos, period } = profiles;
  return { profileCount, timeNanos, durationNanos, period, total, count };
}

/**
 * Adds the values of rows whose stacks are kept to `total[i]`. Returns how many of these values are
 * nonzero.
 */
function addKept(
  { rowCount, values, valueStart, valueWords, stacks, stackStart }: ProfileRows,
  filter: StackFilter,
  total: BigInt64Array,
  i: number,
): number {
  let count = 0;
  for (let row = 0; row < rowCount; row += 1) {
    if (!filter.keeps(stacks[stackStart + row])) continue;
    total[i] += values[valueStart + row];
    // Words are compared, because comparing BigInts with 0 would cost more than the rest of the
    // loop.
    const at = (valueStart + row) * 2;
    if ((valueWords[at] | valueWords[at + 1]) !== 0) count += 1;
  }
  return count;
}

/** Adds the rows of profiles to the lines of their labels. Pauses if that takes long. */
export async function addRowsToLines(
  { sources, profiles, rowFilter, filter }: SliceRows,
  lineOfLabels: (labels: number) => LineProfiles,
  context: ReadContext,
): Promise<void> {
  let i = 0;
  for (const source of sources) {
    for (const rows of rowsOfProfiles(source)) {
      const touched = addRowsOfProfile(rows, rowFilter, filter, lineOfLabels);
      // A profile without rows counts as 0 on the line that has only the labels of the series
      // itself.
      const hasNoRows = profiles.count[i] === 0 && (rowFilter?.[0] ?? 1) === 1;
      if (hasNoRows) touched.add(lineOfLabels(0));
      for (const line of touched) line.endProfile(profiles, i);
      i += 1;
      const pausing = context.pause();
      if (pausing !== undefined) await pausing;
    }
  }
}

/**
 * Adds the matching nonzero rows to the lines of their labels. Returns these lines. A row whose
 * stack is left out counts as 0 on its line, so that the filter does not change which lines exist.
 */
function addRowsOfProfile(
  { rowCount, values, valueStart, stacks, stackStart, labels, labelStart }: ProfileRows,
  rowFilter: Uint8Array | undefined,
  filter: StackFilter | undefined,
  lineOfLabels: (labels: number) => LineProfiles,
): Set<LineProfiles> {
  const touched = new Set<LineProfiles>();
  for (let row = 0; row < rowCount; row += 1) {
    const label = labels === undefined ? 0 : labels[labelStart + row];
    if (rowFilter !== undefined && rowFilter[label] !== 1) continue;
    if (values[valueStart + row] === 0n) continue;
    const line = lineOfLabels(label);
    touched.add(line);
    if (filter !== undefined && !filter.keeps(stacks[stackStart + row])) continue;
    line.addRow(values, valueStart + row);
  }
  return touched;
}

/**
 * Returns the approximate sum of the magnitudes of the profiles. If `isScaled`, each is multiplied
 * by its period.
 */
export function computeMagnitude({ total, period }: ProfileColumns, isScaled: boolean): number {
  if (!isScaled) return sumMagnitude(total);
  const totals = asWords(total);
  const periods = asWords(period);
  let magnitude = 0;
  for (let i = 0; i < total.length; i += 1) {
    magnitude += Math.abs(numberAt(totals, i) * numberAt(periods, i));
  }
  return magnitude;
}
