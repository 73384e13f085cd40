// The seam in plain loops over rows in memory: what each question means, without any speed.
import { floorTo } from '../../base/int64.ts';
import { Dictionary } from '../../model/dictionary.ts';
import { createLabelSet, labelSetKey, labelValue } from '../../model/labels.ts';
import { equalProfileTypes, formatProfileType } from '../../model/profile-type.ts';
import { PeriodSums } from '../../model/profiles/period-sums.ts';
import { digestOf } from '../../model/profiles/profile-digest.ts';
import { stepRows } from '../../model/profiles/steps.ts';
import { timelineOf, type TimedSpan } from '../../model/profiles/timeline.ts';
import {
  bucketColumns,
  mergedStacks,
  profileColumns,
  type ProfileRow,
  type StackRow,
} from '../from-rows.ts';
import type * as seam from '../interface.ts';
import { createLabelReader } from '../sum/sample-label-reader.ts';

type Row = StackRow & { readonly labels: number };
type SeriesName = Pick<seam.SelectedSeries, 'labels' | 'profileType'>;
type Profile = ProfileRow & SeriesName & { readonly rows: readonly Row[] };
type Series = seam.SelectedSeries & TimedSpan & { readonly profiles: readonly Profile[] };
type Question = Pick<seam.TimeQuestion, 'steps' | 'timesPeriod' | 'groupBy'>;

const nothing: readonly Row[] = [{ stack: 0, labels: 0, value: 0n }];
const keyOf = ({ labels, profileType }: SeriesName) =>
  formatProfileType(profileType) + labelSetKey(labels);
const sumOf = (rows: readonly { readonly value: bigint }[]) =>
  BigInt.asIntN(
    64,
    rows.reduce((sum, { value }) => sum + value, 0n),
  );
const least = (values: readonly bigint[]) => values.reduce((a, b) => (a < b ? a : b));
const sorted = (texts: readonly string[]) => [...new Set(texts)].filter(Boolean).sort();

export class MemoryStorage implements seam.Storage, seam.Querier {
  readonly querier = this;
  readonly dictionary = new Dictionary([11, 22, 33]);
  readonly #profiles = new Map<string, Profile>();
  readonly rotate = async () => undefined;
  readonly close = async () => undefined;
  readonly hasData = async () => this.#profiles.size > 0;

  appender(): seam.Appender {
    const batch: seam.IncomingProfile[] = [];
    return {
      dictionary: this.dictionary,
      append: (upload) => void batch.push(structuredClone(upload)),
      commit: async () => batch.splice(0).forEach((upload) => this.store(upload)),
      rollback: () => void batch.splice(0),
    };
  }

