// Implements the storage seam with simple loops over rows in memory, which show what each query
// means.
import { Dictionary } from '../../model/dictionary.ts';
import { labelSetKey, labelValue } from '../../model/labels.ts';
import { decodeSampleTimes } from '../../model/profiles/sample-times-codec.ts';
import * as types from '../../model/profile-type.ts';
import { computeDigest } from '../../model/profiles/profile-digest.ts';
import { stepRows } from '../../model/profiles/steps.ts';
import { toColumns } from '../../model/profiles/testing/to-columns.ts';
import type * as seam from '../interface.ts';
import * as answers from '../common-answers.ts';
import { createLabelReader } from '../sum/sample-label-reader.ts';

interface Row {
  readonly stack: number;
  readonly labels: number;
  readonly value: bigint;
  /** Samples of the row; undefined if their times are not known. */
  readonly samples?: readonly { readonly nanos: bigint; readonly value: bigint }[] | undefined;
}

const nothing: Row = { stack: 0, labels: 0, value: 0n };
const sorted = (texts: readonly string[]) => [...new Set(texts)].filter(Boolean).sort();
const seriesKey = (of: Profile) => types.formatProfileType(of.profileType) + labelSetKey(of.labels);

type Profile = ReturnType<typeof toProfiles>[number];
function toProfiles(upload: seam.IncomingProfile, delta: boolean) {
  const { name, labels, periodType, timeNanos, durationNanos, period } = upload;
  return upload.sampleTypes.map((sample, valueColumn) => {
    const all = Array.from(upload.stacks.subarray(0, upload.rowCount), (stack, i): Row => {
      const labels = upload.sampleLabels?.[i] ?? 0;
      return {
        stack,
        labels,
        value: upload.values[valueColumn][i],
        samples: readSamples(upload, i, valueColumn),
      };
    });
    const rows = all.length === 0 ? [nothing] : all;
    const [total, count] = [
      answers.sumValues(rows),
      rows.filter(({ value }) => value !== 0n).length,
    ];
    const profileType = { name, sample, period: periodType, delta };
    return { labels, profileType, timeNanos, durationNanos, period, total, count, rows };
  });
}

/** Returns the samples of a row; undefined if the profile has no sample times. */
function readSamples(
  { sampleTimes, values }: seam.IncomingProfile,
  row: number,
  valueColumn: number,
) {
  if (sampleTimes === undefined) return undefined;
  const times = decodeSampleTimes(sampleTimes);
  const [from, to] = [times.start[row], times.start[row + 1]];
  return Array.from(times.millis.subarray(from, to), (milli, i) => ({
    nanos: BigInt(milli) * 1_000_000n,
    value: times.values[valueColumn]?.[from + i] ?? values[valueColumn][row] / BigInt(to - from),
  }));
}

function toSeries(unsorted: readonly Profile[]) {
  const profiles = unsorted.toSorted((a, b) => Number(a.timeNanos - b.timeNanos));
  const columns = toColumns(profiles);
  const digest = computeDigest(columns, 0);
  const times = () => ({ from: digest.firstNanos, to: digest.lastNanos });
  const span = { digest, columns: () => columns };
  return { ...profiles[0], ...span, profiles, profileCount: profiles.length, times };
}

export class MemoryStorage implements seam.Storage, seam.Querier {
  readonly querier = this;
  readonly dictionary = new Dictionary([11, 22, 33]);
  readonly #profiles = new Map<string, Profile>();
  readonly rotate = async () => undefined;
  readonly close = async () => undefined;
  readonly hasData = async () => this.#profiles.size > 0;

  appender(): seam.Appender {
    const batch: seam.IncomingProfile[] = [];
    const append = (upload: seam.IncomingProfile) => void batch.push(structuredClone(upload));
    const commit = async () => batch.splice(0).forEach((upload) => this.store(upload));
    return { dictionary: this.dictionary, append, commit };
  }

