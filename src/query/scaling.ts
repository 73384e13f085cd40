// When counts of samples are turned into what each sample stands for.
import { AppError } from '../base/errors.ts';
import { sumMagnitude } from '../model/merge.ts';
import type { ProfileType, ValueType } from '../model/profile-type.ts';
import type { LoadedSelection } from './loaded-selection.ts';

/**
 * Whether values are multiplied by their profile's period, as Parca does for `samples:count`.
 * Not when the period has no unit or is unknown everywhere: there is nothing to scale by.
 */
export function isScaledByPeriod(type: ProfileType, selection: LoadedSelection): boolean {
  if (type.sample.type !== 'samples' || type.sample.unit !== 'count') return false;
  if (type.period.unit === '') return false;
  const { series } = selection;
  return series.length === 0 || series.some(({ period }) => sumMagnitude(period) !== 0);
}

/** What values are after scaling. */
export function scaledValueType(type: ProfileType, isScaled: boolean): ValueType {
  return isScaled ? type.period : type.sample;
}

/** Up to here the sum of doubles is exact enough to say that it is below 2^63. */
const roughSumMax = 2 ** 62;
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
export function checkSumFits(selection: LoadedSelection, isScaled: boolean): number {
  let magnitude = 0;
  for (const series of selection.series) {
    const factor = isScaled ? largestMagnitude(series.period) : 1;
    magnitude += sumMagnitude(series.total) * factor;
  }
  if (magnitude < roughSumMax) return magnitude;
  const { gains, losses } = sumExactly(selection, isScaled);
  if (gains <= int64Max && losses >= int64Min) return magnitude;
  const sum = Number(gains - losses).toExponential(3);
  throw new AppError(
    'out-of-range',
    `cannot merge profiles: the sum of their values, about ${sum}, passes the limit of 2^63`,
  );
}

function sumExactly(
  { series }: LoadedSelection,
  isScaled: boolean,
): { readonly gains: bigint; readonly losses: bigint } {
  let gains = 0n;
  let losses = 0n;
  for (const { total, period, profileCount } of series) {
    for (let i = 0; i < profileCount; i += 1) {
      const value = isScaled ? total[i] * period[i] : total[i];
      if (value > 0n) gains += value;
      else losses += value;
    }
  }
  return { gains, losses };
}

function largestMagnitude(values: BigInt64Array): number {
  const words = new Int32Array(values.buffer, values.byteOffset, values.length * 2);
  let largest = 0;
  for (let i = 0; i < words.length; i += 2) {
    largest = Math.max(largest, Math.abs(words[i + 1] * 0x1_0000_0000 + (words[i] >>> 0)));
  }
  return largest;
}