  /** Stores a profile for each value type, once. */
  store(upload: seam.IncomingProfile, delta = upload.durationNanos !== 0n): void {
    const { name, periodType, stacks, sampleLabels, contentHash, rowCount } = upload;
    for (const [plane, sample] of upload.sampleTypes.entries()) {
      const rows = Array.from({ length: rowCount }, (_, i) => {
        const value = upload.values[plane][i];
        return { stack: stacks[i], labels: sampleLabels?.[i] ?? 0, value };
      });
      const count = rows.filter(({ value }) => value !== 0n).length;
      const profileType = { name, sample, period: periodType, delta };
      const sums = { total: sumOf(rows), count, rows: rowCount === 0 ? nothing : rows };
      const profile = { ...upload, profileType, ...sums };
      const key = [keyOf(profile), upload.timeNanos, BigInt.asUintN(64, contentHash)].join(' ');
      if (!this.#profiles.has(key)) this.#profiles.set(key, profile);
    }
  }

  /** Values of labels, the series' own or else the sample's. */
  valuesOf({ labels }: Profile, row: Row, names: readonly string[]): string[] {
    const own = names.map((name) => labelValue(labels, name));
    return createLabelReader(this.dictionary, own, names)(row.labels);
  }

  async select(query: seam.SeriesQuery): Promise<MemorySelection> {
    const { profileType, range } = query;
    const inRange = [...this.#profiles.values()].filter(
      (one) =>
        one.timeNanos >= range.from &&
        one.timeNanos <= range.to &&
        (profileType === undefined || equalProfileTypes(one.profileType, profileType)),
    );
    const belonging = inRange.map((one) => {
      const isMatch = (row: Row) =>
        query.matchers.every(({ name, matches }) =>
          matches(name === '__name__' ? one.profileType.name : this.valuesOf(one, row, [name])[0]),
        );
      return { ...one, rows: one.rows.filter(isMatch) };
    });
    const groups = [...Map.groupBy(belonging, keyOf).values()];
    return new MemorySelection(
      this,
      groups.filter((all) => all.some((one) => one.rows.length > 0)),
    );
  }

  async labelNames(query: seam.SeriesQuery): Promise<string[]> {
    const { sampleLabels, strings } = this.dictionary;
    const keys = [...sampleLabels.key].map((row) => strings.text(row as never));
    const { series } = await this.select(query);
    const names = [...keys, ...series.flatMap(({ labels }) => labels.map(({ name }) => name))];
    const values = await Promise.all(names.map((name) => this.labelValues(name, query)));
    return sorted(names.filter((_, i) => values[i].length > 0));
  }

  async labelValues(name: string, query: seam.SeriesQuery): Promise<string[]> {
    const profiles = (await this.select(query)).series.flatMap((series) => series.profiles);
    const rowsOf = ({ rows }: Profile) => [...rows, ...nothing];
    return sorted(
      profiles.flatMap((one) => rowsOf(one).flatMap((row) => this.valuesOf(one, row, [name]))),
    );
  }

  async profileTypes(range: seam.TimeRange, matchers: seam.SeriesQuery['matchers'] = []) {
    const { series } = await this.select({ matchers, range, profileType: undefined });
    const types = new Map(
      series.map((one) => [formatProfileType(one.profileType), one.profileType]),
    );
    return sorted([...types.keys()]).flatMap((text) => types.get(text) ?? []);
  }
}

function seriesOf(group: readonly Profile[]): Series {
  const profiles = group.toSorted((a, b) => Number(a.timeNanos - b.timeNanos));
  const columns = profileColumns(profiles);
  const digest = digestOf(columns, 0);
  const times = () => ({ from: digest.firstNanos, to: digest.lastNanos });
  const profileCount = profiles.length;
  return { ...profiles[0], profileCount, times, profiles, digest, columns: () => columns };
}

class MemorySelection implements seam.Selection {
  readonly missing: string[] = [];
  readonly series: readonly Series[];
  readonly #store: MemoryStorage;

  constructor(store: MemoryStorage, groups: readonly (readonly Profile[])[]) {
    this.#store = store;
    this.series = groups.map(seriesOf);
  }

  [Symbol.dispose](): void {}

  async periods() {
    const sums = new PeriodSums();
    for (const series of this.series) await sums.add(series);
    return sums.all;
  }

  async timelines() {
    const read = (one: Series) => timelineOf([one], one.profileType.delta);
    const all = await Promise.all(this.series.map(read));
    return new Map(this.series.map((one, i) => [one, all[i]]));
  }

  async *profiles() {
    for (const series of this.series) yield { series, columns: await series.columns() };
  }

