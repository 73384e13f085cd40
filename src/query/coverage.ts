// How much time the profiles of a selection cover, and by what their sum becomes an average.
import { sumMagnitude } from '../model/merge.ts';
import type { LoadedSeries } from './loaded-selection.ts';

/** The columns of a series that say when it was profiled, and how much each profile weighs. */
export type ProfiledTimes = Pick<
  LoadedSeries,
  'profileCount' | 'timeNanos' | 'durationNanos' | 'total'
>;

/** When one series was profiled; nanoseconds from the earliest profile of all series. */
interface Timeline {
  readonly starts: Float64Array;
  readonly durations: Float64Array;
  /** Sum of the magnitudes of its values. */
  readonly weight: number;
  /** Usual time from one profile to the next; 0 with a single profile. */
  readonly spacing: number;
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
const spacingsRead = 64;

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
 */
export function averagingDivisor(
  series: readonly ProfiledTimes[],
  isDelta: boolean,
  rangeNanos: number,
): number {
  const timelines = readTimelines(series.filter(({ profileCount }) => profileCount > 0));
  if (timelines.length === 0) return 0;
  const usual = usualStep(timelines, isDelta, rangeNanos);
  const all: Stretch[] = [];
  let sum = 0;
  let spread = 0;
  let longest = 0;
  for (const timeline of timelines) {
    const step = stepOf(timeline, isDelta, usual);
    const stretches = stretchesOf(timeline, step);
    const alive = stretches.reduce((total, { from, to }) => total + to - from, 0);
    const covered = isDelta ? coveredBy(timeline) : timeline.starts.length;
    longest = Math.max(longest, covered);
    if (alive > 0 && covered > 0) {
      sum += timeline.weight;
      spread += (timeline.weight / covered) * alive;
    }
    for (const stretch of stretches) all.push(stretch);
  }
  return spread > 0 ? (sum / spread) * unionOf(all, usual) : longest;
}

function readTimelines(series: readonly ProfiledTimes[]): Timeline[] {
  let base: bigint | undefined;
  for (const { timeNanos } of series) {
    if (base === undefined || timeNanos[0] < base) base = timeNanos[0];
  }
  return series.map(({ timeNanos, durationNanos, total }) => {
    const starts = toNumbers(timeNanos, base ?? 0n);
    const durations = toNumbers(durationNanos, 0n);
    return { starts, durations, weight: sumMagnitude(total), spacing: medianSpacing(starts) };
  });
}

/** The values less `base`, exact up to 2^53: 104 days. */
function toNumbers(values: BigInt64Array, base: bigint): Float64Array {
  const words = new Int32Array(values.buffer, values.byteOffset, values.length * 2);
  const baseHigh = Number(base >> 32n);
  const baseLow = Number(BigInt.asUintN(32, base));
  const numbers = new Float64Array(values.length);
  for (let i = 0; i < numbers.length; i += 1) {
    numbers[i] = (words[2 * i + 1] - baseHigh) * 0x1_0000_0000 + (words[2 * i] >>> 0) - baseLow;
  }
  return numbers;
}

/** The median of some spacings, evenly chosen. */
function medianSpacing(starts: Float64Array): number {
  const count = starts.length - 1;
  const read = Math.min(count, spacingsRead);
  const spacings = Array.from({ length: read }, (_, i) => {
    const at = Math.floor((i * count) / read);
    return starts[at + 1] - starts[at];
  });
  return median(spacings);
}

/** The lower of the middle two; 0 of nothing. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted.length === 0 ? 0 : sorted[(sorted.length - 1) >> 1];
}

/** The step that most series have; of lone profiles their duration, or the whole range. */
function usualStep(timelines: readonly Timeline[], isDelta: boolean, range: number): number {
  const steps = timelines
    .filter(({ spacing }) => spacing > 0)
    .map((timeline) => stepOf(timeline, isDelta, 0));
  if (steps.length > 0) return median(steps);
  return isDelta ? Math.max(...timelines.map(({ durations }) => durations[0])) : range;
}

/** What each profile of a series stands for. */
function stepOf({ spacing, durations }: Timeline, isDelta: boolean, usual: number): number {
  const step = spacing === 0 ? usual : spacing;
  if (!isDelta) return step;
  const duration = durations[durations.length - 1];
  return step > standsForMax * duration ? duration : Math.max(step, duration);
}

function stretchesOf({ starts }: Timeline, step: number): Stretch[] {
  const stretches: Stretch[] = [];
  let [from] = starts;
  for (let i = 1; i < starts.length; i += 1) {
    if (starts[i] - starts[i - 1] <= gapSteps * step) continue;
    stretches.push({ from, to: starts[i - 1] + step });
    from = starts[i];
  }
  stretches.push({ from, to: starts[starts.length - 1] + step });
  return stretches;
}

/** The time of all profiles, overlaps counted once. */
function coveredBy({ starts, durations }: Timeline): number {
  let covered = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < starts.length; i += 1) {
    const profileEnd = starts[i] + durations[i];
    covered += Math.max(0, profileEnd - Math.max(end, starts[i]));
    end = Math.max(end, profileEnd);
  }
  return covered;
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
