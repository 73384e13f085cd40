// Profiles of one stored type, as a selection that has plain sums and Pyroscope's names.
import { createLabelSet, type Label, type LabelSet, labelValue } from '../../model/labels.ts';
import { type NameGaps, noNameGaps } from '../../model/name-gaps.ts';
import type { ProfileType } from '../../model/profile-type.ts';
import type { PeriodSum } from '../../model/profiles/period-sums.ts';
import type { Timeline } from '../../model/profiles/timeline.ts';
import type {
  LineOverTime,
  MergeQuestion,
  Querier,
  ReadContext,
  SampleQuestion,
  SamplesOverTime,
  SelectedSeries,
  Selection,
  SeriesProfiles,
  StackSums,
  SumsOverTime,
  TimeQuestion,
  TimeRange,
} from '../../storage/interface.ts';
import type { LabelMatcher } from '../../model/matcher.ts';
import { isScaledByPeriod } from '../merge/scaling.ts';
import { type SelectedIncrease, selectIncrease, withStarts } from '../merge/increase.ts';
import { joinLines } from '../merge/join-lines.ts';
import {
  isServiceName,
  listServiceLabels,
  serviceName,
  type ServiceSource,
} from './label-names.ts';
import { type ShownType, typeLabels } from './type-names.ts';

/** Parameters of a PartSelection. */
export interface PartQuestion {
  readonly matchers: readonly LabelMatcher[];
  readonly stored: ProfileType;
  readonly type: ShownType;
  readonly range: TimeRange;
  /** Labels that name the services of the selection, as in ServiceSource. */
  readonly serviceLabels: ServiceSource['serviceLabels'];
}

/** Steps between the profiles of counters, and the profiles at which they begin and end. */
interface Increase {
  readonly selection: Selection;
  readonly gained: SelectedIncrease;
}

/** Takes ownership of a selection of the stored profiles. */
export class PartSelection implements Selection {
  readonly #querier: Querier;
  readonly #stored: Selection;
  readonly #asked: PartQuestion;
  #series: readonly SelectedSeries[] | undefined;
  #serviceLabels: readonly string[] | undefined;
  /** Increases by `isByStep`: with successive steps joined (false) or separate (true). */
  readonly #increases = new Map<boolean, Promise<Increase>>();
  readonly #opened: Selection[] = [];

  constructor(querier: Querier, stored: Selection, asked: PartQuestion) {
    this.#querier = querier;
    this.#stored = stored;
    this.#asked = asked;
  }