  store(upload: seam.IncomingProfile, delta = upload.durationNanos !== 0n): void {
    for (const one of toProfiles(upload, delta)) {
      const key = [seriesKey(one), one.timeNanos, BigInt.asUintN(64, upload.contentHash)].join(' ');
      if (!this.#profiles.has(key)) this.#profiles.set(key, one);
    }
  }

  /**
   * Returns the values of the given labels. Labels of the series take precedence over labels of the
   * sample.
   */
  readLabelValues({ labels }: Pick<Profile, 'labels'>, row: Row, names: readonly string[]) {
    const own = names.map((name) => labelValue(labels, name));
    return createLabelReader(this.dictionary, own, names)(row.labels);
  }

  async select({ matchers, range, profileType: type }: seam.SeriesQuery) {
    const belongs = (one: Profile) => (row: Row) =>
      matchers.every(({ name, matches }) =>
        matches(
          name === '__name__' ? one.profileType.name : this.readLabelValues(one, row, [name])[0],
        ),
      );
    const found = [...this.#profiles.values()]
      .filter(({ timeNanos }) => timeNanos >= range.from && timeNanos <= range.to)
      .filter(({ profileType }) => type === undefined || types.equalProfileTypes(profileType, type))
      .map((one) => ({ ...one, rows: one.rows.filter(belongs(one)) }));
    const groups = Array.from(Map.groupBy(found, seriesKey).values());
    const left = groups.filter((all) => all.some(({ rows }) => rows.length > 0));
    return createSelection(this, left.map(toSeries));
  }

  async labelNames(query: seam.SeriesQuery): Promise<string[]> {
    const { sampleLabels, strings } = this.dictionary;
    const ofSamples = Array.from(sampleLabels.key, (row) => strings.text(row as never));
    const own = (await this.select(query)).series.flatMap(({ labels }) => labels);
    const values = await Promise.all(ofSamples.map((name) => this.labelValues(name, query)));
    const left = ofSamples.filter((_, i) => values[i].length > 0);
    return sorted([...own.map(({ name }) => name), ...left]);
  }

  async labelValues(name: string, query: seam.SeriesQuery): Promise<string[]> {
    const profiles = (await this.select(query)).series.flatMap((one) => one.profiles);
    const rows = profiles.flatMap((one) => [...one.rows, nothing].map((row) => ({ one, row })));
    return sorted(rows.flatMap(({ one, row }) => this.readLabelValues(one, row, [name])));
  }

  async profileTypes(range: seam.TimeRange, matchers: seam.SeriesQuery['matchers'] = []) {
    const { series } = await this.select({ matchers, range, profileType: undefined });
    const texts = series.map((one) => types.formatProfileType(one.profileType));
    return sorted(texts).map(types.parseProfileType);
  }
}

/** Returns the rows with the values of only those samples that are in a range. */
function rowsIn(rows: readonly Row[], timeNanos: bigint, { from, to }: seam.TimeRange): Row[] {
  return rows.map((row) => {
    const alone = [{ nanos: timeNanos, value: row.value }];
    const samples = row.samples ?? alone;
    const left = samples.filter(({ nanos }) => nanos >= from && nanos <= to);
    return { ...row, value: answers.sumValues(left) };
  });
}

function createSelection(store: MemoryStorage, series: readonly ReturnType<typeof toSeries>[]) {
  const spanned = series.map((one) => ({ series: one, spans: [one] }));
  const profiles = series.flatMap((one) => one.profiles.map((profile) => ({ ...profile, one })));
  const periods = (context: seam.ReadContext) => answers.collectPeriods(spanned, context);
  /**
   * Returns the rows with their values. With steps, a row is returned once for each step that
   * begins or ends at its profile.
   */
  const weighRows = ({ steps, timesPeriod, groupBy, byTime, samplesIn }: seam.MergeQuestion) =>
    profiles.flatMap(({ one, rows: stored, ...profile }) => {
      const rows = samplesIn === undefined ? stored : rowsIn(stored, profile.timeNanos, samplesIn);
      const alone = { ...profile, atNanos: profile.timeNanos, factor: 1n };
      const uses = steps === undefined ? [alone] : [...stepRows(steps.get(one)?.steps)];
      const own = uses.filter(({ atNanos }) => atNanos === profile.timeNanos);
      return own.flatMap(({ factor, timeNanos, durationNanos }) =>
        rows.map((row) => ({
          series: one,
          stack: row.stack,
          timeNanos,
          durationNanos,
          span: byTime ? { timeNanos, durationNanos } : undefined,
          labelValues: store.readLabelValues(profile, row, groupBy),
          value: row.value * factor * (timesPeriod ? profile.period : 1n),
          count: row.value !== 0n && factor > 0n ? 1 : 0,
          isShown: row.value !== 0n || profile.count === 0,
        })),
      );
    });

  return {
    series,
    missing: Array.of<string>(),
    periods,
    [Symbol.dispose]: () => undefined,
    timelines: (context: seam.ReadContext) => answers.buildTimelines(spanned, context),
    async *profiles() {
      for (const one of series) yield { series: one, columns: one.columns() };
    },
    async merge(question: seam.MergeQuestion) {
      question.onDictionary?.(store.dictionary);
      const groups = Map.groupBy(weighRows(question), ({ labelValues, span }) =>
        [...labelValues, span?.timeNanos, span?.durationNanos].join('\n'),
      );
      const all = Array.from(groups.values(), (rows) => ({ ...rows[0], rows }));
      return { dictionary: store.dictionary, groups: answers.sumGroups(all) };
    },
    async overTime(question: seam.TimeQuestion, context: seam.ReadContext) {
      const filter = question.keeps?.(store.dictionary);
      const rows = weighRows({ ...question, byTime: true, groupBy: question.groupBy ?? [] });
      const shown = rows.filter(({ isShown }) => isShown);
      const left = (stack: number) =>
        filter?.keeps(stack) === false ? { value: 0n, count: 0 } : {};
      const points = shown.map((row) => ({ ...row, ...left(row.stack) }));
      return answers.answerOverTime(points, question, await periods(context));
    },
    samplesOverTime: async (question: seam.SampleQuestion) =>
      samplesOverTime(store, profiles, question),
  };
}

function samplesOverTime(
  store: MemoryStorage,
  profiles: readonly Pick<Profile, 'labels' | 'rows' | 'timeNanos' | 'period'>[],
  { range: { from, to }, stepNanos, groupBy, timesPeriod }: seam.SampleQuestion,
): seam.SamplesOverTime {
  const lines = new Map<string, seam.SampleLine>();
  const isIn = (nanos: bigint) => nanos >= from && nanos <= to;
  let untimed = 0n;
  for (const { rows, ...profile } of profiles) {
    const factor = timesPeriod ? profile.period : 1n;
    for (const row of rows) {
      if (row.samples === undefined && isIn(profile.timeNanos)) untimed += row.value * factor;
      for (const { nanos, value } of row.samples?.filter((one) => isIn(one.nanos)) ?? []) {
        const labelValues = store.readLabelValues(profile, row, groupBy);
        const values = new BigInt64Array(Number((to - from) / stepNanos) + 1);
        const line = lines.get(labelValues.join('\n')) ?? { labelValues, values };
        lines.set(labelValues.join('\n'), line);
        line.values[Number((nanos - from) / stepNanos)] += value * factor;
      }
    }
  }
  return { lines: [...lines.values()], untimed: BigInt.asIntN(64, untimed) };
}
