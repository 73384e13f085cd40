// Answers of the storage seam from rows: for stores with a table of profiles and one of samples.
import { floorTo, int64Min } from '../base/int64.ts';
import { type LabelSet, labelSetKey } from '../model/labels.ts';
import type { MergedStacks } from '../model/merged-stacks.ts';
import type { ProfileType } from '../model/profile-type.ts';
import { type PeriodSum, PeriodSums } from '../model/profiles/period-sums.ts';
import type { ProfileColumns, ProfileTimes } from '../model/profiles/profile-columns.ts';
import { digestOf } from '../model/profiles/profile-digest.ts';
import { stepRows } from '../model/profiles/steps.ts';
import { type TimedSpan, type Timeline, timelineOf } from '../model/profiles/timeline.ts';
import type { IncomingProfile, LineOverTime, SelectedSeries, TimeQuestion } from './interface.ts';

/** A sample. */
export interface StackRow {
  readonly stack: number;
  readonly value: bigint;
}

export interface SampleRow extends StackRow {
  /** SampleLabelsIndex of the sample. */
  readonly labels: number;
}

export interface ProfileRow extends ProfileTimes {
  readonly labels: LabelSet;
  readonly profileType: ProfileType;
  readonly period: bigint;
  readonly total: bigint;
  /** Number of rows of the profile that are not 0. */
  readonly count: number;
  readonly rows: readonly SampleRow[];
}

/** Returns the sum, modulo 2^64. */
export function sumOf(rows: readonly { readonly value: bigint }[]): bigint {
  const sum = rows.reduce((before, { value }) => before + value, 0n);
  return BigInt.asIntN(64, sum);
}

/** Returns a profile for each value type of an upload. */
export function profileRows(upload: IncomingProfile, delta: boolean): ProfileRow[] {
  const { name, labels, periodType, timeNanos, durationNanos, period } = upload;
  return upload.sampleTypes.map((sample, plane) => {
    const rows = Array.from({ length: upload.rowCount }, (_, i) => {
      const value = upload.values[plane][i];
      return { stack: upload.stacks[i], labels: upload.sampleLabels?.[i] ?? 0, value };
    });
    const count = rows.filter(({ value }) => value !== 0n).length;
    const profileType = { name, sample, period: periodType, delta };
    const total = sumOf(rows);
    return { labels, profileType, timeNanos, durationNanos, period, total, count, rows };
  });
}

/** A series of profiles in rows, from which questions about whole profiles are answered. */
export class SeriesOfRows<T extends ProfileRow = ProfileRow> implements SelectedSeries, TimedSpan {
  readonly rows: readonly T[];
  readonly digest: TimedSpan['digest'];
  readonly labels: LabelSet;
  readonly profileType: ProfileType;
  readonly profileCount: number;
  readonly #columns: ProfileColumns;

  /** `rows` are at least one, of one series, in any order. */
  constructor(rows: readonly T[]) {
    this.rows = rows.toSorted((a, b) => Number(a.timeNanos - b.timeNanos));
    this.#columns = {
      profileCount: rows.length,
      timeNanos: BigInt64Array.from(this.rows, ({ timeNanos }) => timeNanos),
      durationNanos: BigInt64Array.from(this.rows, ({ durationNanos }) => durationNanos),
      period: BigInt64Array.from(this.rows, ({ period }) => period),
      total: BigInt64Array.from(this.rows, ({ total }) => total),
      count: Uint32Array.from(this.rows, ({ count }) => count),
    };
    this.digest = digestOf(this.#columns, 0);
    this.labels = rows[0].labels;
    this.profileType = rows[0].profileType;
    this.profileCount = rows.length;
  }

  columns(): ProfileColumns {
    return this.#columns;
  }

  times(): { readonly from: bigint; readonly to: bigint } {
    return { from: this.digest.firstNanos, to: this.digest.lastNanos };
  }
}

/** Answers Selection.periods. */
export async function periodsOf(series: readonly SeriesOfRows[]): Promise<readonly PeriodSum[]> {
  const sums = new PeriodSums();
  for (const one of series) await sums.add(one);
  return sums.all;
}

