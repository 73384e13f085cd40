// The covered time of each bucket of each line, computed from the times of all profiles.
import { floorTo } from '../../base/int64.ts';
import { rateBucketsMax } from '../limits.ts';
import type { ProfileColumns } from '../../model/profiles/profile-columns.ts';
import type { Timeline } from '../../model/profiles/timeline.ts';
import type {
  LineOverTime,
  SelectedSeries,
  SeriesProfiles,
  TimeRange,
} from '../../storage/interface.ts';
import type { SelectedIncrease } from '../merge/increase.ts';
import type { QueryContext } from '../running/context.ts';
import {
  type BucketGrid,
  type CoveredBuckets,
  CoveredRates,
  type RecordKind,
  SeriesSums,
} from './covered-rates.ts';
import type { CoveredBucket } from './line-values.ts';

/** Bytes of a bucket of a line: started and spread values, factor and covered time. */
const bucketBytes = 32;

/** Returns the buckets of the ranges; undefined if they have no width, or if there are too many. */
export function makeGrid(
  ranges: readonly TimeRange[],
  stepNanos: bigint,
  offsetNanos: bigint,
): BucketGrid | undefined {
  const [first, last] = [ranges.at(0), ranges.at(-1)];
  if (first === undefined || last === undefined || stepNanos <= 0n) return undefined;
  const startNanos = floorTo(first.from + offsetNanos, stepNanos);
  const count = (last.to + offsetNanos - startNanos) / stepNanos + 1n;
  if (count > rateBucketsMax) return undefined;
  return { startNanos, stepNanos: Number(stepNanos), count: Number(count), offsetNanos };
}

/** Yields the steps of an increase as profiles. */
export function* listProfiles({ records }: SelectedIncrease): Generator<SeriesProfiles> {
  for (const [series, columns] of records) yield { series, columns };
}

/** A query for the covered time of buckets. */
export interface TimesQuestion {
  readonly grid: BucketGrid;
  readonly kind: RecordKind;
  readonly timelines: ReadonlyMap<SelectedSeries, Timeline>;
  /** Total length of the queried ranges. */
  readonly rangeNanos: number;
  readonly profiles: AsyncIterable<SeriesProfiles> | Iterable<SeriesProfiles>;
  /** True if a series may be in two parts, before and after an excluded time. */
  readonly isInParts: boolean;
  readonly context: QueryContext;
}

/**
 * Returns a function that takes a line and returns a second function. The second function takes
 * the start of a bucket and returns the bucket's covered time.
 */
export async function coveredTimes(
  lines: readonly LineOverTime[],
  { grid, kind, timelines, rangeNanos, profiles, isInParts, context }: TimesQuestion,
): Promise<(line: number) => (startNanos: bigint) => CoveredBucket> {
  context.budget.hold(lines.length * grid.count * bucketBytes);
  const sums = new SeriesSums(grid);
  const ratesBySeries = new Map<SelectedSeries, CoveredRates[]>();
  const rates = lines.map(({ shares }) => {
    const own = Array.from(shares.keys()).flatMap((series) => timelines.get(series) ?? []);
    const line = new CoveredRates(sums, kind, own, rangeNanos);
    for (const series of shares.keys()) {
      const before = ratesBySeries.get(series);
      if (before === undefined) ratesBySeries.set(series, [line]);
      else before.push(line);
    }
    return line;
  });
  const addSeries = (series: SelectedSeries, columns: ProfileColumns): void => {
    const timeline = timelines.get(series);
    if (timeline === undefined) return;
    for (const line of ratesBySeries.get(series) ?? []) line.add({ timeline, columns });
  };
  const parts = new Map<SelectedSeries, ProfileColumns>();
  for await (const { series, columns } of profiles) {
    if (isInParts) parts.set(series, joinProfiles(parts.get(series), columns));
    else addSeries(series, columns);
    const pausing = context.pause();
    if (pausing !== undefined) await pausing;
  }
  for (const [series, columns] of parts) addSeries(series, columns);
  const covered = rates.map((line) => line.finish());
  return (line) => coveredReader(covered[line], grid);
}

function coveredReader(
  { factor, coveredNanos }: CoveredBuckets,
  { startNanos, stepNanos }: BucketGrid,
): (start: bigint) => CoveredBucket {
  return (start) => {
    const i = Math.round(Number(start - startNanos) / stepNanos);
    return { factor: factor[i] ?? 0, coveredNanos: coveredNanos[i] ?? 0 };
  };
}

/** Appends copies of profiles to the profiles of an earlier part. */
function joinProfiles(before: ProfileColumns | undefined, after: ProfileColumns): ProfileColumns {
  const join = (a: BigInt64Array | undefined, b: BigInt64Array): BigInt64Array => {
    const all = new BigInt64Array((a?.length ?? 0) + b.length);
    if (a !== undefined) all.set(a);
    all.set(b, a?.length ?? 0);
    return all;
  };
  return {
    profileCount: (before?.profileCount ?? 0) + after.profileCount,
    timeNanos: join(before?.timeNanos, after.timeNanos),
    durationNanos: join(before?.durationNanos, after.durationNanos),
    period: join(before?.period, after.period),
    total: join(before?.total, after.total),
    // Row counts are not used.
    count: new Uint32Array((before?.profileCount ?? 0) + after.profileCount),
  };
}