  /** Rows with what each is worth; of steps once for each step that its profile ends or starts. */
  #rowsOf({ steps, timesPeriod, groupBy = [] }: Question) {
    return this.series.flatMap((series) => {
      const joined = steps && [...stepRows(steps.get(series)?.steps)];
      return series.profiles.flatMap((profile) => {
        const all = joined ?? [{ ...profile, atNanos: profile.timeNanos, factor: 1n }];
        const own = all.filter(({ atNanos }) => atNanos === profile.timeNanos);
        return own.flatMap(({ factor, timeNanos, durationNanos }) =>
          profile.rows.map((row) => {
            const value = row.value * factor * (timesPeriod ? profile.period : 1n);
            const labelValues = this.#store.valuesOf(profile, row, groupBy);
            const span = { timeNanos, durationNanos };
            const isShown = row.value !== 0n || profile.count === 0;
            const count = row.value !== 0n && factor > 0n ? 1 : 0;
            return { series, labelValues, span, stack: row.stack, value, count, isShown };
          }),
        );
      });
    });
  }

  async merge(question: seam.MergeQuestion): Promise<seam.StackSums> {
    const { dictionary } = this.#store;
    const spanOf = (span: seam.ProfileTimes) => (question.byTime ? span : undefined);
    const groups = Map.groupBy(this.#rowsOf(question), ({ labelValues, span }) =>
      JSON.stringify([labelValues, question.byTime && `${span.timeNanos} ${span.durationNanos}`]),
    );
    const sums = Array.from(groups.values(), (rows) => {
      const [{ labelValues, span }] = rows;
      return { labelValues, span: spanOf(span), merged: mergedStacks(rows) };
    });
    question.onDictionary?.(dictionary);
    return { dictionary, groups: sums.filter(({ merged }) => merged.stacks.length > 0) };
  }

  async overTime(question: seam.TimeQuestion): Promise<seam.SumsOverTime> {
    const { groupBy, offsetNanos, steps, isFirstOnly } = question;
    const stepNanos = question.stepNanos || 1n;
    const filter = question.keeps?.(this.#store.dictionary);
    const points = this.#rowsOf(question).flatMap(({ isShown, ...row }) => {
      const { timeNanos, durationNanos } = row.span;
      const time = timeNanos + offsetNanos + (steps ? durationNanos : 0n);
      const labels = groupBy?.map((name, i) => ({ name, value: row.labelValues[i] }));
      const isKept = filter === undefined || filter.keeps(row.stack);
      const shown = isKept ? row : { ...row, value: 0n, count: 0 };
      const lineLabels = labels ? createLabelSet(labels) : row.series.labels;
      return isShown ? [{ ...shown, time, durationNanos, labels: lineLabels }] : [];
    });
    const isLong = (one: { durationNanos: bigint }) => steps && one.durationNanos > stepNanos;
    const lines = [...Map.groupBy(points, ({ labels }) => labelSetKey(labels)).values()];
    return {
      magnitude: (await this.periods()).reduce((sum, { magnitude }) => sum + magnitude, 0),
      lines: lines.map((line) => {
        const bySeries = [...Map.groupBy(line, ({ series }) => series)];
        const buckets = [...Map.groupBy(line, ({ time }) => floorTo(time, stepNanos))];
        const rows = buckets.map(([startNanos, all]) => {
          const firstNanos = least(all.map(({ time }) => time));
          const firsts = all.filter(({ series, time }) =>
            all.every((other) => other.series !== series || other.time >= time),
          );
          const long = all.filter((one) => isLong(one));
          const byDuration = Map.groupBy(long, (one) => one.durationNanos);
          return {
            ...{ startNanos, firstNanos },
            isMixed: all.some(({ time }) => time !== firstNanos),
            durationNanos: least(all.map(({ durationNanos }) => durationNanos)),
            value: sumOf(isFirstOnly ? firsts : all),
            count: all.reduce((sum, { count }) => sum + count, 0),
            longValue: sumOf(long),
            longRate: [...byDuration].reduce(
              (rate, [lasts, own]) => rate + Number(sumOf(own)) / Number(lasts),
              0,
            ),
          };
        });
        const shares = new Map(bySeries.map(([series, own]) => [series, sumOf(own)]));
        return { labels: line[0].labels, ...bucketColumns(rows), total: sumOf(line), shares };
      }),
    };
  }
}
