// Evidence against "nothing changed" that stays valid when it is checked after each window:
// e-values.

/**
 * Returns the e-value of an estimate. If nothing changed, its average is at most 1 at any time,
 * even if somebody stops because it looks large.
 *
 * `score` is the estimate in standard errors, `information` the inverse of its variance. While
 * windows are added, estimate times information is a Brownian motion in the information. The
 * likelihood ratio, averaged over changes with standard deviation `expected`, is therefore a
 * martingale (Robbins' normal mixture).
 */
export function evidenceOf(score: number, information: number, expected: number): number {
  const ratio = information * expected ** 2;
  return Math.exp((score ** 2 / 2) * (ratio / (1 + ratio))) / Math.sqrt(1 + ratio);
}

/**
 * Returns the quantile of the normal distribution with the same probability as `score` in Student's
 * t-distribution with `freedom` degrees (Wallace's formula).
 */
export function normalScore(score: number, freedom: number): number {
  const size = Math.sqrt(freedom * Math.log1p(score ** 2 / freedom));
  return (Math.sign(score) * size * (8 * freedom + 1)) / (8 * freedom + 3);
}

/**
 * Returns the smallest e-value to accept among `count` tests, so that on average at most the share
 * `rate` of accepted tests is false, even if tests depend on each other (e-BH, Wang and Ramdas).
 * Infinity if no test is accepted.
 */
export function acceptedFrom(evidence: readonly number[], count: number, rate: number): number {
  const sorted = evidence.toSorted((a, b) => b - a);
  for (let accepted = sorted.length; accepted > 0; accepted -= 1) {
    const least = sorted[accepted - 1];
    if (least >= count / (rate * accepted)) return least;
  }
  return Infinity;
}