  [Symbol.dispose](): void {
    this.#stored[Symbol.dispose]();
    for (const one of this.#opened) one[Symbol.dispose]();
  }

  get series(): readonly SelectedSeries[] {
    this.#series ??= this.#stored.series.map(
      (series) => new ShownSeries(series, this.#asked.type.shown),
    );
    return this.#series;
  }

  get missing(): string[] {
    const all = [this.#stored, ...this.#opened].flatMap(({ missing }) => missing);
    return [...new Set(all)];
  }

  get nameGaps(): NameGaps {
    return (this.#opened.at(-1) ?? this.#stored).nameGaps ?? noNameGaps;
  }

  /**
   * Labels of which the first one with a value names the service. Undefined if no such list of
   * labels fits all series.
   */
  get serviceLabels(): readonly string[] | undefined {
    this.#serviceLabels ??=
      this.#asked.serviceLabels ??
      listServiceLabels(this.#stored.series.map(({ labels }) => labels));
    return this.#serviceLabels;
  }

  async periods(context: ReadContext): Promise<readonly PeriodSum[]> {
    if (this.#isIncrease) return (await this.#increase(false, context)).gained.periods;
    const stored = await this.#stored.periods(context);
    if (!this.#isScaledBy(stored)) return stored;
    return stored.map((sum) => ({
      ...sum,
      total: BigInt.asIntN(64, sum.total * sum.period),
      magnitude: sum.magnitude * Math.abs(Number(sum.period)),
    }));
  }

  async timelines(context: ReadContext): Promise<ReadonlyMap<SelectedSeries, Timeline>> {
    if (this.#isIncrease) return (await this.#increase(false, context)).gained.timelines;
    return this.#stored.timelines(context);
  }

  async *profiles(context: ReadContext): AsyncGenerator<SeriesProfiles> {
    if (this.#isIncrease) {
      const { gained } = await this.#increase(true, context);
      for (const [series, columns] of gained.records) yield { series, columns };
      return;
    }
    const isScaled = await this.#isScaled(context);
    for await (const { series, columns } of this.#stored.profiles(context)) {
      // The columns may be getters, which a spread would not copy.
      const { profileCount, timeNanos, durationNanos, period, count } = columns;
      const total = columns.total.map((value, i) => (isScaled ? value * period[i] : value));
      const scaled = { profileCount, timeNanos, durationNanos, period, total, count };
      yield { series, columns: scaled };
    }
  }

  async merge(question: MergeQuestion, context: ReadContext): Promise<StackSums> {
    if (this.#isIncrease) {
      const { selection, gained } = await this.#increase(question.byTime, context);
      return selection.merge({ ...question, timesPeriod: false, steps: gained.steps }, context);
    }
    const timesPeriod = await this.#isScaled(context);
    return this.#stored.merge({ ...question, timesPeriod, steps: undefined }, context);
  }

  async overTime(question: TimeQuestion, context: ReadContext): Promise<SumsOverTime> {
    const { groupBy } = question;
    const asked = { ...question, groupBy: groupBy && this.#storedNames(groupBy) };
    const { lines, magnitude } = await this.#storedOverTime(asked, context);
    if (groupBy === undefined) return { lines, magnitude };
    return { lines: joinLines(lines.map((line) => this.#shownLine(line, groupBy))), magnitude };
  }

  async samplesOverTime(question: SampleQuestion, context: ReadContext): Promise<SamplesOverTime> {
    const timesPeriod = await this.#isScaled(context);
    const { groupBy } = question;
    const asked = { ...question, timesPeriod, groupBy: this.#storedNames(groupBy) };
    return this.#stored.samplesOverTime(asked, context);
  }

  async #storedOverTime(question: TimeQuestion, context: ReadContext): Promise<SumsOverTime> {
    if (this.#isIncrease) {
      const { selection, gained } = await this.#increase(true, context);
      return selection.overTime({ ...question, timesPeriod: false, steps: gained.steps }, context);
    }
    const timesPeriod = await this.#isScaled(context);
    return this.#stored.overTime({ ...question, timesPeriod, steps: undefined }, context);
  }

  /** Returns the stored labels that distinguish lines. */
  #storedNames(groupBy: readonly string[]): string[] {
    const names = groupBy.flatMap((name) => {
      if (typeLabels.has(name)) return [];
      return isServiceName(name) ? (this.serviceLabels ?? []) : name;
    });
    return [...new Set(names)];
  }

  #shownLine(line: LineOverTime, groupBy: readonly string[]): LineOverTime {
    const { type } = this.#asked;
    const shown = groupBy.map((name): Label => {
      const ofType = typeLabels.get(name);
      if (ofType !== undefined) return { name, value: ofType(type.shown) };
      const { labels } = line;
      return { name, value: isServiceName(name) ? serviceName(labels) : labelValue(labels, name) };
    });
    return { ...line, labels: createLabelSet(shown) };
  }

  get #isIncrease(): boolean {
    return this.#asked.type.change === 'increase';
  }

  async #isScaled(context: ReadContext): Promise<boolean> {
    if (this.#asked.type.change !== 'times period') return false;
    return this.#isScaledBy(await this.#stored.periods(context));
  }

  #isScaledBy(periods: readonly PeriodSum[]): boolean {
    const { type, stored } = this.#asked;
    return type.change === 'times period' && isScaledByPeriod(stored, periods);
  }

  #increase(isByStep: boolean, context: ReadContext): Promise<Increase> {
    const known = this.#increases.get(isByStep) ?? this.#readIncrease(isByStep, context);
    this.#increases.set(isByStep, known);
    return known;
  }

  async #readIncrease(isByStep: boolean, context: ReadContext): Promise<Increase> {
    const { matchers, stored, range } = this.#asked;
    const [started] = withStarts([range]);
    const query = { matchers, profileType: stored, range: started };
    const selection = await this.#querier.select(query);
    this.#opened.push(selection);
    const gained = await selectIncrease(
      selection,
      { ranges: [range], isScaled: false, isByStep, isTimed: true, keepsRecords: isByStep },
      context,
    );
    return { selection, gained };
  }
}

/** A series with the labels that Pyroscope's clients expect. */
class ShownSeries implements SelectedSeries {
  readonly profileType: ProfileType;
  readonly #stored: SelectedSeries;

  constructor(stored: SelectedSeries, shown: ProfileType) {
    this.#stored = stored;
    this.profileType = shown;
  }

  get labels(): LabelSet {
    const { labels } = this.#stored;
    const service = serviceName(labels);
    const own = labels.filter(({ name }) => !isServiceName(name) && !typeLabels.has(name));
    const ofType = Array.from(typeLabels, ([name, valueOf]) => {
      return { name, value: valueOf(this.profileType) };
    });
    return createLabelSet([
      ...own,
      ...ofType,
      { name: 'service_name', value: service },
      { name: '__service_name__', value: service },
    ]);
  }

  get profileCount(): number {
    return this.#stored.profileCount;
  }

  times(): TimeRange {
    return this.#stored.times();
  }
}
