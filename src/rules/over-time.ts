// Functions that are applied to the values of a series in a window of time, as in PromQL.
import type { RangeFunction } from '../promql-like/expression.ts';

/** Values of one series in a window, in order of time. */
export interface Points {
  readonly timeNanos: BigInt64Array;
  readonly values: Float64Array;
}

/** A window, which includes `toNanos` but not `fromNanos`. */
export interface PointWindow {
  readonly fromNanos: bigint;
  readonly toNanos: bigint;
}

/** Computes a number; undefined if there are too few points. There is at least one point. */
type OverTime = (points: Points, window: PointWindow) => number | undefined;

const sum = ({ values }: Points): number => values.reduce((before, value) => before + value, 0);

/** Functions by name. */
export const overTime: Readonly<Record<RangeFunction, OverTime>> = {
  rate: (points, window) => {
    const grown = increase(points, window);
    return grown === undefined ? undefined : grown / seconds(window.toNanos - window.fromNanos);
  },
  increase,
  avg_over_time: (points) => sum(points) / points.values.length,
  min_over_time: ({ values }) => values.reduce((a, b) => Math.min(a, b)),
  max_over_time: ({ values }) => values.reduce((a, b) => Math.max(a, b)),
  sum_over_time: sum,
  count_over_time: ({ values }) => values.length,
  last_over_time: ({ values }) => values.at(-1),
};

function seconds(nanos: bigint): number {
  return Number(nanos) / 1e9;
}

/**
 * Returns how much a counter grew in a window. As in Prometheus, the growth between the points is
 * extended toward each end of the window. If the end is nearer than 1.1 times the average time
 * between points, the growth is extended up to the end; otherwise, by half of that average time. A
 * counter is not extended below 0.
 */
function increase({ timeNanos, values }: Points, window: PointWindow): number | undefined {
  const last = values.length - 1;
  if (last < 1) return undefined;
  let grown = values[last] - values[0];
  // A counter that falls has started again at 0.
  for (let i = 1; i <= last; i++) if (values[i] < values[i - 1]) grown += values[i - 1];
  const covered = seconds(timeNanos[last] - timeNanos[0]);
  const usual = covered / last;
  const reach = (gap: number): number => (gap < usual * 1.1 ? gap : usual / 2);
  let before = reach(seconds(timeNanos[0] - window.fromNanos));
  if (grown > 0 && values[0] >= 0) before = Math.min(before, (covered * values[0]) / grown);
  const after = reach(seconds(window.toNanos - timeNanos[last]));
  return (grown * (covered + before + after)) / covered;
}
