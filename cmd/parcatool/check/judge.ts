// Judges differences by the limits of a budget: exceeded, kept, or not to be told from chance.
import { upperQuantile, upperTail } from './distributions.ts';
import type { Difference } from './compare-runs.ts';

/** Outcome of a comparison. */
export type Outcome = 'exceeded' | 'kept' | 'unclear';

/** One comparison: a difference, and the difference that its limit allows. */
export interface Comparison {
  readonly difference: Difference;
  /** Largest allowed value of the difference. */
  readonly limit: number;
  /** Difference that must be beyond chance for a failure: 0, or the limit itself. */
  readonly reference: number;
  /** Share of the allowed false alarms that the family of this comparison has. */
  readonly family: string;
}

/** Runs or samples that would do in addition, on each side. */
export interface Needed {
  readonly factor: number;
  /** True if no number of samples would do, only more runs. */
  readonly needsRuns: boolean;
}

export interface Judgement {
  readonly outcome: Outcome;
  /** Half the width of the interval that contains the true difference with 95 % confidence. */
  readonly halfWidth: number;
  /** Chance of such a difference without a change, after the correction. */
  readonly probability: number;
  /** True if it would be exceeded, were it the only comparison and a chance of 5 % enough. */
  readonly isSuspect: boolean;
  /** Only for unclear ones. */
  readonly needed: Needed | undefined;
}

/** Chance of the tail beyond each end of an interval, and beyond the upper bound of a kept limit. */
const [intervalTail, boundTail] = [0.025, 0.05];
/** Chance without a correction below which a comparison is suspect. */
const suspectChance = 0.05;
/** Standard deviations for a chance of 80 % that the needed samples do. */
const powerDeviations = 0.8416;

/**
 * Judges comparisons together, so that with `alpha` as probability at most one of all those without
 * a change is found to be exceeded: `alpha` is divided between families, and within each, Holm's
 * method corrects for the number of comparisons.
 */
export function judgeAll(comparisons: readonly Comparison[], alpha: number): Judgement[] {
  const families = new Set(comparisons.map(({ family }) => family));
  const share = alpha / Math.max(1, families.size);
  const judgements = new Map<Comparison, Judgement>();
  for (const family of families) {
    const own = comparisons.filter((one) => one.family === family);
    const chances = own.map(chanceOf);
    const adjusted = correctByHolm(chances);
    for (const [i, one] of own.entries()) {
      const isSuspect = chances[i] < suspectChance && one.difference.difference > one.limit;
      const judged = judge(one, adjusted[i], share, own.length);
      judgements.set(one, { ...judged, isSuspect });
    }
  }
  return comparisons.flatMap((one) => judgements.get(one) ?? []);
}

/** Returns the chance of a difference at least this large, without a change beyond the reference. */
function chanceOf({ difference: { difference, standardError, freedom }, reference }: Comparison) {
  if (standardError === 0) return difference > reference ? 0 : 1;
  return upperTail((difference - reference) / standardError, freedom);
}

/** Returns the chances, each multiplied by the number of those that are not smaller. */
export function correctByHolm(chances: readonly number[]): number[] {
  const order = chances.map((_, i) => i).sort((a, b) => chances[a] - chances[b]);
  const adjusted = chances.slice();
  let largest = 0;
  for (const [rank, i] of order.entries()) {
    largest = Math.max(largest, Math.min(1, chances[i] * (chances.length - rank)));
    adjusted[i] = largest;
  }
  return adjusted;
}

function judge(
  comparison: Comparison,
  probability: number,
  alpha: number,
  count: number,
): Omit<Judgement, 'isSuspect'> {
  const { limit } = comparison;
  const { difference, standardError, freedom } = comparison.difference;
  const halfWidth = upperQuantile(intervalTail, freedom) * standardError;
  const isAbove = difference > limit;
  const result = (outcome: Outcome, needed?: Needed) => {
    return { outcome, halfWidth, probability, needed };
  };
  if (isAbove && probability < alpha) return result('exceeded');
  const bound = upperQuantile(boundTail, freedom) * standardError;
  if (difference + bound <= limit) return result('kept');
  return result('unclear', findNeeded(comparison, alpha / count, isAbove));
}

/** Largest factor that is searched, and the halvings of its logarithm until it is exact enough. */
const [factorMax, factorSteps] = [2 ** 20, 16];
/**
 * Shares of a limit that a difference counts as away from it, however near it is: a difference at
 * the limit would need any number of samples.
 */
const [nearIncrease, nearShare] = [1 / 2, 1 / 10];

/**
 * Finds how many times the samples or runs would do with a chance of 80 %: they tell an increase as
 * large as the limit from none, and the difference as it was found from the limit.
 */
function findNeeded(
  { difference: found, limit, reference }: Comparison,
  alpha: number,
  isAbove: boolean,
): Needed {
  const { difference, standardError, freedom, fixedVariance } = found;
  const variance = standardError ** 2 - fixedVariance;
  const isIncrease = reference === 0;
  const nearest = Math.abs(limit) * (isIncrease ? nearIncrease : nearShare);
  const distances = [
    ...(isIncrease ? [{ tail: alpha, distance: limit }] : []),
    isAbove
      ? { tail: alpha, distance: Math.max(nearest, difference - reference) }
      : { tail: boundTail, distance: Math.max(nearest, limit - difference) },
  ];
  const isEnough = (factor: number): boolean => {
    const error = Math.sqrt(variance / factor + fixedVariance);
    return distances.every(
      ({ tail, distance }) =>
        (upperQuantile(tail, freedom * factor) + powerDeviations) * error <= distance,
    );
  };
  if (!isEnough(factorMax)) return { factor: Infinity, needsRuns: true };
  let [low, high] = [1, factorMax];
  for (let i = 0; i < factorSteps; i += 1) {
    const middle = Math.sqrt(low * high);
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return { factor: high, needsRuns: false };
}
