// Factor by which the base of a diff is multiplied before it is subtracted.

/** A factor as a fraction of two positive numbers. */
export interface BaseRatio {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/**
 * Way of scaling the base: not at all; by totals, to compare shares; by profiled time (for states,
 * by the number of snapshots), to compare averages; or by load, so that most functions have the
 * same values on both sides. If the load is unknown, the base is scaled by totals.
 */
export type BaseScale = 'none' | 'total' | 'time' | 'load';

/** Factor of a diff without scaling. */
export const unscaled: BaseRatio = { numerator: 1n, denominator: 1n };

/**
 * Returns the factor that scales the base to the total of the other side. Returns 1 if either total
 * is not positive.
 */
export function relativeRatio(total: bigint, baseTotal: bigint): BaseRatio {
  if (total <= 0n || baseTotal <= 0n) return unscaled;
  return { numerator: total, denominator: baseTotal };
}

/**
 * Returns the factor that scales the base to the profiled time of the other side. Returns 1 if
 * either time is unknown. Both times have the same unit.
 */
export function timeRatio(covered: number, baseCovered: number): BaseRatio {
  if (!(covered > 0 && baseCovered > 0)) return unscaled;
  const [numerator, denominator] = [covered, baseCovered].map((time) => BigInt(Math.ceil(time)));
  return { numerator, denominator };
}

/** Denominator of the factor for a diff by load. */
const loadDenominator = 2n ** 32n;

/** Returns the factor for a diff by load; `ratio` is positive. */
export function loadFactor(ratio: number): BaseRatio {
  const numerator = BigInt(Math.max(1, Math.round(ratio * Number(loadDenominator))));
  return { numerator, denominator: loadDenominator };
}

/** Scales values and rounds to the nearest integer, halves away from 0. */
export function scaleBase(base: BigInt64Array, ratio: BaseRatio): BigInt64Array {
  const { numerator, denominator } = ratio;
  if (numerator === denominator) return base;
  const scaled = new BigInt64Array(base.length);
  const twice = numerator * 2n;
  const divisor = denominator * 2n;
  for (let i = 0; i < base.length; i += 1) {
    const product = base[i] * twice;
    scaled[i] = (product < 0n ? product - denominator : product + denominator) / divisor;
  }
  return scaled;
}

/** Subtracts the scaled base from `values`, element by element. */
export function subtractBase(
  values: BigInt64Array,
  base: BigInt64Array,
  ratio: BaseRatio,
): BigInt64Array {
  const difference = values.slice();
  const scaled = scaleBase(base, ratio);
  for (let i = 0; i < difference.length; i += 1) difference[i] -= scaled[i];
  return difference;
}
