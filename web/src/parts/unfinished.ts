// Decides which buckets of a line are unfinished; all graphs use this rule.

/** Share of the usual covered time below which a bucket is unfinished. */
const coveredShareMin = 0.5;

/** Returns the lower of the two middle values; 0 without values. */
export function findMedian(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[(values.length - 1) >> 1] ?? 0;
}

/**
 * Returns true for an unfinished bucket, such as the bucket with the current time: profiles cover
 * less than half of `usual`, the covered time of most buckets. Therefore a program that is profiled
 * for ten seconds a minute has finished buckets, too. `covered` is null if unknown.
 */
export function isUnfinished(covered: number | null, usual: number): boolean {
  return covered !== null && covered < coveredShareMin * usual;
}
