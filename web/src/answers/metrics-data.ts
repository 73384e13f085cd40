// Converts the server's series to columns for the metrics graph: a common time axis, gaps where
// there are no profiles, series sorted by name.
import { isUnfinished, findMedian } from '../parts/unfinished.ts';
import type { Span } from '../rpc/api.ts';
import type { MetricsSeries } from '../rpc/messages.gen.ts';
import { toNanos } from '../rpc/timestamp.ts';

/** Maximum number of lines in the graph; other series are only counted. */
export const seriesDrawnMax = 20;

/** A line of the graph. */
export interface MetricsLine {
  readonly labels: ReadonlyMap<string, string>;
  /**
   * Labels as in `job=api, pod=web-1`. A series without labels is "all", or "no job" if others have
   * a job.
   */
  readonly title: string;
  readonly max: number;
}

export interface MetricsData {
  /** Ascending times in seconds since the epoch. */
  readonly times: readonly number[];
  /** Values of each series divided by the profiled time: a number or null for each time. */
  readonly values: readonly (readonly (number | null)[])[];
  /** Profiled seconds per series and bucket; null if unknown. */
  readonly covered: readonly (readonly (number | null)[])[];
  /** Median of the profiled seconds per bucket, for each series. */
  readonly usualCovered: readonly number[];
  /** Width of a bucket. */
  readonly stepSeconds: number;
  readonly series: readonly MetricsLine[];
  /** Number of series without a line, because their values are small. */
  readonly hiddenCount: number;
  /** Smallest and largest value of the series without a line, for each time. */
  readonly rest: Envelope;
}

/** The area between two lines. */
export interface Envelope {
  readonly low: readonly (number | null)[];
  readonly high: readonly (number | null)[];
}

interface Line {
  readonly series: MetricsLine;
  readonly points: ReadonlyMap<number, number>;
  readonly covered: ReadonlyMap<number, number>;
  readonly gapSeconds: number;
}

/**
 * Converts an answer; `factor` multiplies all values, and `stepMillis` is the width of a bucket.
 */
export function metricsData(
  answer: readonly MetricsSeries[],
  stepMillis: number,
  factor: number,
  leftOut?: Span,
): MetricsData {
  const unlabelled = unlabelledTitle(answer);
  const lines = answer.map((series) => readLine(series, stepMillis, factor, unlabelled));
  const ranked = lines.sort((a, b) => b.series.max - a.series.max || byTitle(a, b));
  const drawn = ranked.slice(0, seriesDrawnMax).sort(byTitle);
  const times = listTimes(drawn, stepMillis / 1_000, leftOut);
  return {
    times,
    values: drawn.map((line) => times.map((time) => line.points.get(time) ?? null)),
    covered: drawn.map((line) => times.map((time) => line.covered.get(time) ?? null)),
    usualCovered: drawn.map(({ covered }) => findMedian([...covered.values()])),
    stepSeconds: stepMillis / 1_000,
    series: drawn.map(({ series }) => series),
    hiddenCount: lines.length - drawn.length,
    rest: findEnvelope(ranked.slice(seriesDrawnMax), times),
  };
}

function findEnvelope(lines: readonly Line[], times: readonly number[]): Envelope {
  const low: (number | null)[] = [];
  const high: (number | null)[] = [];
  for (const time of times) {
    const values = lines.flatMap(({ points }) => points.get(time) ?? []);
    low.push(values.length === 0 ? null : Math.min(...values));
    high.push(values.length === 0 ? null : Math.max(...values));
  }
  return { low, high };
}

function byTitle({ series: a }: Line, { series: b }: Line): number {
  return a.title < b.title ? -1 : a.title > b.title ? 1 : 0;
}

function readLine(
  series: MetricsSeries,
  stepMillis: number,
  factor: number,
  unlabelled: string,
): Line {
  const points = new Map<number, number>();
  const covered = new Map<number, number>();
  let duration = 0;
  let max = 0;
  for (const sample of series.samples) {
    const value = sample.rate * factor;
    const time = Number(toNanos(sample.timestamp)) / 1e9;
    points.set(time, value);
    if (sample.coveredNanos > 0n) covered.set(time, Number(sample.coveredNanos) / 1e9);
    duration = Math.max(duration, Number(sample.duration) / 1e9);
    max = Math.max(max, value);
  }
  const labels = toLabels(series);
  const title = formatTitle(labels) || unlabelled;
  const spacing = medianSpacing([...points.keys()]);
  const gapSeconds = 3 * Math.max(stepMillis / 1_000, duration, spacing);
  return { series: { labels, title, max }, points, covered, gapSeconds };
}

function formatTitle(labels: ReadonlyMap<string, string>): string {
  return [...labels].map(([name, value]) => `${name}=${value}`).join(', ');
}

/**
 * Returns the title of a series without labels: the only series, or a series that lacks the labels
 * of the others.
 */
function unlabelledTitle(answer: readonly MetricsSeries[]): string {
  const names = new Set(answer.flatMap((series) => [...toLabels(series).keys()]));
  return names.size === 0 ? 'all' : `no ${[...names].sort().join(' or ')}`;
}

