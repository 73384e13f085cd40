// Converts numbers of samples to the values that the samples represent.
import { AppError } from '../../base/errors.ts';
import { int64Max, int64Min } from '../../base/int64.ts';
import type { ProfileType, ValueType } from '../../model/profile-type.ts';
import type { PeriodSum } from '../../model/profiles/period-sums.ts';
import { printSelector } from '../../promql-like/print.ts';
import type { SelectedSeries, Selection } from '../../storage/interface.ts';
import type { QueryContext } from '../running/context.ts';
import type { Summary } from './summary.ts';

/**
 * Returns true if values are multiplied by their profile's period, as Parca does for
 * `samples:count`. There is no scaling if the period has no unit or is unknown in all profiles.
 */
export function isScaledByPeriod(type: ProfileType, periods: readonly PeriodSum[]): boolean {
  if (!isScalable(type)) return false;
  return periods.length === 0 || periods.some(({ period }) => period !== 0n);
}

/** Returns true if values are numbers of samples whose period has a known unit. */
export function isScalable({ sample, period }: ProfileType): boolean {
  return sample.type === 'samples' && sample.unit === 'count' && period.unit !== '';
}

/** Statistics of a selection whose values may be numbers of samples. */
export interface CountedSide {
  readonly profileTypes: readonly ProfileType[];
  readonly valueType: ValueType;
  readonly summary: Pick<Summary, 'times' | 'hasOnePeriod'>;
}

/**
 * Returns true if an answer mixes numbers of samples with other values: numbers with different
 * periods, or numbers together with values that samples represent.
 */
export function areCountsMixed(sides: readonly CountedSide[]): boolean {
  const filled = sides.filter(({ summary }) => summary.times.profileCount > 0);
  if (!filled.some(({ profileTypes }) => profileTypes.some(isScalable))) return false;
  if (!filled.every(({ summary }) => summary.hasOnePeriod)) return true;
  const kinds = filled.map(({ valueType, summary }) => `${summary.times.period}${valueType.unit}`);
  return new Set(kinds).size > 1;
}

/** Returns the type of values after scaling. */
export function scaledValueType(type: ProfileType, isScaled: boolean): ValueType {
  return isScaled ? type.period : type.sample;
}

/** Largest sum of doubles for which the exact sum is known to be below 2^63. */
export const roughSumMax = 2 ** 62;

/**
 * Returns the approximate sum of the profiles' magnitudes, each multiplied by its period if scaled
 * sums are requested.
 */
export function computeMagnitude(periods: readonly PeriodSum[], isScaled: boolean): number {
  return periods.reduce((sum, { period, magnitude }) => {
    return sum + magnitude * (isScaled ? Math.abs(Number(period)) : 1);
  }, 0);
}

/**
 * Refuses a selection whose values cannot be summed in an int64. `magnitude` is the approximate sum
 * of its profiles' magnitudes.
 *
 * The limit applies to the sum of each profile, so a profile with large values that cancel out is
 * accepted. Errors: AppError 'out-of-range'.
 */
export async function checkMagnitude(
  magnitude: number,
  selection: Selection,
  isScaled: boolean,
  context: QueryContext,
): Promise<void> {
  if (magnitude < roughSumMax) return;
  await checkExactSum(async (add) => {
    for await (const { series, columns } of selection.profiles(context)) {
      const { total, period, timeNanos, profileCount } = columns;
      for (let i = 0; i < profileCount; i += 1) {
        add(isScaled ? total[i] * period[i] : total[i], series, timeNanos[i]);
      }
    }
  });
}

/**
 * Refuses the values that `addAll` adds if their sum does not fit an int64. Errors: as in
 * `checkMagnitude`.
 */
export async function checkExactSum(addAll: (add: AddedValue) => Promise<void>): Promise<void> {
  let gains = 0n;
  let losses = 0n;
  let largest: { readonly size: bigint; readonly of: string } | undefined;
  await addAll((value, series, timeNanos) => {
    if (value > 0n) gains += value;
    else losses += value;
    const size = value < 0n ? -value : value;
    if (largest !== undefined && size < largest.size) return;
    const of = `${formatSeries(series)} at ${formatTime(timeNanos)}`;
    // Ties are broken by name, because the order of series depends on the store.
    if (largest === undefined || size > largest.size || of < largest.of) largest = { size, of };
  });
  if (gains <= int64Max && losses >= int64Min) return;
  const sum = Number(gains - losses).toExponential(3);
  throw new AppError(
    'out-of-range',
    `cannot merge profiles: the sum of their values, about ${sum}, passes the limit of 2^63; the ` +
      `largest is ${largest?.size} of ${largest?.of}: leave this series out, or ask for less time`,
  );
}

/** Function that adds a value of a profile to its series. */
export type AddedValue = (value: bigint, series: SelectedSeries, timeNanos: bigint) => void;

function formatSeries({ profileType, labels }: SelectedSeries): string {
  const matchers = labels.map((label) => ({ ...label, operator: '=' as const }));
  return printSelector({ profile: { text: profileType.name }, matchers });
}

function formatTime(nanos: bigint): string {
  return new Date(Number(nanos / 1_000_000n)).toISOString();
}
