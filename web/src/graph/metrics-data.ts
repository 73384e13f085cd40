// From the server's series to the columns of the metrics graph: one time axis, gaps where time is
// not covered, the biggest series first.
import { toNanos } from '../rpc/messages.ts';
import type { MetricsSeries } from '../rpc/messages.ts';

/** Series drawn on their own; the rest is only counted. */
export const seriesDrawnMax = 20;

/** One line. */
export interface GraphSeries {
  readonly labels: ReadonlyMap<string, string>;
  /** `job=api, pod=web-1`; "all" when it has no labels. */
  readonly title: string;
  readonly max: number;
  readonly average: number;
}

export interface GraphData {
  /** Seconds since the epoch, ascending. */
  readonly times: readonly number[];
  /** By series: a value or null at each time. */
  readonly values: readonly (readonly (number | null)[])[];
  readonly series: readonly GraphSeries[];
  /** Series that the server gave and that are not drawn. */
  readonly hidden: number;
}

interface Line {
  readonly series: GraphSeries;
  readonly points: ReadonlyMap<number, number>;
  readonly gapSeconds: number;
}

/** `factor` is applied to every value; `stepMillis` is the width of a bucket. */
export function graphData(
  answer: readonly MetricsSeries[],
  stepMillis: number,
  factor: number,
): GraphData {
  const lines = answer.map((series) => readLine(series, stepMillis, factor));
  const drawn = lines.sort((a, b) => b.series.max - a.series.max).slice(0, seriesDrawnMax);
  const times = timesOf(drawn);
  return {
    times,
    values: drawn.map((line) => times.map((time) => line.points.get(time) ?? null)),
    series: drawn.map(({ series }) => series),
    hidden: lines.length - drawn.length,
  };
}

function readLine(series: MetricsSeries, stepMillis: number, factor: number): Line {
  const points = new Map<number, number>();
  let duration = 0;
  let sum = 0;
  let max = 0;
  for (const sample of series.samples) {
    const value = sample.valuePerSecond * factor;
    points.set(Number(toNanos(sample.timestamp)) / 1e9, value);
    duration = Math.max(duration, Number(sample.duration) / 1e9);
    sum += value;
    max = Math.max(max, value);
  }
  const labels = new Map((series.labelset?.labels ?? []).map(({ name, value }) => [name, value]));
  const title = [...labels].map(([name, value]) => `${name}=${value}`).join(', ') || 'all';
  const average = points.size === 0 ? 0 : sum / points.size;
  const spacing = medianSpacing([...points.keys()]);
  const gapSeconds = 3 * Math.max(stepMillis / 1_000, duration, spacing);
  return { series: { labels, title, max, average }, points, gapSeconds };
}

function medianSpacing(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  const spacings = sorted.slice(1).map((time, i) => time - sorted[i]);
  // One spacing alone says nothing about the usual one.
  if (spacings.length < 2) return 0;
  return spacings.sort((a, b) => a - b)[Math.floor((spacings.length - 1) / 2)];
}

/** All times of all lines, and one inside each gap that no line covers. */
function timesOf(lines: readonly Line[]): number[] {
  const times = [...new Set(lines.flatMap((line) => [...line.points.keys()]))].sort(
    (a, b) => a - b,
  );
  const gap = Math.max(0, ...lines.map((line) => line.gapSeconds));
  return times.flatMap((time, i) => {
    const next = times[i + 1];
    return next !== undefined && next - time > gap ? [time, (time + next) / 2] : [time];
  });
}

/**
 * The values of a line with short holes bridged: another line's times must not cut it.
 *
 * A hole stays when the time inside it belongs to a gap, where every line is empty.
 */
export function bridgeHoles(
  values: readonly (number | null)[],
  all: readonly (readonly (number | null)[])[],
): (number | null | undefined)[] {
  return values.map((value, i) => {
    if (value !== null) return value;
    const someoneElse = all.some((line) => line[i] !== null);
    // uPlot joins across undefined and breaks at null.
    return someoneElse ? undefined : null;
  });
}
