// Computes the points of the lines on the start page: values divided by covered time.
import type { SparkPoints } from '../parts/sparkline-path.ts';
import type { MetricsSeries } from '../rpc/messages.gen.ts';
import { toNanos } from '../rpc/timestamp.ts';

/**
 * Number of points in a line: in a range of a quarter of an hour, each point still covers some
 * profiles.
 */
export const sparkPoints = 30;

/** Start of the first point, and duration of each point, in milliseconds. */
interface Steps {
  readonly from: number;
  readonly stepMillis: number;
}

/** Returns the rates of a series, times `factor`, at each point. */
export function toPoints(
  { samples }: MetricsSeries,
  { from, stepMillis }: Steps,
  factor: number,
): SparkPoints {
  const values = Array.from({ length: sparkPoints }, (): number | null => null);
  const covered = Array.from({ length: sparkPoints }, (): number | null => null);
  for (const { timestamp, rate, coveredNanos } of samples) {
    const at = Math.floor((Number(toNanos(timestamp)) / 1e6 - from) / stepMillis);
    const i = Math.min(sparkPoints - 1, Math.max(0, at));
    // The first point has two buckets if the range starts within the first bucket.
    const [sum, time] = [values[i] ?? 0, covered[i] ?? 0];
    const own = Number(coveredNanos);
    const share = time + own > 0 ? own / (time + own) : 1;
    values[i] = sum + (rate * factor - sum) * share;
    covered[i] = time + own || null;
  }
  return { values, covered };
}

/** Returns the average of some points, weighted by covered time; undefined if there are none. */
export function computeMean(
  { values, covered }: SparkPoints,
  from: number,
  to: number,
): number | undefined {
  let [sum, time] = [0, 0];
  for (let i = from; i < Math.min(to, values.length); i += 1) {
    // If the covered time is unknown, all points have the same weight.
    const weight = covered[i] ?? (values[i] === null ? 0 : 1);
    sum += (values[i] ?? 0) * weight;
    time += weight;
  }
  return time > 0 ? sum / time : undefined;
}
