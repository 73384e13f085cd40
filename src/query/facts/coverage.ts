// How much time the profiles of a selection cover, and by what their sum becomes an average.
import type { QueryContext } from '../running/context.ts';
import type { Span } from './spans.ts';
import { Spacings } from './spacings.ts';

/** A stretch of the profiles of a series. */
export type TimedSpan = Pick<Span, 'digest' | 'columns'>;

/** When one series was profiled; nanoseconds from the earliest profile of all series. */
interface Timeline {
  readonly spans: readonly TimedSpan[];
  readonly profileCount: number;
  /** Sum of the magnitudes of its values. */
  readonly weight: number;
  /** Usual time from one profile to the next; 0 with a single moment. */
  readonly spacing: number;
  /** What each profile covers before the next one starts, in all. */
  readonly covered: number;
  readonly lastDuration: number;
}

/** A stretch of time in which a series was profiled at its usual pace. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Later than so many usual steps is a gap: one missed profile makes one. */
const gapSteps = 1.5;
/** A profile stands for at most so many times its duration: sampling one second in ten. */
const standsForMax = 10;

/**
 * What the sum of all values must be divided by to become an average over the time in which
 * something was profiled: nanoseconds for profiles with a duration, else a number of snapshots.
 *
 * - Series side by side add up: two processes that each use a core are two cores, also when their
 *   profiles are taken in turns (10 s of every minute, at different offsets).
 * - Series one after the other do not: a process that took over from another is one core.
 * - Gaps of all series do not count. A series alone is divided by what its profiles cover, overlaps
 *   counted once.
 *
 * So a series weighs with its own average times the stretches in which it was alive, and the sum of
 * these is spread over the time in which any was. `rangeNanos` is the length of the asked range: a
 * lone snapshot stands for all of it.
 *
 * The answer is one of the series' profiles alone, however they are split into spans: digests say
 * what is covered, and where spacings vary or there are gaps, times are read.
 */
export async function averagingDivisor(
  series: readonly (readonly TimedSpan[])[],
  isDelta: boolean,
  rangeNanos: number,
  context: QueryContext,
): Promise<number> {
  const { shares, union } = await coverageOf(series, isDelta, rangeNanos, context);
  const spread = sumInOrder(
    shares.filter(isAlive).map(({ weight, alive, covered }) => (weight / covered) * alive),
  );
  const longest = shares.reduce((most, { covered }) => Math.max(most, covered), 0);
  const weights = shares.filter(isAlive).map(({ weight }) => weight);
  return spread > 0 ? (sumInOrder(weights) / spread) * union : longest;
}

/**
 * What the sum of each series must be multiplied by to become what it adds to the average that
 * `averagingDivisor` makes of the sum of all: what it has itself, for as long as it was alive.
 */
export async function averagingFactors(
  series: readonly (readonly TimedSpan[])[],
  isDelta: boolean,
  rangeNanos: number,
  context: QueryContext,
): Promise<Float64Array> {
  const { shares, union } = await coverageOf(series, isDelta, rangeNanos, context);
  const longest = shares.reduce((most, { covered }) => Math.max(most, covered), 0);
  const hasStretches = shares.some(isAlive) && union > 0;
  return Float64Array.from(shares, (share) => {
    if (hasStretches) return isAlive(share) ? share.alive / share.covered / union : 0;
    return longest > 0 ? 1 / longest : 0;
  });
}

/** One series: its weight, what its profiles cover, and how long it was alive. */
interface SeriesShare {
  readonly weight: number;
  readonly covered: number;
  readonly alive: number;
}

function isAlive({ alive, covered }: SeriesShare): boolean {
  return alive > 0 && covered > 0;
}

/** `union`: how long any series was alive. */
async function coverageOf(
  series: readonly (readonly TimedSpan[])[],
  isDelta: boolean,
  rangeNanos: number,
  context: QueryContext,
): Promise<{ readonly shares: readonly SeriesShare[]; readonly union: number }> {
  const timelines: Timeline[] = [];
  for (const spans of series) {
    timelines.push(await readTimeline(spans));
    await context.pause();
  }
  if (timelines.length === 0) return { shares: [], union: 0 };
  const base = earliest(series);
  const usual = usualStep(timelines, isDelta, rangeNanos);
  const all: Stretch[] = [];
  const shares: SeriesShare[] = [];
  for (const timeline of timelines) {
    const step = stepOf(timeline, isDelta, usual);
    const stretches = await stretchesOf(timeline, step, base);
    await context.pause();
    const alive = stretches.reduce((total, { from, to }) => total + to - from, 0);
    const covered = isDelta ? timeline.covered : timeline.profileCount;
    shares.push({ weight: timeline.weight, covered, alive });
    for (const stretch of stretches) all.push(stretch);
  }
  return { shares, union: unionOf(all, usual) };
}

