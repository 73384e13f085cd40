// When counts of samples are turned into what each sample stands for.
import { AppError } from '../../base/errors.ts';
import { numberAt, wordsOf } from '../../base/int64.ts';
import { sumMagnitude } from '../../model/merge.ts';
import type { ProfileType, ValueType } from '../../model/profile-type.ts';
import type { ProfileColumns } from '../../storage/selection.ts';
import type { QueryContext } from '../running/context.ts';
import type { SpannedSeries } from './spans.ts';
import type { Summary } from './summary.ts';

/**
 * Whether values are multiplied by their profile's period, as Parca does for `samples:count`.
 * Not when the period has no unit or is unknown everywhere: there is nothing to scale by.
 */
export function isScaledByPeriod(type: ProfileType, series: readonly SpannedSeries[]): boolean {
  if (!isScalable(type)) return false;
  if (series.length === 0) return true;
  return series.some(({ spans }) => spans.some(({ digest }) => digest.period !== 0n));
}

/** Whether values are counts of samples of a period whose unit is known. */
function isScalable({ sample, period }: ProfileType): boolean {
  return sample.type === 'samples' && sample.unit === 'count' && period.unit !== '';
}

/** What is known of a selection whose values may be counts. */
export interface CountedSide {
  readonly profileType: ProfileType;
  readonly valueType: ValueType;
  readonly summary: Pick<Summary, 'times' | 'hasOnePeriod'>;
}

/**
 * Whether counts of samples are among the values of one answer that do not all mean the same: of
 * samples with different periods, or beside what samples stand for.
 */
export function areCountsMixed(sides: readonly CountedSide[]): boolean {
  const filled = sides.filter(({ summary }) => summary.times.profileCount > 0);
  if (!filled.some(({ profileType }) => isScalable(profileType))) return false;
  if (!filled.every(({ summary }) => summary.hasOnePeriod)) return true;
  const kinds = filled.map(({ valueType, summary }) => `${summary.times.period}${valueType.unit}`);
  return new Set(kinds).size > 1;
}

/** What values are after scaling. */
export function scaledValueType(type: ProfileType, isScaled: boolean): ValueType {
  return isScaled ? type.period : type.sample;
}

/** Up to here the sum of doubles is exact enough to say that it is below 2^63. */
export const roughSumMax = 2 ** 62;
const int64Max = 2n ** 63n - 1n;
const int64Min = -(2n ** 63n);

/**
 * Refuses a selection whose values cannot be summed in an int64; returns about how large the sum
 * of its profiles' magnitudes is.
 *
 * The bound is that of the profiles' sums; a profile whose large values cancel each other out
 * passes it.
 * Errors: AppError 'out-of-range'.
 */
export async function checkSumFits(
  series: readonly SpannedSeries[],
  isScaled: boolean,
  context: QueryContext,
): Promise<number> {
  let magnitude = 0;
  for (const { spans } of series) {
    const pausing = context.pause();
    if (pausing !== undefined) await pausing;
    for (const { digest, columns } of spans) {
      if (!isScaled) magnitude += digest.magnitude;
      else if (digest.period === undefined) magnitude += magnitudeOf(await columns(), true);
      else magnitude += digest.magnitude * Math.abs(Number(digest.period));
    }
  }
  await checkMagnitude(magnitude, series, isScaled);
  return magnitude;
}

/** About the sum of the magnitudes of profiles, times their periods if that is what is summed. */
export function magnitudeOf({ total, period }: ProfileColumns, isScaled: boolean): number {
  if (!isScaled) return sumMagnitude(total);
  const totals = wordsOf(total);
  const periods = wordsOf(period);
  let magnitude = 0;
  for (let i = 0; i < total.length; i += 1) {
    magnitude += Math.abs(numberAt(totals, i) * numberAt(periods, i));
  }
  return magnitude;
}

/** As `checkSumFits`, where the magnitude is known. */
export async function checkMagnitude(
  magnitude: number,
  series: readonly SpannedSeries[],
  isScaled: boolean,
): Promise<void> {
  if (magnitude < roughSumMax) return;
  await checkExactSum(async (add) => {
    for (const { spans } of series) {
      for (const { columns } of spans) {
        const { total, period, profileCount } = await columns();
        for (let i = 0; i < profileCount; i += 1) add(isScaled ? total[i] * period[i] : total[i]);
      }
    }
  });
}

/** Refuses sums of what `addAll` adds that do not fit an int64. Errors: as `checkSumFits`. */
export async function checkExactSum(
  addAll: (add: (value: bigint) => void) => Promise<void>,
): Promise<void> {
  let gains = 0n;
  let losses = 0n;
  await addAll((value) => {
    if (value > 0n) gains += value;
    else losses += value;
  });
  if (gains <= int64Max && losses >= int64Min) return;
  const sum = Number(gains - losses).toExponential(3);
  throw new AppError(
    'out-of-range',
    `cannot merge profiles: the sum of their values, about ${sum}, passes the limit of 2^63`,
  );
}
