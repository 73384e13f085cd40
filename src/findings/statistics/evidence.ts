// E-values: evidence against "nothing changed", which stays valid even if it is checked after each
// window.

/**
 * Returns the e-value of an estimate. If nothing changed, its average is at most 1 at any time,
 * even for somebody who stops as soon as it looks large.
 *
 * `score` is the estimate in standard errors, `information` is the inverse of its variance. As
 * windows are added, the estimate times the information is a Brownian motion, with the information
 * as its time. The likelihood ratio, averaged over changes with standard deviation `expected`, is
 * therefore a martingale (Robbins' normal mixture).
 */
export function evidenceOf(score: number, information: number, expected: number): number {
  const ratio = information * expected ** 2;
  return Math.exp((score ** 2 / 2) * (ratio / (1 + ratio))) / Math.sqrt(1 + ratio);
}

/**
 * Converts a score of Student's t-distribution with `freedom` degrees of freedom to the score of
 * the normal distribution that has the same probability (Wallace's formula).
 */
export function normalScore(score: number, freedom: number): number {
  const size = Math.sqrt(freedom * Math.log1p(score ** 2 / freedom));
  return (Math.sign(score) * size * (8 * freedom + 1)) / (8 * freedom + 3);
}

/**
 * Returns the smallest e-value that is accepted among `count` tests. On average, at most the share
 * `rate` of the accepted tests is false, even if tests depend on each other (e-BH, Wang and
 * Ramdas). Infinity if no test is accepted.
 */
export function acceptedFrom(evidence: readonly number[], count: number, rate: number): number {
  const sorted = evidence.toSorted((a, b) => b - a);
  for (let accepted = sorted.length; accepted > 0; accepted -= 1) {
    const least = sorted[accepted - 1];
    if (least >= count / (rate * accepted)) return least;
  }
  return Infinity;
}
