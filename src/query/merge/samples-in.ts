// Statistics of the profiles that have samples in a time range.
import { isContinuous } from '../../model/profile-type.ts';
import { computeDigest } from '../../model/profiles/profile-digest.ts';
import { copyColumns, type ProfileColumns } from '../../model/profiles/profile-columns.ts';
import { type PeriodSum, PeriodSums } from '../../model/profiles/period-sums.ts';
import { buildTimeline, type Timeline } from '../../model/profiles/timeline.ts';
import type { ReadContext, SelectedSeries, Selection, TimeRange } from '../../storage/interface.ts';

/** Statistics of profiles, clipped to a time range. */
export interface SampleFacts {
  /** Sums of whole profiles that overlap with the range. They are upper bounds for its samples. */
  readonly periods: readonly PeriodSum[];
  /** Timelines of profiles, clipped to the range. */
  readonly timelines: ReadonlyMap<SelectedSeries, Timeline>;
}

/** Computes the statistics of a selection. */
export async function readSampleFacts(
  selection: Selection,
  range: TimeRange,
  context: ReadContext,
): Promise<SampleFacts> {
  const periods = new PeriodSums();
  const timelines = new Map<SelectedSeries, Timeline>();
  for await (const { series, columns } of selection.profiles(context)) {
    const cut = cutColumns(columns, range);
    if (cut.profileCount === 0) continue;
    const span = { digest: computeDigest(cut, cut.profileCount), columns: () => cut };
    const adding = periods.add(span);
    if (adding !== undefined) await adding;
    const { profileType: type } = series;
    timelines.set(series, await buildTimeline([span], type.delta, isContinuous(type)));
    const pausing = context.pause();
    if (pausing !== undefined) await pausing;
  }
  return { periods: periods.all, timelines };
}

/** Returns the profiles that overlap with a range, with their times clipped to it. */
function cutColumns(all: ProfileColumns, { from, to }: TimeRange): ProfileColumns {
  const { timeNanos, durationNanos, period, total, count } = copyColumns(all);
  let left = 0;
  for (let i = 0; i < timeNanos.length; i += 1) {
    const start = timeNanos[i];
    const end = start + (durationNanos[i] > 0n ? durationNanos[i] : 0n);
    const [cutStart, cutEnd] = [start < from ? from : start, end > to ? to : end];
    if (cutEnd < cutStart) continue;
    timeNanos[left] = cutStart;
    durationNanos[left] = durationNanos[i] > 0n ? cutEnd - cutStart : 0n;
    period[left] = period[i];
    total[left] = total[i];
    count[left] = count[i];
    left += 1;
  }
  return {
    profileCount: left,
    timeNanos: timeNanos.subarray(0, left),
    durationNanos: durationNanos.subarray(0, left),
    period: period.subarray(0, left),
    total: total.subarray(0, left),
    count: count.subarray(0, left),
  };
}
