// Answers that all stores compute in the same way, from spans of profiles and from rows.
import { floorTo, int64Min } from '../base/int64.ts';
import { createLabelSet, labelSetKey, type LabelSet } from '../model/labels.ts';
import type { MergedStacks } from '../model/merged-stacks.ts';
import { isContinuous } from '../model/profile-type.ts';
import { type PeriodSum, PeriodSums } from '../model/profiles/period-sums.ts';
import type { ProfileTimes } from '../model/profiles/profile-columns.ts';
import { type TimedSpan, type Timeline, buildTimeline } from '../model/profiles/timeline.ts';
import type {
  LineOverTime,
  ReadContext,
  SelectedSeries,
  StackGroupSum,
  SumsOverTime,
  TimeQuestion,
} from './interface.ts';

/** A row of a profile: its stack and value. */
export interface StackRow {
  readonly stack: number;
  readonly value: bigint;
}

/** Returns the sum of the values, modulo 2^64. */
export function sumValues(rows: readonly { readonly value: bigint }[]): bigint {
  const sum = rows.reduce((before, { value }) => before + value, 0n);
  return BigInt.asIntN(64, sum);
}

/** A series with the spans of its profiles; none if its profiles cannot be read. */
interface Spanned<Series> {
  readonly series: Series;
  readonly spans: readonly TimedSpan[];
}

/** Answers Selection.periods. */
export async function collectPeriods(
  all: readonly Spanned<unknown>[],
  context: ReadContext,
): Promise<readonly PeriodSum[]> {
  const sums = new PeriodSums();
  for (const { spans } of all) {
    for (const span of spans) {
      const adding = sums.add(span);
      if (adding !== undefined) await adding;
    }
    const pausing = context.pause();
    if (pausing !== undefined) await pausing;
  }
  return sums.all;
}

/** Answers Selection.timelines. */
export async function buildTimelines<Series extends SelectedSeries>(
  all: readonly Spanned<Series>[],
  context: ReadContext,
): Promise<ReadonlyMap<Series, Timeline>> {
  const timelines = new Map<Series, Timeline>();
  for (const { series, spans } of all) {
    if (spans.length === 0) continue;
    const { profileType: type } = series;
    timelines.set(series, await buildTimeline(spans, type.delta, isContinuous(type)));
    const pausing = context.pause();
    if (pausing !== undefined) await pausing;
  }
  return timelines;
}

/** Rows of one group in a merge, in any order. */
export interface GroupRows extends Omit<StackGroupSum, 'merged'> {
  readonly rows: StackRow[];
}

/** Answers Selection.merge. */
export function sumGroups(groups: Iterable<GroupRows>): StackGroupSum[] {
  const sums = Array.from(groups, ({ labelValues, span, rows }) => {
    return { labelValues, span, merged: mergedStacks(rows) };
  });
  return sums.filter(({ merged }) => merged.stacks.length > 0);
}

/** Sums rows, which may be in any order, by stack. Drops sums of 0. */
function mergedStacks(rows: Iterable<StackRow>): MergedStacks {
  const sums = new Map<number, bigint>();
  for (const { stack, value } of rows) {
    sums.set(stack, BigInt.asIntN(64, (sums.get(stack) ?? 0n) + value));
  }
  const stacks = Uint32Array.from(sums.keys()).sort();
  const left = stacks.filter((stack) => sums.get(stack) !== 0n);
  return { stacks: left, values: BigInt64Array.from(left, (stack) => sums.get(stack) ?? 0n) };
}

/** A row of a profile or of a step, whose value is added to a line of a graph. */
export interface LinePoint extends StackRow, ProfileTimes {
  readonly series: SelectedSeries;
  /** Values of the labels of `groupBy`. */
  readonly labelValues: readonly string[];
  /** 1 if the row counts as a profile, otherwise 0. */
  readonly count: number;
}

interface PlacedPoint extends LinePoint {
  readonly labels: LabelSet;
}

/** Answers Selection.overTime from points and the periods of the selection. */
export function answerOverTime(
  points: readonly LinePoint[],
  question: TimeQuestion,
  periods: readonly PeriodSum[],
): SumsOverTime {
  const magnitude = periods.reduce((sum, one) => sum + one.magnitude, 0);
  return { lines: placeLines(points, question), magnitude };
}

/** Turns points into lines. Points with the same labels form one line. */
function placeLines(points: readonly LinePoint[], question: TimeQuestion): LineOverTime[] {
  const { groupBy, offsetNanos, steps } = question;
  const placed = points.map((point): PlacedPoint => {
    // The value of a step is drawn at the end time of the step.
    const later = offsetNanos + (steps === undefined ? 0n : point.durationNanos);
    const own = groupBy?.map((name, i) => ({ name, value: point.labelValues[i] }));
    const labels = own === undefined ? point.series.labels : createLabelSet(own);
    return { ...point, timeNanos: point.timeNanos + later, labels };
  });
  const lines = Map.groupBy(placed, ({ labels }) => labelSetKey(labels)).values();
  return Array.from(lines, (line) => {
    const rows = fillBuckets(line, question);
    const bySeries = [...Map.groupBy(line, ({ series }) => series)];
    return {
      labels: line[0].labels,
      startNanos: BigInt64Array.from(rows, ({ startNanos }) => startNanos),
      firstNanos: BigInt64Array.from(rows, ({ firstNanos }) => firstNanos),
      isMixed: Uint8Array.from(rows, ({ isMixed }) => (isMixed ? 1 : 0)),
      durationNanos: BigInt64Array.from(rows, ({ durationNanos }) => durationNanos),
      value: BigInt64Array.from(rows, ({ value }) => value),
      count: Uint32Array.from(rows, ({ count }) => count),
      longValue: BigInt64Array.from(rows, ({ longValue }) => longValue),
      longRate: Float64Array.from(rows, ({ longRate }) => longRate),
      total: sumValues(line),
      shares: new Map(bySeries.map(([series, own]) => [series, sumValues(own)])),
    };
  });
}

function fillBuckets(
  line: readonly PlacedPoint[],
  { stepNanos, isFirstOnly, steps }: TimeQuestion,
) {
  const step = stepNanos === 0n ? 1n : stepNanos;
  const buckets = [...Map.groupBy(line, ({ timeNanos }) => floorTo(timeNanos, step))];
  return buckets.map(([startNanos, all]) => {
    const firstNanos = findLeast(all.map(({ timeNanos }) => timeNanos));
    const isFirst = ({ series, timeNanos }: LinePoint): boolean =>
      all.every((other) => other.series !== series || other.timeNanos >= timeNanos);
    const long = all.filter(({ durationNanos }) => steps !== undefined && durationNanos > step);
    const rates = Array.from(
      Map.groupBy(long, ({ durationNanos }) => durationNanos),
      ([durationNanos, own]) => Number(sumValues(own)) / Number(durationNanos),
    );
    return {
      startNanos: startNanos < int64Min ? int64Min : startNanos,
      firstNanos,
      isMixed: all.some(({ timeNanos }) => timeNanos !== firstNanos),
      durationNanos: findLeast(all.map(({ durationNanos }) => durationNanos)),
      value: sumValues(isFirstOnly ? all.filter(isFirst) : all),
      count: all.reduce((sum, { count }) => sum + count, 0),
      longValue: sumValues(long),
      longRate: rates.reduce((sum, rate) => sum + rate, 0),
    };
  });
}

function findLeast(values: readonly bigint[]): bigint {
  return values.reduce((a, b) => (a < b ? a : b));
}
