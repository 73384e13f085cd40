// Describes the times at which one series was profiled: usual interval, covered time, gaps.
import type { ProfileColumns } from './profile-columns.ts';
import type { ProfileDigest } from './profile-digest.ts';
import { IntervalClasses } from './usual-interval.ts';

/**
 * Profiles of a series in order of time, all of which are later than the profiles of earlier spans.
 */
export interface TimedSpan {
  readonly digest: ProfileDigest;
  /** Returns the profiles. Ownership: views, valid until the next await. */
  columns(): ProfileColumns | Promise<ProfileColumns>;
}

/** A time range without gaps, from its first to its last profile. */
export interface Stretch {
  readonly from: bigint;
  readonly to: bigint;
}

export interface Timeline {
  readonly profileCount: number;
  /** Approximate sum of the magnitudes of the profiles' totals. */
  readonly magnitude: number;
  /** Usual time from one profile to the next, in nanoseconds; 0 if there is only one time. */
  readonly intervalNanos: number;
  /**
   * Time that all profiles cover: each profile up to the next one, but at most for its duration.
   */
  readonly coveredNanos: number;
  readonly lastDurationNanos: number;
  /**
   * True if time without profiles counts as idle time, because the agent was watching then, too.
   */
  readonly isContinuous: boolean;
  /**
   * Stretches in order of time. The gap between two stretches is longer than 1.5 times
   * `usualStepNanos`.
   */
  readonly stretches: readonly Stretch[];
}

/**
 * Distance between two profiles, in usual steps, above which there is a gap. Even a single missed
 * profile makes a gap.
 */
export const gapSteps = 1.5;
/**
 * Maximum number of durations of a profile that the profile may represent, because some programs
 * are sampled for one second in ten.
 */
const standsForMax = 10;

/**
 * Returns the nanoseconds that each profile of a series represents. `usual` is used for a series
 * with a single time: the interval of other series.
 */
export function usualStepNanos(
  { intervalNanos, lastDurationNanos }: Pick<Timeline, 'intervalNanos' | 'lastDurationNanos'>,
  isDelta: boolean,
  usual: number,
): number {
  const step = intervalNanos === 0 ? usual : intervalNanos;
  if (!isDelta) return step;
  return step > standsForMax * lastDurationNanos
    ? lastDurationNanos
    : Math.max(step, lastDurationNanos);
}

/**
 * Returns the timeline of at least one span, independent of how the profiles are split into spans.
 * The covered time comes from digests; the times are read only if intervals vary or there are gaps.
 */
export async function buildTimeline(
  spans: readonly TimedSpan[],
  isDelta: boolean,
  isContinuous = false,
): Promise<Timeline> {
  const intervals = new IntervalClasses();
  let [profileCount, magnitude, coveredNanos] = [0, 0, 0];
  let before: ProfileDigest | undefined;
  for (const span of spans) {
    const { digest } = span;
    if (before !== undefined) {
      const interval = Number(digest.firstNanos - before.lastNanos);
      intervals.add(interval);
      coveredNanos += Math.min(Math.max(before.lastDurationNanos, 0), interval);
    }
    if (!intervals.addDigest(digest)) intervals.addTimes(await span.columns());
    profileCount += digest.profileCount;
    magnitude += digest.magnitude;
    coveredNanos += digest.coveredNanos;
    before = digest;
  }
  const lastDurationNanos = before?.lastDurationNanos ?? 0;
  coveredNanos += Math.max(lastDurationNanos, 0);
  const intervalNanos = intervals.usual();
  const times = {
    profileCount,
    magnitude,
    intervalNanos,
    coveredNanos,
    lastDurationNanos,
    isContinuous,
  };
  const stretches = await findStretches(spans, gapSteps * usualStepNanos(times, isDelta, 0));
  return { ...times, stretches };
}

/**
 * Returns the timeline of a series from the timelines of two parts of it. The usual interval is the
 * interval of the part with more profiles.
 */
export function joinTimelines(before: Timeline, after: Timeline, isDelta: boolean): Timeline {
  const [last] = before.stretches.slice(-1);
  const [next] = after.stretches;
  const between = Number(next.from - last.to);
  const [larger, smaller] =
    before.profileCount < after.profileCount ? [after, before] : [before, after];
  const lasts = Math.max(before.lastDurationNanos, 0);
  const times = {
    profileCount: before.profileCount + after.profileCount,
    magnitude: before.magnitude + after.magnitude,
    intervalNanos: larger.intervalNanos || smaller.intervalNanos || between,
    coveredNanos: before.coveredNanos - lasts + Math.min(lasts, between) + after.coveredNanos,
    lastDurationNanos: after.lastDurationNanos,
    isContinuous: before.isContinuous,
  };
  const isGap = between > gapSteps * usualStepNanos(times, isDelta, 0);
  const stretches = isGap
    ? [...before.stretches, ...after.stretches]
    : [
        ...before.stretches.slice(0, -1),
        { from: last.from, to: next.to },
        ...after.stretches.slice(1),
      ];
  return { ...times, stretches };
}

async function findStretches(spans: readonly TimedSpan[], gapNanos: number): Promise<Stretch[]> {
  const stretches: Stretch[] = [];
  let from = spans[0].digest.firstNanos;
  let last = from;
  const visit = (time: bigint): void => {
    if (Number(time - last) > gapNanos) {
      stretches.push({ from, to: last });
      from = time;
    }
    last = time;
  };
  for (const span of spans) {
    const { digest } = span;
    visit(digest.firstNanos);
    if (digest.spacingMaxNanos > gapNanos) {
      const { profileCount, timeNanos } = await span.columns();
      for (let i = 1; i < profileCount; i += 1) visit(timeNanos[i]);
    }
    last = digest.lastNanos;
  }
  stretches.push({ from, to: last });
  return stretches;
}
