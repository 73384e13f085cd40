// The increases of a selection's series in a range: the steps between profiles, and statistics.
import { int64Min } from '../../base/int64.ts';
import { increaseGapNanosMax } from '../../base/limits.ts';
import { formatProfileType, type ProfileType } from '../../model/profile-type.ts';
import { PeriodSums, type PeriodSum } from '../../model/profiles/period-sums.ts';
import type { ProfileColumns } from '../../model/profiles/profile-columns.ts';
import { computeDigest } from '../../model/profiles/profile-digest.ts';
import {
  joinSteps,
  magnitudeOfSteps,
  partsOfSteps,
  profilesOfSteps,
  stepsEndingIn,
  computeSteps,
  worthOfSteps,
  type IncreaseSteps,
} from '../../model/profiles/steps.ts';
import { buildTimeline, type TimedSpan, type Timeline } from '../../model/profiles/timeline.ts';
import { QueryError, type Selector, type TextSpan } from '../../promql-like/query.ts';
import type {
  ReadContext,
  SelectedSeries,
  Selection,
  SeriesSteps,
  TimeRange,
} from '../../storage/interface.ts';
import { checkExactSum, roughSumMax } from './scaling.ts';

export interface SelectedIncrease {
  /** Steps of the series that have steps. */
  readonly steps: ReadonlyMap<SelectedSeries, SeriesSteps>;
  /**
   * Sums by period over the steps of these series, if requested. Each step counts as a profile with
   * the step's time.
   */
  readonly periods: readonly PeriodSum[];
  readonly timelines: ReadonlyMap<SelectedSeries, Timeline>;
  /** The same steps, as profiles with the start times of the steps; only if requested. */
  readonly records: ReadonlyMap<SelectedSeries, ProfileColumns>;
  /** Approximate sum of the magnitudes of the steps' values. */
  readonly magnitude: number;
  /** Number of rows of the last profile before each restart. Earlier profiles repeat these rows. */
  readonly lastRowCount: number;
  /** Number of series with profiles in the range. */
  readonly seriesCount: number;
  /** Number of these series whose increase is unknown, because no earlier profile exists. */
  readonly unknownCount: number;
}

export interface IncreaseOptions {
  /** Ranges of the increase, at least one; the selection must cover `withStarts(ranges)`. */
  readonly ranges: readonly TimeRange[];
  readonly isScaled: boolean;
  /** True if every step is needed; otherwise successive steps are joined. */
  readonly isByStep: boolean;
  /** True if periods and timelines are needed. */
  readonly isTimed: boolean;
  /** True if records are also needed. */
  readonly keepsRecords?: boolean;
}

/**
 * Returns the range to read, or none without `ranges`. It begins early enough that the first
 * profile in each of `ranges` has a predecessor.
 */
export function withStarts(ranges: readonly TimeRange[]): TimeRange[] {
  const [first, last] = [ranges.at(0), ranges.at(-1)];
  if (first === undefined || last === undefined) return [];
  const start = first.from - BigInt(increaseGapNanosMax);
  return [{ from: start < int64Min ? int64Min : start, to: last.to }];
}

/** Selects the steps. Errors: AppError 'out-of-range' when their sum would not fit an int64. */
export async function selectIncrease(
  selection: Selection,
  { ranges, isScaled, isByStep, isTimed, keepsRecords = false }: IncreaseOptions,
  context: ReadContext,
): Promise<SelectedIncrease> {
  const steps = new Map<SelectedSeries, SeriesSteps>();
  const periods = new PeriodSums();
  const timelines = new Map<SelectedSeries, Timeline>();
  const records = new Map<SelectedSeries, ProfileColumns>();
  let [magnitude, lastRowCount, seriesCount] = [0, 0, 0];
  for await (const { series, columns } of selection.profiles(context)) {
    const isIn = (time: bigint): boolean =>
      ranges.some(({ from, to }) => time >= from && time <= to);
    if (columns.timeNanos.findLast(isIn) === undefined) continue;
    seriesCount += 1;
    const own = stepsWithin(ranges, columns);
    if (own.length === 0) continue;
    magnitude += magnitudeOfSteps(own, columns, isScaled);
    const joined = joinSteps(own);
    const read = isByStep ? own : joined;
    steps.set(series, { steps: read, ...partsOfSteps(read, columns) });
    lastRowCount += profilesOfSteps(joined, columns, false).count.reduce(plus, 0);
    if (!isTimed) continue;
    const profiles = { ...profilesOfSteps(own, columns, false), timeNanos: own.fromNanos };
    const span = timedSpan(profiles);
    await periods.add(span);
    timelines.set(series, await buildTimeline([span], true));
    if (keepsRecords) records.set(series, profiles);
  }
  await checkIncreaseFits(magnitude, selection, { ranges, isScaled }, context);
  const unknownCount = seriesCount - steps.size;
  const counts = { lastRowCount, seriesCount, unknownCount };
  return { steps, periods: periods.all, timelines, records, magnitude, ...counts };
}

/** Checks that the sum of the steps' values fits an int64, like `checkMagnitude`. */
async function checkIncreaseFits(
  magnitude: number,
  selection: Selection,
  { ranges, isScaled }: Pick<IncreaseOptions, 'ranges' | 'isScaled'>,
  context: ReadContext,
): Promise<void> {
  if (magnitude < roughSumMax) return;
  await checkExactSum(async (add) => {
    for await (const { series, columns } of selection.profiles(context)) {
      const last = columns.timeNanos[columns.profileCount - 1];
      for (const worth of worthOfSteps(stepsWithin(ranges, columns), columns, isScaled)) {
        add(worth, series, last);
      }
    }
  });
}

/** Throws QueryError for profiles that are not counters since the start of their program. */
export function checkCounts(type: ProfileType, { text }: Selector, increase: TextSpan): void {
  if (!type.delta) return;
  const reason = `expected profiles without :delta before increase, got ${formatProfileType(type)}`;
  throw new QueryError(reason, text, increase);
}

/** Returns the sentence about series whose increase is unknown; undefined if there are none. */
export function unknownSentence({
  unknownCount,
  seriesCount,
}: SelectedIncrease): string | undefined {
  if (unknownCount === 0) return undefined;
  const series = seriesCount === 1 ? 'the series' : `${unknownCount} of ${seriesCount} series`;
  return `the increase of ${series} is not known: it takes two profiles that are at most an hour apart`;
}

/** Returns the steps that end in one of the ranges. There must be at least one range. */
function stepsWithin(ranges: readonly TimeRange[], columns: ProfileColumns): IncreaseSteps {
  const all = computeSteps(columns, ranges[0].from);
  return ranges.length === 1 ? all : stepsEndingIn(all, ranges);
}

function timedSpan(columns: ProfileColumns): TimedSpan {
  const rowCount = columns.count.reduce(plus, 0);
  return { digest: computeDigest(columns, rowCount), columns: () => columns };
}

function plus(a: number, b: number): number {
  return a + b;
}
