// The factor by which values of a diff's base are scaled before they are subtracted.

/** A factor as a fraction of two positive numbers. */
export interface BaseRatio {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/**
 * Scaling of the base: none; by totals, which compares shares; by the time that profiles cover (for
 * states, by the number of snapshots), which compares averages; or by load, which compares both
 * sides as if most functions had the same values. If the load is unknown, totals are used.
 */
export type BaseScale = 'none' | 'total' | 'time' | 'load';

/** Factor of an absolute diff. */
export const unscaled: BaseRatio = { numerator: 1n, denominator: 1n };

/**
 * Factor of a relative diff, which scales the base to the total of the other side. Without scaling
 * unless both totals are positive, because there are no shares to compare.
 */
export function relativeRatio(total: bigint, baseTotal: bigint): BaseRatio {
  if (total <= 0n || baseTotal <= 0n) return unscaled;
  return { numerator: total, denominator: baseTotal };
}

/**
 * Factor of a diff of averages, which scales the base to the profiled time of the other side.
 * Without scaling if either time is unknown. Both times have the same unit.
 */
export function timeRatio(covered: number, baseCovered: number): BaseRatio {
  if (!(covered > 0 && baseCovered > 0)) return unscaled;
  const [numerator, denominator] = [covered, baseCovered].map((time) => BigInt(Math.ceil(time)));
  return { numerator, denominator };
}

/** Denominator of the factor of a diff by load. */
const loadDenominator = 2n ** 32n;

/** Factor of a diff by load; `ratio` is positive. */
export function loadFactor(ratio: number): BaseRatio {
  const numerator = BigInt(Math.max(1, Math.round(ratio * Number(loadDenominator))));
  return { numerator, denominator: loadDenominator };
}

/** Scales values and rounds each to the nearest integer, halves away from 0. */
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