function earliest(series: readonly (readonly TimedSpan[])[]): bigint {
  let [[{ digest }]] = series;
  for (const [span] of series) {
    if (span.digest.firstNanos < digest.firstNanos) ({ digest } = span);
  }
  return digest.firstNanos;
}

async function readTimeline(spans: readonly TimedSpan[]): Promise<Timeline> {
  const spacings = new Spacings();
  let profileCount = 0;
  let weight = 0;
  let covered = 0;
  let before: Span['digest'] | undefined;
  for (const { digest, columns } of spans) {
    if (before !== undefined) {
      const spacing = Number(digest.firstNanos - before.lastNanos);
      spacings.add(spacing);
      covered += Math.min(Math.max(before.lastDurationNanos, 0), spacing);
    }
    if (!spacings.addDigest(digest)) spacings.addTimes(await columns());
    profileCount += digest.profileCount;
    weight += digest.magnitude;
    covered += digest.coveredNanos;
    before = digest;
  }
  const lastDuration = before?.lastDurationNanos ?? 0;
  covered += Math.max(lastDuration, 0);
  return { spans, profileCount, weight, covered, lastDuration, spacing: spacings.usual() };
}

/** The lower of the middle two; 0 of nothing. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted.length === 0 ? 0 : sorted[(sorted.length - 1) >> 1];
}

/** The sum, the same in whatever order the values come. */
function sumInOrder(values: readonly number[]): number {
  return Float64Array.from(values)
    .sort()
    .reduce((sum, value) => sum + value, 0);
}

/** The step that most series have; of lone profiles their duration, or the whole range. */
function usualStep(timelines: readonly Timeline[], isDelta: boolean, range: number): number {
  const steps = timelines
    .filter(({ spacing }) => spacing > 0)
    .map((timeline) => stepOf(timeline, isDelta, 0));
  if (steps.length > 0) return median(steps);
  if (!isDelta) return range;
  return timelines.reduce((longest, { lastDuration }) => Math.max(longest, lastDuration), 0);
}

/** What each profile of a series stands for. */
function stepOf({ spacing, lastDuration }: Timeline, isDelta: boolean, usual: number): number {
  const step = spacing === 0 ? usual : spacing;
  if (!isDelta) return step;
  return step > standsForMax * lastDuration ? lastDuration : Math.max(step, lastDuration);
}

/** The stretches without gaps; from `base` on. */
async function stretchesOf({ spans }: Timeline, step: number, base: bigint): Promise<Stretch[]> {
  const gap = gapSteps * step;
  const stretches: Stretch[] = [];
  let from = Number(spans[0].digest.firstNanos - base);
  let last = from;
  const visit = (time: number): void => {
    if (time - last > gap) {
      stretches.push({ from, to: last + step });
      from = time;
    }
    last = time;
  };
  for (const { digest, columns } of spans) {
    visit(Number(digest.firstNanos - base));
    if (digest.spacingMaxNanos > gap) {
      const { profileCount, timeNanos } = await columns();
      for (let i = 1; i < profileCount; i += 1) visit(Number(timeNanos[i] - base));
    }
    last = Number(digest.lastNanos - base);
  }
  stretches.push({ from, to: last + step });
  return stretches;
}

/** The time in any stretch. Series that start within one step of each other started together. */
function unionOf(stretches: readonly Stretch[], step: number): number {
  const aligned = stretches
    .map(({ from, to }) => {
      const start = step > 0 ? Math.floor(from / step) * step : from;
      return { from: start, to: start + to - from };
    })
    .sort((a, b) => a.from - b.from);
  let union = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (const { from, to } of aligned) {
    union += Math.max(0, to - Math.max(end, from));
    end = Math.max(end, to);
  }
  return union;
}
