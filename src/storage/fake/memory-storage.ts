// The storage seam in plain loops over rows in memory: shows the meaning of each question.
import { Dictionary } from '../../model/dictionary.ts';
import { createLabelSet, type LabelSet, labelSetKey, labelValue } from '../../model/labels.ts';
import { equalProfileTypes, formatProfileType } from '../../model/profile-type.ts';
import type * as seam from '../interface.ts';
import * as answers from '../row-answers.ts';
import { createLabelReader } from '../sum/sample-label-reader.ts';

const nothing = [{ stack: 0, labels: 0, value: 0n }];
const sorted = (texts: readonly string[]) => [...new Set(texts)].filter(Boolean).sort();
const keyOf = (of: answers.ProfileRow) =>
  formatProfileType(of.profileType) + labelSetKey(of.labels);

export class MemoryStorage implements seam.Storage, seam.Querier {
  readonly querier = this;
  readonly dictionary = new Dictionary([11, 22, 33]);
  readonly #profiles = new Map<string, answers.ProfileRow>();
  readonly rotate = async () => undefined;
  readonly close = async () => undefined;
  readonly hasData = async () => this.#profiles.size > 0;

  appender(): seam.Appender {
    const batch: seam.IncomingProfile[] = [];
    return {
      dictionary: this.dictionary,
      append: (upload) => void batch.push(structuredClone(upload)),
      commit: async () => batch.splice(0).forEach((upload) => this.store(upload)),
    };
  }

  store(upload: seam.IncomingProfile, delta = upload.durationNanos !== 0n): void {
    for (const one of answers.profileRows(upload, delta)) {
      const key = [keyOf(one), one.timeNanos, BigInt.asUintN(64, upload.contentHash)].join(' ');
      const rows = one.rows.length === 0 ? nothing : one.rows;
      if (!this.#profiles.has(key)) this.#profiles.set(key, { ...one, rows });
    }
  }

  /** Returns the values of labels: the series' own, or else the sample's. */
  valuesOf(labels: LabelSet, row: answers.SampleRow, names: readonly string[]): string[] {
    const own = names.map((name) => labelValue(labels, name));
    return createLabelReader(this.dictionary, own, names)(row.labels);
  }

  async select({ matchers, range, profileType: type }: seam.SeriesQuery): Promise<MemorySelection> {
    const belongs =
      ({ labels, profileType }: answers.ProfileRow) =>
      (row: answers.SampleRow) =>
        matchers.every(({ name, matches }) => {
          const [value] = this.valuesOf(labels, row, [name]);
          return matches(name === '__name__' ? profileType.name : value);
        });
    const found = [...this.#profiles.values()]
      .filter(({ timeNanos }) => timeNanos >= range.from && timeNanos <= range.to)
      .filter(({ profileType }) => type === undefined || equalProfileTypes(profileType, type))
      .map((one) => ({ ...one, rows: one.rows.filter(belongs(one)) }));
    const groups = [...Map.groupBy(found, keyOf).values()];
    const belonging = groups.filter((all) => all.some(({ rows }) => rows.length > 0));
    return new MemorySelection(this, belonging);
  }

  async labelNames(query: seam.SeriesQuery): Promise<string[]> {
    const { sampleLabels, strings } = this.dictionary;
    const ofSamples = Array.from(sampleLabels.key, (row) => strings.text(row as never));
    const { series } = await this.select(query);
    const names = series.flatMap(({ labels }) => labels.map(({ name }) => name));
    const values = await Promise.all(ofSamples.map((name) => this.labelValues(name, query)));
    return sorted([...names, ...ofSamples.filter((_, i) => values[i].length > 0)]);
  }

  async labelValues(name: string, query: seam.SeriesQuery): Promise<string[]> {
    const profiles = (await this.select(query)).series.flatMap(({ rows }) => rows);
    const valuesOf = ({ labels, rows }: answers.ProfileRow) =>
      [...rows, ...nothing].flatMap((row) => this.valuesOf(labels, row, [name]));
    return sorted(profiles.flatMap(valuesOf));
  }

  async profileTypes(range: seam.TimeRange, matchers: seam.SeriesQuery['matchers'] = []) {
    const { series } = await this.select({ matchers, range, profileType: undefined });
    const types = new Map(series.map(({ profileType: type }) => [formatProfileType(type), type]));
    return sorted([...types.keys()]).flatMap((text) => types.get(text) ?? []);
  }
}

class MemorySelection implements seam.Selection {
  readonly missing: string[] = [];
  readonly series: readonly answers.SeriesOfRows[];
  readonly #store: MemoryStorage;

  constructor(store: MemoryStorage, groups: readonly (readonly answers.ProfileRow[])[]) {
    this.#store = store;
    this.series = groups.map((group) => new answers.SeriesOfRows(group));
  }

  readonly [Symbol.dispose] = () => undefined;
  readonly periods = () => answers.periodsOf(this.series);
  readonly timelines = () => answers.timelinesOf(this.series);

  async *profiles() {
    for (const series of this.series) yield { series, columns: series.columns() };
  }

  /** Returns rows with their worth; with steps, a row counts for each step that its profile bounds. */
  #rowsOf({ steps, timesPeriod, groupBy }: Omit<seam.MergeQuestion, 'byTime'>) {
    const uses = this.series.flatMap((series) => answers.usesOf(series, steps));
    return uses.flatMap(({ series, profile, factor, span }) =>
      profile.rows.map((row) => {
        const value = row.value * factor * (timesPeriod ? profile.period : 1n);
        const labelValues = this.#store.valuesOf(series.labels, row, groupBy);
        const [count, isShown] = row.value === 0n ? [0, profile.count === 0] : [1, true];
        const own = { series, value, labelValues, span, isShown };
        return { ...row, ...own, count: factor < 0n ? 0 : count };
      }),
    );
  }

  async merge(question: seam.MergeQuestion): Promise<seam.StackSums> {
    const groups = Map.groupBy(this.#rowsOf(question), ({ labelValues, span }) =>
      [...labelValues, question.byTime && [span.timeNanos, span.durationNanos]].join('\n'),
    );
    const sums = Array.from(groups.values(), (all) => {
      const span = question.byTime ? all[0].span : undefined;
      return { labelValues: all[0].labelValues, span, merged: answers.mergedStacks(all) };
    });
    question.onDictionary?.(this.#store.dictionary);
    const left = sums.filter(({ merged }) => merged.stacks.length > 0);
    return { dictionary: this.#store.dictionary, groups: left };
  }

  async overTime(question: seam.TimeQuestion): Promise<seam.SumsOverTime> {
    const { groupBy, offsetNanos, steps, keeps } = question;
    const filter = keeps?.(this.#store.dictionary);
    const rows = this.#rowsOf({ ...question, groupBy: groupBy ?? [] });
    const points = rows.flatMap(({ isShown, span, labelValues, ...row }) => {
      const timeNanos = span.timeNanos + offsetNanos + (steps ? span.durationNanos : 0n);
      const own = groupBy?.map((name, i) => ({ name, value: labelValues[i] }));
      const labels = own === undefined ? row.series.labels : createLabelSet(own);
      const left = filter?.keeps(row.stack) === false ? { value: 0n, count: 0 } : {};
      return isShown ? [{ ...row, ...left, ...span, timeNanos, labels }] : [];
    });
    const magnitude = (await this.periods()).reduce((sum, one) => sum + one.magnitude, 0);
    return { lines: answers.linesOf(points, question), magnitude };
  }
}
