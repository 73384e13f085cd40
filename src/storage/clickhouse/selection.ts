// The answers of a selection: sends statements, and returns their rows as columns.
import { ByteReader } from '../../base/bytes.ts';
import { AppError } from '../../base/errors.ts';
import { labelGroupsMax } from '../limits.ts';
import { labelValue } from '../../model/labels.ts';
import type { PeriodSum } from '../../model/profiles/period-sums.ts';
import type { ProfileColumns } from '../../model/profiles/profile-columns.ts';
import { computeDigest } from '../../model/profiles/profile-digest.ts';
import { stepRows } from '../../model/profiles/steps.ts';
import type { Timeline } from '../../model/profiles/timeline.ts';
import type {
  MergeQuestion,
  ReadContext,
  SampleQuestion,
  SamplesOverTime,
  Selection,
  SeriesProfiles,
  StackSums,
  SumsOverTime,
  TimeQuestion,
  TimeRange,
} from '../interface.ts';
import {
  type GroupRows,
  type LinePoint,
  answerOverTime,
  collectPeriods,
  sumGroups,
  buildTimelines,
} from '../common-answers.ts';
import type { HashList } from './hash-rows.ts';
import type { KnownSymbols } from './known-symbols.ts';
import { hashBytes, hashDigits } from './row-bytes.ts';
import { listBranches, type ClickHouseSeries, readLabelSets } from './select-series.ts';
import type { ClickHouseServers } from './server.ts';
import {
  type Branch,
  type Buckets,
  mergeStatement,
  periodsStatement,
  pointsStatement,
  profilesStatement,
  type StackList,
  type StepColumns,
  type SumShape,
  totalsStatement,
  usedStacksStatement,
} from './statements.ts';

/** Size of a row of a merge: group, class, time, duration, stack, value. */
const mergeRowBytes = 48;
/** Size of a row of profiles in memory: time, duration, period, total, count. */
const profileRowBytes = 36;
/** Offset of the stack's hash in a row of a merge. */
const mergeStackAt = 24;

/**
 * Maximum number of profiles whose rows are read and summed here. For more profiles, ClickHouse
 * computes the sums.
 */
const profilesReadMax = 10_000;

/**
 * Returns the intersection of two ranges. If they do not overlap, the result ends before it starts.
 */
function commonRange(a: TimeRange, b: TimeRange): TimeRange {
  return { from: a.from > b.from ? a.from : b.from, to: a.to < b.to ? a.to : b.to };
}

/** The groups of a query: group numbers for statements, and label values by number. */
interface Groups {
  readonly shape: SumShape;
  /** Values of the series labels of each group; "" where the series lacks a label. */
  readonly own: readonly (readonly string[])[];
  /** Values of sample labels, by class; class 0 has no sample labels. */
  readonly ofClass: readonly (readonly string[])[];
}

export class ClickHouseSelection implements Selection {
  readonly series: readonly ClickHouseSeries[];
  readonly missing: string[] = [];
  readonly #servers: ClickHouseServers;
  readonly #symbols: KnownSymbols;
  readonly #range: TimeRange;
  readonly #branches: readonly Branch[];
  #profiles: Promise<readonly ProfileColumns[]> | undefined;

  constructor(
    servers: ClickHouseServers,
    symbols: KnownSymbols,
    range: TimeRange,
    series: readonly ClickHouseSeries[],
  ) {
    this.#servers = servers;
    this.#symbols = symbols;
    this.#range = range;
    this.series = series;
    this.#branches = listBranches(range, series);
  }

  readonly [Symbol.dispose] = (): void => undefined;