/** Share of each line in the total, and of all series without a line. */
export interface LegendShares {
  readonly series: readonly MetricsLine[];
  /**
   * Share of each series, 0 .. 1. The sum including `hiddenShare` is 1, unless all shares are 0.
   */
  readonly shares: readonly number[];
  readonly hiddenCount: number;
  readonly hiddenShare: number;
}

/** Returns the shares in `answer`, largest first; `answer` may cover only a part of the graph. */
export function buildLegend(
  { series, hiddenCount }: Pick<MetricsData, 'series' | 'hiddenCount'>,
  answer: readonly MetricsSeries[],
): LegendShares {
  // The title of a series without labels depends on the other series.
  const averages = new Map(answer.map((one) => [formatTitle(toLabels(one)), one.average]));
  const whole = [...averages.values()].reduce((sum, average) => sum + average, 0);
  const toShare = (average: number) => (whole > 0 ? average / whole : 0);
  const ranked = series
    .map((line) => ({ line, share: toShare(averages.get(formatTitle(line.labels)) ?? 0) }))
    .sort((a, b) => b.share - a.share);
  const shares = ranked.map(({ share }) => share);
  const drawn = shares.reduce((sum, share) => sum + share, 0);
  const lines = ranked.map(({ line }) => line);
  return {
    series: lines,
    shares,
    hiddenCount,
    hiddenShare: whole > 0 ? Math.max(0, 1 - drawn) : 0,
  };
}

function toLabels({ labelset }: MetricsSeries): ReadonlyMap<string, string> {
  return new Map((labelset?.labels ?? []).map(({ name, value }) => [name, value]));
}

function medianSpacing(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  const spacings = sorted.slice(1).map((time, i) => time - sorted[i]);
  // A single distance is not enough to estimate the usual distance.
  if (spacings.length < 2) return 0;
  return spacings.sort((a, b) => a - b)[Math.floor((spacings.length - 1) / 2)];
}

/** Returns the times of all lines, and one time inside each gap of all lines. */
function listTimes(lines: readonly Line[], stepSeconds: number, leftOut?: Span): number[] {
  const times = [...new Set(lines.flatMap((line) => [...line.points.keys()]))].sort(
    (a, b) => a - b,
  );
  const gap = Math.max(0, ...lines.map((line) => line.gapSeconds));
  return times.flatMap((time, i) => {
    const next = times[i + 1];
    if (next === undefined) return [time];
    const isLeftOut =
      leftOut !== undefined &&
      next - time > stepSeconds &&
      time * 1e3 <= leftOut.to &&
      next * 1e3 > leftOut.from;
    return isLeftOut || next - time > gap ? [time, (time + next) / 2] : [time];
  });
}

/**
 * Returns the values of a line, connected across times that only other lines have.
 *
 * A hole remains if all lines have a gap there.
 */
export function bridgeHoles(
  values: readonly (number | null)[],
  all: readonly (readonly (number | null)[])[],
): (number | null | undefined)[] {
  return values.map((value, i) => {
    if (value !== null) return value;
    const someoneElse = all.some((line) => line[i] !== null);
    // uPlot draws a line across undefined, but interrupts it at null.
    return someoneElse ? undefined : null;
  });
}

/**
 * Returns the profiled seconds of a series in an unfinished bucket; undefined for other buckets.
 */
export function partlyCovered(
  { covered, usualCovered }: Pick<MetricsData, 'covered' | 'usualCovered'>,
  series: number,
  row: number,
): number | undefined {
  const seconds = covered[series]?.[row] ?? null;
  return seconds !== null && isUnfinished(seconds, usualCovered[series]) ? seconds : undefined;
}

/**
 * Splits a line into the values of finished buckets, and the values of unfinished buckets and their
 * neighbours, which are drawn dashed.
 */
export function splitByCoverage(
  data: Pick<MetricsData, 'values' | 'covered' | 'usualCovered'>,
  series: number,
): readonly [whole: (number | null | undefined)[], unfinished: (number | null | undefined)[]] {
  const line = bridgeHoles(data.values[series], data.values);
  const isPart = line.map(
    (value, i) => typeof value === 'number' && partlyCovered(data, series, i) !== undefined,
  );
  const whole = line.map((value, i) => (isPart[i] ? null : value));
  if (!isPart.includes(true)) return [whole, line.map(() => null)];
  const known = line.flatMap((value, i) => (value === undefined ? [] : [i]));
  const unfinished: (number | null | undefined)[] = line.map(() => undefined);
  known.forEach((i, at) => {
    const neighbours = [known[at - 1], known[at + 1]];
    const isShown = isPart[i] || neighbours.some((one) => one !== undefined && isPart[one]);
    unfinished[i] = isShown ? line[i] : null;
  });
  return [whole, unfinished];
}

/** Returns the time span of the bucket that starts at a time in the graph. */
export function pointSpan(seconds: number, stepMillis: number): Span {
  const from = Math.round(seconds * 1e3);
  return { from, to: from + stepMillis - 1 };
}
