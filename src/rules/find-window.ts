// Finds the time range of a window, which ends at the evaluation or at the last mark.
import type { WindowedQuery } from '../promql-like/expression.ts';
import type { Query } from '../promql-like/query.ts';
import type { TimeRange } from '../storage/interface.ts';

/** Returns marks, such as deploys, in order of time. */
export type ListMarks = () => readonly {
  readonly timeMillis: number;
  readonly labels: Readonly<Record<string, string>>;
}[];

const nanosPerMilli = 1_000_000n;

/** Returns the range of a window that is evaluated at a time; undefined if it has no mark. */
export function findWindow(
  { query, windowNanos, offsetNanos, markSide }: WindowedQuery,
  evaluatedNanos: bigint,
  listMarks: ListMarks,
): TimeRange | undefined {
  const timeNanos = evaluatedNanos - offsetNanos;
  const from = timeNanos - windowNanos;
  if (markSide === undefined) return { from, to: timeNanos - 1n };
  const isRight = marksOf(query);
  const mark = listMarks().findLast(
    ({ timeMillis, labels }) => BigInt(timeMillis) * nanosPerMilli < timeNanos && isRight(labels),
  );
  if (mark === undefined) return undefined;
  const markNanos = BigInt(mark.timeMillis) * nanosPerMilli;
  if (markSide === 'before') return { from: markNanos - windowNanos, to: markNanos - 1n };
  return { from: from > markNanos ? from : markNanos, to: timeNanos - 1n };
}

/**
 * Returns a function that tests whether a mark applies to everything that a query selects. It does
 * if the query's matchers require each label of the mark.
 */
function marksOf({ operand }: Query): (labels: Readonly<Record<string, string>>) => boolean {
  const matchers = operand.kind === 'selector' ? operand.matchers : [];
  return (labels) =>
    Object.entries(labels).every(([name, value]) =>
      matchers.some((one) => one.operator === '=' && one.name === name && one.value === value),
    );
}
