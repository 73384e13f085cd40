// When one series was profiled: its usual pace, what its profiles cover, and where gaps are.
import type { ProfileColumns } from './profile-columns.ts';
import type { ProfileDigest } from './profile-digest.ts';
import { IntervalClasses } from './usual-interval.ts';

/** Profiles of a series in order of time, later than those of the spans before. */
export interface TimedSpan {
  readonly digest: ProfileDigest;
  /** Ownership: views, valid until the next await. */
  columns(): ProfileColumns | Promise<ProfileColumns>;
}

/** A time without gaps, from its first profile to its last one. */
export interface Stretch {
  readonly from: bigint;
  readonly to: bigint;
}

export interface Timeline {
  readonly profileCount: number;
  /** About the sum of the magnitudes of the profiles' totals. */
  readonly magnitude: number;
  /** Usual time from one profile to the next, in nanoseconds; 0 with a single moment. */
  readonly intervalNanos: number;
  /** Time that profiles cover in all: each up to the next one, at most its duration. */
  readonly coveredNanos: number;
  readonly lastDurationNanos: number;
  /** In order of time; a gap between them is longer than 1.5 of `stepNanosOf`. */
  readonly stretches: readonly Stretch[];
}

/** Usual steps after which there is a gap: one missed profile makes one. */
const gapSteps = 1.5;
/** Durations that a profile stands for at most: some programs are sampled one second in ten. */
const standsForMax = 10;

/**
 * Nanoseconds that each profile of a series stands for; `usual` is that of other series, for a
 * series of a single moment.
 */
export function stepNanosOf(
  { intervalNanos, lastDurationNanos }: Omit<Timeline, 'stretches'>,
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
 * The timeline of at least one span. It is one of the profiles alone, however they are split into
 * spans: digests say what is covered, and where intervals vary or there are gaps, times are read.
 */
export async function timelineOf(spans: readonly TimedSpan[], isDelta: boolean): Promise<Timeline> {
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
  const times = { profileCount, magnitude, intervalNanos, coveredNanos, lastDurationNanos };
  const stretches = await stretchesOf(spans, gapSteps * stepNanosOf(times, isDelta, 0));
  return { ...times, stretches };
}

async function stretchesOf(spans: readonly TimedSpan[], gapNanos: number): Promise<Stretch[]> {
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
