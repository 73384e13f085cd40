// When counts of samples are turned into what each sample stands for.
import { AppError } from '../base/errors.ts';
import { sumMagnitude } from '../model/merge.ts';
import type { ProfileType, ValueType } from '../model/profile-type.ts';
import type { Selection } from '../storage/interface.ts';

/**
 * Whether values are multiplied by their profile's period, as Parca does for `samples:count`.
 * Not when the period has no unit or is unknown everywhere: there is nothing to scale by.
 */
export function isScaledByPeriod(type: ProfileType, selection: Selection): boolean {
  if (type.sample.type !== 'samples' || type.sample.unit !== 'count') return false;
  if (type.period.unit === '') return false;
  const { series } = selection;
  return series.length === 0 || series.some(({ period }) => sumMagnitude(period) !== 0);
}

/** What values are after scaling. */
export function scaledValueType(type: ProfileType, isScaled: boolean): ValueType {
  return isScaled ? type.period : type.sample;
}

/**
 * Refuses a selection whose values cannot be summed in an int64.
 *
 * The bound is that of values of one sign; a profile whose large values cancel each other out
 * passes it.
 * Errors: AppError 'out-of-range'.
 */
export function checkSumFits(selection: Selection, isScaled: boolean): void {
  let magnitude = 0;
  for (const series of selection.series) {
    const factor = isScaled ? largestMagnitude(series.period) : 1;
    magnitude += sumMagnitude(series.total) * factor;
  }
  if (magnitude >= 2 ** 63) {
    throw new AppError(
      'out-of-range',
      `cannot merge profiles: the sum of their values, about ${magnitude.toExponential(3)}, ` +
        `passes the limit of 2^63`,
    );
  }
}

function largestMagnitude(values: BigInt64Array): number {
  const words = new Int32Array(values.buffer, values.byteOffset, values.length * 2);
  let largest = 0;
  for (let i = 0; i < words.length; i += 2) {
    largest = Math.max(largest, Math.abs(words[i + 1] * 0x1_0000_0000 + (words[i] >>> 0)));
  }
  return largest;
}
