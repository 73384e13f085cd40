// Turns the server's series into the columns of the metrics graph: one time axis, gaps where no
// profiles cover the time, series by name.
import { isUnfinished, findMedian } from '../parts/unfinished.ts';
import type { Span } from '../rpc/api.ts';
import type { MetricsSeries } from '../rpc/messages.gen.ts';
import { toNanos } from '../rpc/timestamp.ts';

/** Number of series that are drawn; the others are only counted. */
export const seriesDrawnMax = 20;

/** One line. */
export interface MetricsLine {
  readonly labels: ReadonlyMap<string, string>;
  /** `job=api, pod=web-1`; without labels "all", or "no job" if others have it. */
  readonly title: string;
  readonly max: number;
}

export interface MetricsData {
  /** Seconds since the epoch, ascending. */
  readonly times: readonly number[];
  /** Values of each series, divided by covered time: a number or null at each time. */
  readonly values: readonly (readonly (number | null)[])[];
  /** Seconds of each bucket in which a series was profiled; null if that is unknown. */
  readonly covered: readonly (readonly (number | null)[])[];
  /** Covered seconds of most buckets, for each series. */
  readonly usualCovered: readonly number[];
  /** Width of a bucket. */
  readonly stepSeconds: number;
  readonly series: readonly MetricsLine[];
  /** Number of series in the answer that have no line of their own, because they are small. */
  readonly hiddenCount: number;
  /** Smallest and largest value of these series at each time. */
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

/** `factor` is applied to every value; `stepMillis` is the width of a bucket. */
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
 * Returns the title of the line without labels, which is the only line, or lacks the labels of the
 * others.
 */
function unlabelledTitle(answer: readonly MetricsSeries[]): string {
  const names = new Set(answer.flatMap((series) => [...toLabels(series).keys()]));
  return names.size === 0 ? 'all' : `no ${[...names].sort().join(' or ')}`;
}

/** Share of the whole of each line, and of all lines that are not drawn. */
export interface LegendShares {
  readonly series: readonly MetricsLine[];
  /** Share of each series, 0 .. 1; with `hiddenShare` they add up to 1, or all are 0. */
  readonly shares: readonly number[];
  readonly hiddenCount: number;
  readonly hiddenShare: number;
}

/**
 * Returns the shares of `answer`, which may cover a part of the graph's time; the largest first.
 */
export function buildLegend(
  { series, hiddenCount }: Pick<MetricsData, 'series' | 'hiddenCount'>,
  answer: readonly MetricsSeries[],
): LegendShares {
  // The title of a line without labels depends on the other lines.
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
  // A single spacing does not determine the usual one.
  if (spacings.length < 2) return 0;
  return spacings.sort((a, b) => a - b)[Math.floor((spacings.length - 1) / 2)];
}

/** Returns all times of all lines, and one time inside each gap that no line covers. */
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
 * Returns the values of a line without short holes, so that the times of other lines do not
 * interrupt it.
 *
 * A hole stays if it is inside a gap in which every line is empty.
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

/**
 * Returns the seconds for which a series was profiled in an unfinished bucket; undefined for other
 * buckets.
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
 * Splits a line in two: the values of finished buckets, and those of unfinished buckets with their
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

/** Returns the bucket that starts at a time of the graph. */
export function pointSpan(seconds: number, stepMillis: number): Span {
  const from = Math.round(seconds * 1e3);
  return { from, to: from + stepMillis - 1 };
}
