// The time that the profiles of a selection cover, and the divisor that turns their sum into an
// average.
import { usualStepNanos, type Timeline } from '../../model/profiles/timeline.ts';

/**
 * A period in which a series was profiled, in nanoseconds from the earliest profile of all series.
 */
interface AliveTime {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the divisor that turns the sum of all values into an average over the time in which any
 * series was profiled: nanoseconds for profiles with a duration, else a number of snapshots.
 *
 * - Concurrent series add up: two processes that each use a core are two cores, even if their
 *   profiles alternate (10 s of every minute, at different offsets).
 * - Successive series do not add up: a process and the process that replaced it are one core.
 * - Gaps that all series share are left out. A single series is divided by the time that its
 *   profiles cover, with overlaps counted once.
 *
 * Therefore the average of each series is multiplied by the time in which the series was alive, and
 * the sum of these products is divided by the time in which any series was alive. `rangeNanos` is
 * the length of the requested range: a single snapshot represents all of it.
 *
 * A series of continuous profiles (`Timeline.isContinuous`) was idle in the time between its
 * profiles, so its sum is used. An example is one minute of a host with 1.93 cores in use, where
 * most programs had few samples: the rule for other series gave 1.17 cores.
 */
export function averagingDivisor(
  timelines: readonly Timeline[],
  isDelta: boolean,
  rangeNanos: number,
): number {
  const { shares, union } = computeCoverage(timelines, isDelta, rangeNanos);
  const spread = sumInOrder(
    shares.filter(isAlive).map(({ magnitude, alive, covered }) => (magnitude / covered) * alive),
  );
  const magnitudes = shares.filter(isAlive).map(({ magnitude }) => magnitude);
  return spread > 0 ? (sumInOrder(magnitudes) / spread) * union : findLongest(shares);
}

/**
 * Returns the factor that turns the sum of each series into its share of the average, which is the
 * average of the series over the time in which it was alive.
 */
export function averagingFactors(
  timelines: readonly Timeline[],
  isDelta: boolean,
  rangeNanos: number,
): Float64Array {
  const { shares, union } = computeCoverage(timelines, isDelta, rangeNanos);
  const longest = findLongest(shares);
  const hasStretches = shares.some(isAlive) && union > 0;
  return Float64Array.from(shares, (share) => {
    if (hasStretches) return isAlive(share) ? share.alive / share.covered / union : 0;
    return longest > 0 ? 1 / longest : 0;
  });
}

/**
 * One series: the magnitude of its values, the time that its profiles cover, and the time in which
 * it was alive.
 */
interface SeriesShare {
  readonly magnitude: number;
  readonly covered: number;
  readonly alive: number;
}

function isAlive({ alive, covered }: SeriesShare): boolean {
  return alive > 0 && covered > 0;
}

function findLongest(shares: readonly SeriesShare[]): number {
  return shares.reduce((most, { covered }) => Math.max(most, covered), 0);
}

/** Computes the share of each series. `union` is the time in which any series was alive. */
function computeCoverage(
  timelines: readonly Timeline[],
  isDelta: boolean,
  rangeNanos: number,
): { readonly shares: readonly SeriesShare[]; readonly union: number } {
  if (timelines.length === 0) return { shares: [], union: 0 };
  const base = earliest(timelines);
  const usual = usualStep(timelines, isDelta, rangeNanos);
  const all: AliveTime[] = [];
  const shares = timelines.map((timeline) => {
    const step = representedNanos(timeline, isDelta, usual);
    let alive = 0;
    for (const stretch of timeline.stretches) {
      const [from, to] = [Number(stretch.from - base), Number(stretch.to - base) + step];
      alive += to - from;
      all.push({ from, to });
    }
    const covered = isDelta ? timeline.coveredNanos : timeline.profileCount;
    if (timeline.isContinuous) alive = covered;
    return { magnitude: timeline.magnitude, covered, alive };
  });
  return { shares, union: measureUnion(all, usual) };
}

function earliest([{ stretches }, ...others]: readonly Timeline[]): bigint {
  let [{ from }] = stretches;
  for (const other of others) if (other.stretches[0].from < from) [{ from }] = other.stretches;
  return from;
}

/** Returns the lower of the two middle values; 0 without values. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted.length === 0 ? 0 : sorted[(sorted.length - 1) >> 1];
}

/** Returns the sum, which does not depend on the order of the values. */
function sumInOrder(values: readonly number[]): number {
  return Float64Array.from(values)
    .sort()
    .reduce((sum, value) => sum + value, 0);
}

/** Returns the nanoseconds that each profile of a series represents, see `usualStepNanos`. */
export function representedNanos(timeline: Timeline, isDelta: boolean, usual: number): number {
  return timeline.isContinuous
    ? timeline.lastDurationNanos
    : usualStepNanos(timeline, isDelta, usual);
}

/**
 * Returns the step that most series have; for single profiles, their duration or the length of the
 * range.
 */
export function usualStep(timelines: readonly Timeline[], isDelta: boolean, range: number): number {
  const steps = timelines
    .filter(({ intervalNanos }) => intervalNanos > 0)
    .map((timeline) => representedNanos(timeline, isDelta, 0));
  if (steps.length > 0) return median(steps);
  if (!isDelta) return range;
  return timelines.reduce((most, { lastDurationNanos }) => Math.max(most, lastDurationNanos), 0);
}

/**
 * Returns the length of the union of all intervals. Intervals that start within one step of each
 * other are treated as if they started together.
 */
function measureUnion(stretches: readonly AliveTime[], step: number): number {
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