/** Answers Selection.timelines. */
export async function timelinesOf(
  series: readonly SeriesOfRows[],
): Promise<ReadonlyMap<SeriesOfRows, Timeline>> {
  const timelines = new Map<SeriesOfRows, Timeline>();
  for (const one of series) timelines.set(one, await timelineOf([one], one.profileType.delta));
  return timelines;
}

/** A profile to be summed. */
export interface ProfileUse {
  readonly series: SeriesOfRows;
  readonly profile: ProfileRow;
  /** 1, or -1 at the start of a step. */
  readonly factor: bigint;
  /** Times of the profile, or of the step. */
  readonly span: ProfileTimes;
}

/** Returns each profile once, or, joined with steps, for each step that it ends or starts. */
export function usesOf(series: SeriesOfRows, steps: TimeQuestion['steps']): ProfileUse[] {
  const joined = steps && [...stepRows(steps.get(series)?.steps)];
  return series.rows.flatMap((profile) => {
    const { timeNanos, durationNanos } = profile;
    const alone = { atNanos: timeNanos, factor: 1n, timeNanos, durationNanos };
    const own = (joined ?? [alone]).filter(({ atNanos }) => atNanos === timeNanos);
    return own.map(({ factor, ...span }) => ({ series, profile, factor, span }));
  });
}

/** Sums rows by stack, in any order; drops sums of 0. */
export function mergedStacks(rows: Iterable<StackRow>): MergedStacks {
  const sums = new Map<number, bigint>();
  for (const { stack, value } of rows) {
    sums.set(stack, BigInt.asIntN(64, (sums.get(stack) ?? 0n) + value));
  }
  const stacks = Uint32Array.from(sums.keys()).sort();
  const left = stacks.filter((stack) => sums.get(stack) !== 0n);
  return { stacks: left, values: BigInt64Array.from(left, (stack) => sums.get(stack) ?? 0n) };
}

/** A row of a profile or a step that adds to a line of a graph. */
export interface LinePoint extends StackRow {
  readonly series: SelectedSeries;
  readonly labels: LabelSet;
  /** 1 if the row is counted, else 0. */
  readonly count: number;
  readonly timeNanos: bigint;
  readonly durationNanos: bigint;
}

/** Answers Selection.overTime from points; those that share labels are one line. */
export function linesOf(points: readonly LinePoint[], question: TimeQuestion): LineOverTime[] {
  const lines = Map.groupBy(points, ({ labels }) => labelSetKey(labels)).values();
  return Array.from(lines, (line) => {
    const rows = bucketsOf(line, question);
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
      total: sumOf(line),
      shares: new Map(bySeries.map(([series, own]) => [series, sumOf(own)])),
    };
  });
}

function bucketsOf(line: readonly LinePoint[], { stepNanos, isFirstOnly, steps }: TimeQuestion) {
  const step = stepNanos === 0n ? 1n : stepNanos;
  const buckets = [...Map.groupBy(line, ({ timeNanos }) => floorTo(timeNanos, step))];
  return buckets.map(([startNanos, all]) => {
    const firstNanos = leastOf(all.map(({ timeNanos }) => timeNanos));
    const isFirst = ({ series, timeNanos }: LinePoint): boolean =>
      all.every((other) => other.series !== series || other.timeNanos >= timeNanos);
    const long = all.filter(({ durationNanos }) => steps !== undefined && durationNanos > step);
    const rates = Array.from(
      Map.groupBy(long, ({ durationNanos }) => durationNanos),
      ([durationNanos, own]) => Number(sumOf(own)) / Number(durationNanos),
    );
    return {
      startNanos: startNanos < int64Min ? int64Min : startNanos,
      firstNanos,
      isMixed: all.some(({ timeNanos }) => timeNanos !== firstNanos),
      durationNanos: leastOf(all.map(({ durationNanos }) => durationNanos)),
      value: sumOf(isFirstOnly ? all.filter(isFirst) : all),
      count: all.reduce((sum, { count }) => sum + count, 0),
      longValue: sumOf(long),
      longRate: rates.reduce((sum, rate) => sum + rate, 0),
    };
  });
}

function leastOf(values: readonly bigint[]): bigint {
  return values.reduce((a, b) => (a < b ? a : b));
}
