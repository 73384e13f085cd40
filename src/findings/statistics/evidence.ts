// Evidence against "nothing changed" that may be looked at after each window: e-values.

/**
 * Returns the e-value of an estimate: its average is at most 1 at any time if nothing changed, also
 * at the time at which somebody stops because it looks large.
 *
 * `score` is the estimate in its standard errors, and `information` the inverse of its variance.
 * While windows are added, estimate times information is a Brownian motion in the information, so
 * the ratio of its likelihoods, averaged over changes with the standard deviation `expected`, is a
 * martingale (Robbins' normal mixture).
 */
export function evidenceOf(score: number, information: number, expected: number): number {
  const ratio = information * expected ** 2;
  return Math.exp((score ** 2 / 2) * (ratio / (1 + ratio))) / Math.sqrt(1 + ratio);
}

/**
 * Returns the standard deviations of a normal distribution that are as unlikely as `score` is in
 * Student's distribution with `freedom` degrees, by Wallace's formula.
 */
export function normalScore(score: number, freedom: number): number {
  const size = Math.sqrt(freedom * Math.log1p(score ** 2 / freedom));
  return (Math.sign(score) * size * (8 * freedom + 1)) / (8 * freedom + 3);
}

/**
 * Returns the smallest e-value that is accepted among `count` tests, so that at most the share
 * `rate` of the accepted ones is false on average, however the tests depend on each other (e-BH,
 * Wang and Ramdas). Infinity if none is.
 */
export function acceptedFrom(evidence: readonly number[], count: number, rate: number): number {
  const sorted = evidence.toSorted((a, b) => b - a);
  for (let accepted = sorted.length; accepted > 0; accepted -= 1) {
    const least = sorted[accepted - 1];
    if (least >= count / (rate * accepted)) return least;
  }
  return Infinity;
}
