// Finds the profiles of a slice that have samples in a time range, and their rows.
import { assert } from '../../base/assert.ts';
import { AppError } from '../../base/errors.ts';
import { decodeSampleTimes, spanOfSampleTimes } from '../../model/profiles/sample-times-codec.ts';
import { type MilliRange, milliRange, sumSamplesIn } from '../../model/profiles/sample-times.ts';
import type { ProfileColumns } from '../../model/profiles/profile-columns.ts';
import type { TimeRange } from '../interface.ts';
import type { RowSource, SampleTimesOfProfiles } from '../selection.ts';
import { chooseColumns, chooseProfiles } from './chosen-profiles.ts';
import type { ProfileRows } from './profile-rows.ts';
import { checkRowsAreThere } from './range-rows.ts';

/** Number of profiles whose rows are read in one step, which takes a few milliseconds. */
const profilesAtOnce = 32;

/** Profiles of a slice, with the sample times of those profiles that have any. */
export interface TimedProfiles {
  readonly sources: readonly RowSource[];
  readonly profiles: ProfileColumns;
  readonly times: readonly (Uint8Array | undefined)[];
  /** Time range of the samples to sum. */
  readonly range: MilliRange;
}

/**
 * Returns a mask of the profiles that have samples in the range. A profile without sample times
 * counts as one sample at the profile's time.
 *
 * Errors: AppError 'data-loss'.
 */
export function chooseTimed(
  { profileCount, timeNanos }: ProfileColumns,
  times: SampleTimesOfProfiles,
  range: TimeRange,
): Uint8Array {
  if (times !== undefined && times.length !== profileCount) {
    const missing = `cannot read the times of samples of ${profileCount} profiles of a series`;
    throw new AppError('data-loss', missing);
  }
  const { from, to } = milliRange(range);
  const isChosen = new Uint8Array(profileCount);
  for (let i = 0; i < profileCount; i += 1) {
    const own = times?.[i];
    if (own === undefined) {
      if (timeNanos[i] >= range.from && timeNanos[i] <= range.to) isChosen[i] = 1;
      continue;
    }
    // Empty sample times mean that they could not be read, which was already reported.
    if (own.length === 0) continue;
    const span = spanOfSampleTimes(own);
    if (span.from <= to && from <= span.to) isChosen[i] = 1;
  }
  return isChosen;
}

/**
 * Yields the chosen profiles in batches; reading a batch takes a few milliseconds. Ownership: the
 * caller owns the columns.
 *
 * Errors: AppError 'data-loss' if rows of a profile are missing.
 */
export function* timedGroups(
  slice: { readonly sources: readonly RowSource[]; readonly profiles: ProfileColumns },
  times: SampleTimesOfProfiles,
  isChosen: Uint8Array,
  range: TimeRange,
): Generator<TimedProfiles> {
  checkRowsAreThere(slice);
  const millis = milliRange(range);
  let mask = new Uint8Array(isChosen.length);
  let own: (Uint8Array | undefined)[] = [];
  const group = (): TimedProfiles => ({
    sources: chooseProfiles(slice.sources, mask),
    profiles: chooseColumns(slice.profiles, mask),
    times: own,
    range: millis,
  });
  for (let i = 0; i < isChosen.length; i += 1) {
    if (isChosen[i] !== 1) continue;
    mask[i] = 1;
    own.push(times?.[i]);
    if (own.length < profilesAtOnce) continue;
    yield group();
    mask = new Uint8Array(isChosen.length);
    own = [];
  }
  if (own.length > 0) yield group();
}

/**
 * Returns a copy of the rows in which each value is the sum of the samples in the range. Returns
 * the rows unchanged if the profile has no sample times, and undefined if no sample is in the
 * range. `valueColumn` is the index of the value column.
 */
export function rowsInRange(
  rows: ProfileRows,
  times: Uint8Array | undefined,
  valueColumn: number,
  range: MilliRange,
): ProfileRows | undefined {
  if (times === undefined) return rows;
  const decoded = decodeSampleTimes(times, rows.rowCount);
  const values = sumSamplesIn(decoded, valueColumn, rows.values, rows.valueStart, range);
  if (values === undefined) return undefined;
  assert(values.buffer instanceof ArrayBuffer, 'sums are of their own');
  const valueWords = new Uint32Array(values.buffer);
  return { ...rows, values, valueStart: 0, valueWords };
}
