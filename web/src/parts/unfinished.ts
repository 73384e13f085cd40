// Decides which buckets of a line over time are unfinished: all graphs use one rule.

/** Share of the usual covered time of a line below which a bucket is not finished. */
const coveredShareMin = 0.5;

/** Returns the lower of the two middle values; 0 without values. */
export function findMedian(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[(values.length - 1) >> 1] ?? 0;
}

/**
 * Returns true for an unfinished bucket, such as the one that contains the current time: less than
 * half of `usual`, which most buckets of its line have, is covered by profiles. A program that is
 * profiled ten seconds in a minute has whole buckets, too. `covered` is null if it is unknown.
 */
export function isUnfinished(covered: number | null, usual: number): boolean {
  return covered !== null && covered < coveredShareMin * usual;
}
