// Judges whether a difference exceeds a limit of a budget, keeps it, or is unclear because of
// chance.
import { upperQuantile, upperTail } from './distributions.ts';
import type { Difference } from './compare-runs.ts';

/** Outcome of a comparison. */
export type Outcome = 'exceeded' | 'kept' | 'unclear';

/** A comparison: a difference, and its limit. */
export interface Comparison {
  readonly difference: Difference;
  /** Largest allowed value of the difference. */
  readonly limit: number;
  /** Value that the difference must significantly exceed for a failure: 0, or the limit itself. */
  readonly reference: number;
  /** Name of a group of comparisons. Each group gets a part of the allowed false alarms. */
  readonly family: string;
}

/** Additional runs or samples that are needed on each side. */
export interface Needed {
  readonly factor: number;
  /** True if more samples are not enough, so that more runs are needed. */
  readonly needsRuns: boolean;
}

export interface Judgement {
  readonly outcome: Outcome;
  /** Half the width of the 95 % interval of the difference. */
  readonly halfWidth: number;
  /**
   * Probability that chance alone causes a difference of this size, corrected for the number of
   * comparisons.
   */
  readonly probability: number;
  /** True if the difference is above the limit, and its uncorrected probability is below 5 %. */
  readonly isSuspect: boolean;
  /** Only for unclear comparisons. */
  readonly needed: Needed | undefined;
}

/**
 * Tail probabilities on each side of an interval, and above the upper bound that must be below a
 * kept limit.
 */
const [intervalTail, boundTail] = [0.025, 0.05];
/** Uncorrected probability below which a comparison is suspect. */
const suspectChance = 0.05;
/**
 * Number of standard deviations for a power of 80 %, which is the probability that the needed
 * samples will be enough.
 */
const powerDeviations = 0.8416;

/**
 * Judges comparisons together. If nothing has changed, the probability that any comparison counts
 * as exceeded is at most `alpha`. `alpha` is divided between families. Within a family, Holm's
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

/**
 * Returns the probability of a difference at least this large if the true difference equals the
 * reference.
 */
function chanceOf({ difference: { difference, standardError, freedom }, reference }: Comparison) {
  if (standardError === 0) return difference > reference ? 0 : 1;
  return upperTail((difference - reference) / standardError, freedom);
}

/**
 * Returns the probabilities, each multiplied by the number of probabilities that are at least as
 * large.
 */
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

/** Largest factor that is tried, and number of bisections of its logarithm. */
const [factorMax, factorSteps] = [2 ** 20, 16];
/**
 * Smallest distance between the difference and the limit that is assumed, as a share of the limit.
 * If the difference were equal to the limit, an infinite number of samples would be needed.
 */
const [nearIncrease, nearShare] = [1 / 2, 1 / 10];

/**
 * Finds the factor by which the number of samples or runs must grow. With that number, the check
 * has a probability of 80 % to tell an increase as large as the limit from no increase, and the
 * measured difference from the limit.
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