  async periods(context: ReadContext): Promise<readonly PeriodSum[]> {
    if (this.#profileCount <= profilesReadMax) {
      // The spans stay in memory, because a graph next needs them for its timelines.
      return collectPeriods(await this.#spans(context), context);
    }
    const reader = await this.#ask(periodsStatement(this.#branches), context);
    const sums: PeriodSum[] = [];
    while (reader.at < reader.end) {
      const [period, profileCount, total] = [reader.i64(), reader.u32(), reader.i64()];
      const at = reader.skip(8);
      const magnitude = new DataView(reader.bytes.buffer, reader.bytes.byteOffset).getFloat64(
        at,
        true,
      );
      sums.push({ period, profileCount, total, magnitude, count: reader.u32() });
    }
    return sums;
  }

  async timelines(context: ReadContext): Promise<ReadonlyMap<ClickHouseSeries, Timeline>> {
    return buildTimelines(await this.#spans(context), context);
  }

  async *profiles(context: ReadContext): AsyncIterable<SeriesProfiles> {
    for (const [i, columns] of (await this.#columns(context)).entries()) {
      yield { series: this.series[i], columns };
    }
  }

  async merge(question: MergeQuestion, context: ReadContext): Promise<StackSums> {
    const { dictionary } = this.#symbols;
    if (this.series.length === 0) return { dictionary: undefined, groups: [] };
    context.budget.selectRows(this.#rowCount);
    const groups = await this.#readGroups(question, context);
    const { byTime, samplesIn } = question;
    // Sample times are not stored here: each profile counts as one sample at the time of the
    // profile.
    const branches =
      samplesIn === undefined
        ? this.#branches
        : listBranches(commonRange(this.#range, samplesIn), this.series);
    const statement = mergeStatement(branches, groups.shape, byTime);
    const reader = await this.#askRows(statement, context);
    const rowCount = (reader.end - reader.at) / mergeRowBytes;
    context.budget.hold(reader.end);
    try {
      const { bytes } = reader;
      const places = Array.from({ length: rowCount }, (_, i) => i * mergeRowBytes + mergeStackAt);
      await this.#readStacks({ bytes, places }, context);
      question.onDictionary?.(dictionary);
      const parts = new Map<string, GroupRows>();
      const readLabels = labelReader(groups);
      for (let i = 0; i < rowCount; i += 1) {
        const labels = readLabels(reader.u32(), reader.u32());
        const [timeNanos, durationNanos] = [reader.i64(), reader.i64()];
        const stack = this.#symbols.row(bytes, reader.skip(hashBytes));
        const value = reader.i64();
        const name = byTime ? `${labels.key}${timeNanos} ${durationNanos}` : labels.key;
        const span = byTime ? { timeNanos, durationNanos } : undefined;
        const rows = parts.get(name) ?? { labelValues: labels.values, span, rows: [] };
        parts.set(name, rows);
        rows.rows.push({ stack, value });
      }
      if (parts.size > labelGroupsMax && !byTime) throw tooManyGroups();
      // Stacks repeat if several classes have equal labels, or if frames are lost.
      return { dictionary, groups: sumGroups(parts.values()) };
    } finally {
      context.budget.release(reader.end);
    }
  }

  async overTime(question: TimeQuestion, context: ReadContext): Promise<SumsOverTime> {
    if (this.series.length === 0) return { lines: [], magnitude: 0 };
    const { groupBy, keeps } = question;
    const buckets = bucketRule(question);
    const groups = await this.#readGroups({ ...question, groupBy: groupBy ?? [] }, context);
    const isFiltered = this.#branches.some(({ filter }) => filter !== undefined);
    const needsRows = keeps !== undefined || isFiltered || groups.shape.classes.size > 0;
    if (needsRows) context.budget.selectRows(this.#rowCount);
    const stacks = keeps && (await this.#keptStacks(keeps, context));
    const statement = needsRows
      ? pointsStatement(this.#branches, groups.shape, buckets, stacks)
      : totalsStatement(this.#branches, groups.shape, buckets);
    const reader = await (needsRows
      ? this.#askRows(statement, context)
      : this.#ask(statement, context));
    const points = this.#readPoints(reader, groups, buckets);
    return answerOverTime(points, question, await this.periods(context));
  }

  /** Returns the sum of the profiles in the range, because samples have no times here. */
  async samplesOverTime(
    { range, groupBy, timesPeriod }: SampleQuestion,
    context: ReadContext,
  ): Promise<SamplesOverTime> {
    const asked = { timesPeriod, groupBy, steps: undefined, keeps: undefined };
    const buckets = { stepNanos: 0n, offsetNanos: 0n, isFirstOnly: false, tellsShares: false };
    const { lines } = await this.overTime({ ...asked, ...buckets }, context);
    let untimed = 0n;
    for (const { startNanos, value } of lines) {
      for (let i = 0; i < value.length; i += 1) {
        if (startNanos[i] >= range.from && startNanos[i] <= range.to) untimed += value[i];
      }
    }
    return { lines: [], untimed: BigInt.asIntN(64, untimed) };
  }

  /**
   * Reads the points of a graph. A bucket has one point, or two if its profiles have different
   * times.
   */
  #readPoints(reader: ByteReader, groups: Groups, buckets: Buckets | undefined): LinePoint[] {
    const readLabels = labelReader(groups);
    const points: LinePoint[] = [];
    while (reader.at < reader.end) {
      const series = this.series[reader.u32()];
      const { values } = readLabels(reader.u32(), reader.u32());
      const [start, durationNanos] = [reader.i64(), reader.i64()];
      const [value, count, last] = [reader.i64(), reader.u32(), reader.i64()];
      if (buckets !== undefined) reader.skip(8);
      const point = { series, labelValues: values, durationNanos, stack: 0 };
      points.push({ ...point, timeNanos: start, value, count });
      if (last !== start) points.push({ ...point, timeNanos: last, value: 0n, count: 0 });
    }
    return points;
  }

  /** Returns the stacks that a filter keeps, or the stacks that it drops if these are fewer. */
  async #keptStacks(
    keeps: NonNullable<TimeQuestion['keeps']>,
    context: ReadContext,
  ): Promise<StackList> {
    const reader = await this.#ask(usedStacksStatement(this.#branches), context);
    const { bytes } = reader;
    const length = bytes.length / hashBytes;
    const places = Array.from({ length }, (_, i) => i * hashBytes);
    await this.#readStacks({ bytes, places }, context);
    const filter = keeps(this.#symbols.dictionary);
    const [kept, dropped]: [number[], number[]] = [[], []];
    for (const at of places) {
      (filter.keeps(this.#symbols.row(bytes, at)) ? kept : dropped).push(at);
    }
    const isKept = kept.length <= dropped.length;
    return { isKept, digits: (isKept ? kept : dropped).map((at) => hashDigits(bytes, at)) };
  }

  async #readGroups(
    { groupBy, timesPeriod, steps }: Pick<MergeQuestion, 'groupBy' | 'timesPeriod' | 'steps'>,
    context: ReadContext,
  ): Promise<Groups> {
    const own: string[][] = [];
    const numbers = new Map<string, number>();
    const groups = this.series.map(({ labels }) => {
      const values = groupBy.map((name) => labelValue(labels, name));
      const key = values.join('\0');
      const known = numbers.get(key) ?? own.length;
      if (known === own.length) own.push(values);
      numbers.set(key, known);
      return known;
    });
    const lacking = groupBy.filter((_, i) => own.some((values) => values[i] === ''));
    const labelSets = await readLabelSets(this.#servers, this.#range, lacking, context);
    context.throwIfAborted();
    const ofClass = [groupBy.map(() => '')];
    const classes = new Map<bigint, number>();
    const classNumbers = new Map<string, number>();
    for (const { hash, values } of labelSets) {
      const shown = groupBy.map((name) => values.get(name) ?? '');
      const key = shown.join('\0');
      const known = classNumbers.get(key) ?? ofClass.length;
      if (known === ofClass.length) ofClass.push(shown);
      classNumbers.set(key, known);
      classes.set(hash, known);
    }
    const columns = steps && this.#stepColumns(steps);
    return { shape: { groups, classes, timesPeriod, steps: columns }, own, ofClass };
  }

  #stepColumns(steps: NonNullable<MergeQuestion['steps']>): StepColumns {
    const rows = this.series.flatMap((one, series) =>
      Array.from(stepRows(steps.get(one)?.steps), (row) => ({ ...row, series })),
    );
    return {
      series: rows.map(({ series }) => series),
      atNanos: rows.map(({ atNanos }) => atNanos),
      factors: rows.map(({ factor }) => Number(factor)),
      timeNanos: rows.map(({ timeNanos }) => timeNanos),
      durationNanos: rows.map(({ durationNanos }) => durationNanos),
    };
  }

  async #readStacks(hashes: HashList, context: ReadContext): Promise<void> {
    const lost = await this.#symbols.read(hashes, context);
    if (lost > 0) this.missing.push(`${lost} stacks are not in ClickHouse: they have no frames`);
  }

  async #spans(context: ReadContext) {
    return (await this.#columns(context)).map((columns, i) => {
      const isEmpty = columns.profileCount === 0;
      const spans = isEmpty ? [] : [{ digest: computeDigest(columns, 0), columns: () => columns }];
      return { series: this.series[i], spans };
    });
  }

  #columns(context: ReadContext): Promise<readonly ProfileColumns[]> {
    return (this.#profiles ??= this.#readColumns(context));
  }

  async #readColumns(context: ReadContext): Promise<readonly ProfileColumns[]> {
    if (this.series.length === 0) return [];
    context.budget.hold(this.#profileCount * profileRowBytes);
    const reader = await this.#ask(profilesStatement(this.#branches), context);
    const columns = this.series.map(({ profileCount }) => emptyColumns(profileCount));
    const counts = new Uint32Array(columns.length);
    while (reader.at < reader.end) {
      const series = reader.u32();
      const into = columns[series];
      const at = counts[series];
      const row = [reader.i64(), reader.i64(), reader.i64(), reader.i64()];
      const count = reader.u32();
      // A profile that arrived after the selection was made is not included.
      if (at === into.profileCount) continue;
      [into.timeNanos[at], into.durationNanos[at], into.period[at], into.total[at]] = row;
      into.count[at] = count;
      counts[series] = at + 1;
    }
    // Profiles may have been deleted in the meantime.
    return columns.map((of, i) =>
      counts[i] < of.profileCount ? firstProfiles(of, counts[i]) : of,
    );
  }

  get #profileCount(): number {
    return this.series.reduce((sum, { profileCount }) => sum + profileCount, 0);
  }

  get #rowCount(): number {
    return this.series.reduce((sum, { rowCount }) => sum + rowCount, 0);
  }

  /** Sends a statement that reads all rows, and counts the rows as they are read. */
  async #askRows(statement: string, context: ReadContext): Promise<ByteReader> {
    const { budget } = context;
    const rowCount = this.#rowCount;
    let done = 0;
    const tell = (share: number): void => {
      const now = Math.floor(rowCount * share);
      budget.rowsDone += now - done;
      done = now;
    };
    const answer = await this.#servers.ask(statement, context, tell);
    tell(1);
    return new ByteReader(answer);
  }

  async #ask(statement: string, context: ReadContext): Promise<ByteReader> {
    return new ByteReader(await this.#servers.ask(statement, context));
  }
}

/**
 * Returns the rule by which ClickHouse joins points; undefined if each profile is a separate point.
 */
function bucketRule(question: TimeQuestion): Buckets | undefined {
  const { stepNanos, offsetNanos, steps, isFirstOnly, groupBy, tellsShares } = question;
  if (stepNanos === 0n || steps !== undefined || isFirstOnly) return undefined;
  return { stepNanos, offsetNanos, bySeries: tellsShares || groupBy === undefined };
}

/** Labels of a group and a class, and a key that is the same for equal labels. */
interface GroupLabels {
  readonly values: readonly string[];
  readonly key: string;
}

/**
 * Returns a function that finds the labels of a group and a class. The values come from the series
 * labels of the group, or from the class if the series lacks the label.
 */
function labelReader({ own, ofClass }: Groups): (group: number, of: number) => GroupLabels {
  const known = new Map<number, GroupLabels>();
  return (group, of) => {
    const number = group * ofClass.length + of;
    const found = known.get(number);
    if (found !== undefined) return found;
    const values = own[group].map((value, i) => (value === '' ? ofClass[of][i] : value));
    const labels = { values, key: values.map((value) => `${value}\0`).join('') };
    known.set(number, labels);
    return labels;
  };
}

function firstProfiles(of: ProfileColumns, profileCount: number): ProfileColumns {
  return {
    profileCount,
    timeNanos: of.timeNanos.slice(0, profileCount),
    durationNanos: of.durationNanos.slice(0, profileCount),
    period: of.period.slice(0, profileCount),
    total: of.total.slice(0, profileCount),
    count: of.count.slice(0, profileCount),
  };
}

function emptyColumns(profileCount: number): ProfileColumns {
  return {
    profileCount,
    timeNanos: new BigInt64Array(profileCount),
    durationNanos: new BigInt64Array(profileCount),
    period: new BigInt64Array(profileCount),
    total: new BigInt64Array(profileCount),
    count: new Uint32Array(profileCount),
  };
}

function tooManyGroups(): AppError {
  return new AppError(
    'resource-exhausted',
    `cannot group samples: there are more than ${labelGroupsMax} combinations of values`,
  );
}
