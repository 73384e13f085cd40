// Answers questions for the metrics graph: values of profiles over time, in buckets.
import { AppError } from '../../base/errors.ts';
import { rangeSeriesMax, selectedSeriesBytes } from '../../base/limits.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import { labelValue, type LabelSet } from '../../model/labels.ts';
import type { ProfileType } from '../../model/profile-type.ts';
import type { StackView } from '../../report/stacks/stack-view.ts';
import type { Querier, TimeRange } from '../../storage/interface.ts';
import type {
  ProfileColumns,
  ProfileRun,
  Selection,
  SeriesPiece,
} from '../../storage/selection.ts';
import type { MetricsSeries, RangeAnswer, RangeQuestion } from '../interface.ts';
import { chooseColumns, chooseProfiles } from '../plan/chosen-profiles.ts';
import type { QueryContext } from '../running/context.ts';
import {
  magnitudeOfSteps,
  profilesOfSteps,
  stepsAt,
  stepsOf,
  withStarts,
  type Steps,
} from '../merge/increase.ts';
import { LineAverages } from './line-averages.ts';
import { LineProfiles } from './line-profiles.ts';
import { missingSentences, readOrNote, throwMissing } from '../facts/missing.ts';
import { planRange, type RangePlan } from '../plan/plan.ts';
import { Buckets, type BucketKind } from './range-buckets.ts';
import { addRowsToLines, checkRowsAreThere, maskedTotals, type PieceRows } from './range-rows.ts';
import { lastingSource } from '../merge/profile-rows.ts';
import { createLabelReader } from '../merge/sample-label-reader.ts';
import {
  checkMagnitude,
  isScaledByPeriod,
  magnitudeOf,
  scaledValueType,
} from '../facts/scaling.ts';
import { resolveSelector } from '../plan/select.ts';
import {
  checkCounts,
  checkIncreaseFits,
  columnsOf,
  partsOfSteps,
  spanOf,
  StepProfiles,
  unknownSentence,
} from '../merge/selected-increase.ts';
import { copyOf, mergeByTime, spansOf, type Span, type SpannedSeries } from '../facts/spans.ts';
import { droppingViews, StackMask } from './stack-mask.ts';

const nothingFound =
  'No data found for the query, try a different query or time range or no data has been ' +
  'written to be queried yet.';

/**
 * Answers one question. Delta types are summed over each bucket and by the labels of `sumBy`;
 * of other types, each bucket shows the first moment of every series, summed by `sumBy` if there
 * are any, else one by one. A step of 0 makes a bucket of every moment.
 *
 * Totals that the store keeps are read; rows only where labels of samples or stacks matter. A
 * profile of which views leave nothing counts as 0.
 */
export async function answerRange(
  question: RangeQuestion,
  querier: Querier,
  context: QueryContext,
): Promise<RangeAnswer> {
  const plan = planRange(question);
  if (question.stepNanos < 0n) {
    throw new AppError('invalid-argument', `step must not be negative, got ${question.stepNanos}`);
  }
  const { profileType, matchers } = await resolveSelector(plan, querier);
  if (plan.increase !== undefined) checkCounts(profileType, plan.selector, plan.increase);
  const isIncrease = plan.increase !== undefined;
  const range = isIncrease ? withStarts(plan.range) : plan.range;
  using selection = await querier.select({ matchers, profileType, range });
  context.throwIfAborted();
  context.budget.hold(selection.series.length * selectedSeriesBytes);
  const all = await spansOf(selection, context);
  if (all.length === 0) throw nothingToShow(selection);
  const isOverTime = isIncrease || profileType.delta;
  const isScaled = isOverTime && isScaledByPeriod(profileType, all);
  const { stepNanos } = question;
  const groups = new RangeGroups(selection, { ...plan, stepNanos }, profileType, isScaled, context);
  if (question.averages === true) groups.averages = new LineAverages();
  const rowsOf = all.map((series) => (isIncrease ? 0 : groups.rowsRead(series)));
  context.budget.selectRows(rowsOf.reduce((sum, rows) => sum + rows, 0));
  for (const [i, series] of all.entries()) {
    const pausing = context.pause();
    if (pausing !== undefined) await pausing;
    const reading = isIncrease ? groups.addIncrease(series, plan.range) : groups.add(series);
    if (reading !== undefined) await reading;
    context.budget.rowsDone += rowsOf[i];
    context.budget.hold(groups.takeGrowth() * bucketBytes);
  }
  const { magnitude } = groups;
  if (isIncrease) await checkIncreaseFits(magnitude, all, { range: plan.range, isScaled });
  else await checkMagnitude(magnitude, all, isScaled);
  const rangeNanos = Number(plan.range.to - plan.range.from);
  const averages = await groups.averages?.finish(isOverTime, rangeNanos, context);
  const series = limitSeries(groups.finish(averages), plan.limit);
  const unknown = unknownSentence(groups.unknownCount, groups.seriesCount);
  if (series.length === 0) throw nothingToShow(selection, unknown);
  const missing = unknown === undefined ? selection.missing : [...selection.missing, unknown];
  return { series, missing: missingSentences(missing) };
}

/** What a bucket takes in the columns of `Buckets`, and in its map. */
const bucketBytes = 80;

/** Whether labels of rows decide: which line they belong to, or whether they belong at all. */
function readsLabels({ spans }: SpannedSeries, areGrouped: boolean): boolean {
  for (const { pieces } of spans) {
    for (const piece of pieces) {
      if (piece.rowFilter !== undefined || (areGrouped && piece.isLabelled)) return true;
    }
  }
  return false;
}

function nothingToShow({ missing }: Selection, unknown?: string): AppError {
  throwMissing('show profiles over time', missing);
  return new AppError('not-found', unknown === undefined ? nothingFound : `No data: ${unknown}.`);
}

type GroupsPlan = Pick<RangePlan, 'sumBy' | 'offsetNanos' | 'views' | 'increase'> & {
  readonly stepNanos: bigint;
};

interface ReadRows {
  readonly rows: PieceRows;
  readonly dictionary: Dictionary;
}

/** The profiles that steps start or end at. */
function rowsOfSteps(rows: PieceRows, steps: Steps): PieceRows {
  const { sources, profiles } = rows;
  const { ending, starting } = stepsAt(steps, profiles.timeNanos);
  const isChosen = Uint8Array.from(ending, (end, i) => (end === -1 && starting[i] === -1 ? 0 : 1));
  return {
    ...rows,
    sources: chooseProfiles(sources, isChosen),
    profiles: chooseColumns(profiles, isChosen),
  };
}

class RangeGroups {
  /** At least the sum of the magnitudes of all that was added so far, about. */
  magnitude = 0;
  /** Of an increase: series with profiles in the range, and those of which nothing is known. */
  seriesCount = 0;
  unknownCount = 0;
  /** Of the series at hand, where its rows are read. */
  #stepProfiles = new StepProfiles();
  /** Undefined: not asked for. */
  averages: LineAverages | undefined;
  #newBuckets = 0;
  readonly #groups = new Map<string, { labels: LabelSet; buckets: Buckets }>();
  readonly #selection: Selection;
  readonly #context: QueryContext;
  readonly #plan: GroupsPlan;
  /** Those that change totals. */
  readonly #views: readonly StackView[];
  /** By part. */
  readonly #masks: StackMask[] = [];
  readonly #profileType: ProfileType;
  readonly #isScaled: boolean;
  readonly #kind: BucketKind;

  constructor(
    selection: Selection,
    plan: GroupsPlan,
    profileType: ProfileType,
    isScaled: boolean,
    context: QueryContext,
  ) {
    this.#selection = selection;
    this.#context = context;
    this.#plan = plan;
    this.#views = droppingViews(plan.views);
    this.#profileType = profileType;
    this.#isScaled = isScaled;
    this.#kind = plan.increase === undefined ? (profileType.delta ? 'delta' : 'state') : 'increase';
  }

  /** Rows of a series that are read; where totals are, one for each profile. */
  rowsRead(series: SpannedSeries): number {
    const areLabels = readsLabels(series, this.#ownLabels(series).includes(''));
    const areRows = areLabels || this.#views.length > 0;
    let rows = 0;
    for (const { pieces } of series.spans) {
      for (const piece of pieces) rows += areRows ? piece.digest().rowCount : piece.profileCount;
    }
    return rows;
  }

  #ownLabels({ labels }: SpannedSeries): string[] {
    return this.#plan.sumBy.map((name) => labelValue(labels, name));
  }

  /** Adds a series, span by span; done at once when all of it is in memory. */
  add(series: SpannedSeries): Promise<void> | undefined {
    const reading = this.#addTo(series, this.#ownLabels(series));
    if (reading !== undefined) return reading.then(() => this.averages?.end(series.spans));
    this.averages?.end(series.spans);
    return undefined;
  }

  #addTo(series: SpannedSeries, own: readonly string[]): Promise<void> | undefined {
    if (readsLabels(series, own.includes(''))) return this.#addRows(series, own);
    const buckets = this.#seriesLine(series, own);
    if (this.#views.length > 0) return this.#addMasked(series, buckets);
    return this.#addSpans(series.spans, 0, buckets);
  }

  #addSpans(spans: readonly Span[], first: number, buckets: Buckets): Promise<void> | undefined {
    for (let i = first; i < spans.length; i += 1) {
      if (!this.#isScaled) this.magnitude += spans[i].magnitudeMax();
      const runs = spans[i].runs();
      if (runs instanceof Promise) {
        return runs.then((read) => {
          this.#addRuns(read, buckets);
          return this.#addSpans(spans, i + 1, buckets);
        });
      }
      this.#addRuns(runs, buckets);
    }
    return undefined;
  }

  #addRuns(runs: readonly ProfileRun[], buckets: Buckets): void {
    for (const { columns, sums } of runs) {
      if (this.#isScaled) this.magnitude += magnitudeOf(columns, true);
      buckets.addProfiles(columns, sums);
    }
  }

  /** Adds what a series gains in the range; it is of `withStarts(range)`. */
  async addIncrease(series: SpannedSeries, range: TimeRange): Promise<void> {
    // Rows are read meanwhile.
    const columns = copyOf(await columnsOf(series));
    const last = columns.timeNanos.at(-1);
    if (last === undefined || last < range.from) return;
    this.seriesCount += 1;
    const steps = stepsOf(columns, range);
    if (steps.length === 0) {
      this.unknownCount += 1;
      return;
    }
    this.magnitude += magnitudeOfSteps(steps, columns, this.#isScaled);
    const own = this.#ownLabels(series);
    const areRows = this.#views.length > 0 || readsLabels(series, own.includes(''));
    const rows = areRows ? partsOfSteps(steps, columns).rowCount : steps.length;
    this.#context.budget.selectRows(rows);
    const lines = areRows
      ? await this.#readLinesOf(series, own, steps, columns)
      : [{ buckets: this.#seriesLine(series, own), profiles: columns }];
    this.#context.budget.rowsDone += rows;
    for (const { buckets, profiles } of lines) {
      buckets.addProfiles(profilesOfSteps(steps, profiles, this.#isScaled));
    }
    this.averages?.end([spanOf(steps, columns, series, range)]);
  }

  /** Each line of a series with the profiles that steps start or end at, and what it has of them. */
  async #readLinesOf(
    series: SpannedSeries,
    own: readonly string[],
    steps: Steps,
    columns: ProfileColumns,
  ): Promise<{ readonly buckets: Buckets; readonly profiles: ProfileColumns }[]> {
    this.#stepProfiles = new StepProfiles();
    this.#stepProfiles.expect(partsOfSteps(steps, columns).profileCount);
    return this.#stepProfiles.readAll(this.#selection, async () => {
      if (!readsLabels(series, own.includes(''))) {
        const profiles = await this.#maskedOf(series.spans, steps);
        return [{ buckets: this.#seriesLine(series, own), profiles }];
      }
      const read = new Map<Buckets, LineProfiles>();
      for (const span of series.spans) await this.#readLines(span, series, own, read, steps);
      return Array.from(read, ([buckets, line]) => ({ buckets, profiles: line.take() }));
    });
  }

  /** The one line of a series, to which it is about to be added. */
  #seriesLine(series: SpannedSeries, own: readonly string[]): Buckets {
    const buckets = this.#bucketsOf(this.#labelsOf(series, own));
    this.#begin(buckets);
    return buckets;
  }

  #begin(buckets: Buckets): void {
    this.averages?.begin(buckets);
    buckets.beginSeries();
  }

  /** Buckets that were made since the last call. */
  takeGrowth(): number {
    const growth = this.#newBuckets;
    this.#newBuckets = 0;
    return growth;
  }

  finish(averages?: ReadonlyMap<Buckets, number>): MetricsSeries[] {
    const sampleType = scaledValueType(this.#profileType, this.#isScaled);
    const periodType = this.#profileType.period;
    const isCpuTime = sampleType.type === 'cpu' && sampleType.unit === 'nanoseconds';
    return [...this.#groups.values()]
      .map(({ labels, buckets }) => ({
        ...{ labels, sampleType, periodType },
        ...buckets.finish(isCpuTime),
        average: averages?.get(buckets) ?? 0,
      }))
      .filter((series) => series.timeNanos.length > 0);
  }

  /** Adds each profile with the sum of what views leave of it. */
  async #addMasked(series: SpannedSeries, buckets: Buckets): Promise<void> {
    for (const span of series.spans) buckets.addProfiles(await this.#maskedOf([span]));
  }

  /** Profiles with the sums of what views leave of them; with `steps` those that have a part. */
  async #maskedOf(spans: readonly Span[], steps?: Steps): Promise<ProfileColumns> {
    const all: ProfileColumns[] = [];
    for (const { pieces } of spans) {
      for (const piece of pieces) {
        const use = async ({ rows }: ReadRows): Promise<void> => {
          all.push(await maskedTotals(rows, this.#context));
        };
        await this.#readPiece(piece, use, steps);
      }
    }
    return mergeByTime(all);
  }

  /** Sums the rows of each profile by what their labels say. */
  async #addRows(series: SpannedSeries, own: readonly string[]): Promise<void> {
    const lines = new Map<Buckets, LineProfiles>();
    for (const span of series.spans) {
      await this.#readLines(span, series, own, lines);
      for (const [buckets, line] of lines) buckets.addProfiles(line.take());
    }
  }

  /** Adds the rows of a span to the lines of their labels; with `steps` of what has a part. */
  async #readLines(
    { pieces }: Span,
    series: SpannedSeries,
    own: readonly string[],
    lines: Map<Buckets, LineProfiles>,
    steps?: Steps,
  ): Promise<void> {
    const use = async ({ rows, dictionary }: ReadRows): Promise<void> => {
      const read = createLabelReader(dictionary, own, this.#plan.sumBy);
      const lineOf = new Map<number, LineProfiles>();
      const lineOfLabels = (labels: number): LineProfiles => {
        const line = lineOf.get(labels) ?? this.#lineOf(series, read(labels), lines);
        lineOf.set(labels, line);
        return line;
      };
      await addRowsToLines(rows, lineOfLabels, this.#context);
    };
    for (const piece of pieces) await this.#readPiece(piece, use, steps);
  }

  /** Gives the rows of a piece to `use`; what cannot be read is noted. */
  async #readPiece(
    piece: SeriesPiece,
    use: (read: ReadRows) => Promise<void>,
    steps: Steps | undefined,
  ): Promise<void> {
    const selection = this.#selection;
    const dictionary = await readOrNote(selection, () => selection.parts[piece.part].dictionary());
    // Steps were found without those that cannot be read.
    const notes = steps === undefined ? selection : { missing: [] };
    const profiles = await readOrNote(notes, async () => copyOf(await piece.profiles()));
    if (profiles === undefined) return;
    if (steps !== undefined && partsOfSteps(steps, profiles).profileCount === 0) return;
    const sources = await readOrNote(selection, async () =>
      (await piece.rows(false)).map(lastingSource),
    );
    if (dictionary === undefined || sources === undefined) return;
    if (steps === undefined) this.magnitude += magnitudeOf(profiles, this.#isScaled);
    const mask = this.#maskOf(piece.part, dictionary);
    const rows = { sources, profiles, rowFilter: piece.rowFilter, mask };
    await readOrNote(selection, async () => {
      checkRowsAreThere(rows);
      if (steps === undefined) {
        await use({ rows, dictionary });
        return;
      }
      const own = rowsOfSteps(rows, steps);
      this.#stepProfiles.note(own.profiles.profileCount);
      await use({ rows: own, dictionary });
    });
  }

  /** Of a part; undefined when no view leaves stacks out. */
  #maskOf(part: number, dictionary: Dictionary): StackMask | undefined {
    if (this.#views.length === 0) return undefined;
    return (this.#masks[part] ??= new StackMask(dictionary, this.#views));
  }

  #lineOf(
    series: SpannedSeries,
    values: readonly string[],
    lines: Map<Buckets, LineProfiles>,
  ): LineProfiles {
    const buckets = this.#bucketsOf(this.#labelsOf(series, values));
    const known = lines.get(buckets);
    if (known !== undefined) return known;
    const added = new LineProfiles();
    lines.set(buckets, added);
    this.#begin(buckets);
    return added;
  }

  /** The labels of the line that something with these values of the `sumBy` labels belongs to. */
  #labelsOf(series: SpannedSeries, values: readonly string[]): LabelSet {
    const { sumBy } = this.#plan;
    if (sumBy.length === 0 && this.#kind === 'state') return series.labels;
    return sumBy
      .map((name, i) => ({ name, value: values[i] }))
      .filter(({ value }) => value !== '')
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  #bucketsOf(labels: LabelSet): Buckets {
    const key = JSON.stringify(labels);
    const known = this.#groups.get(key);
    if (known !== undefined) return known.buckets;
    if (this.#groups.size >= rangeSeriesMax) {
      throw new AppError(
        'resource-exhausted',
        `cannot show profiles over time: there are more than ${rangeSeriesMax} series; ` +
          `narrow the query down or sum by fewer labels`,
      );
    }
    const { stepNanos, offsetNanos } = this.#plan;
    // What steps are worth is scaled already.
    const isScaled = this.#isScaled && this.#kind === 'delta';
    const buckets = new Buckets(this.#kind, { stepNanos, offsetNanos }, isScaled, () => {
      this.#newBuckets += 1;
    });
    this.#groups.set(key, { labels, buckets });
    return buckets;
  }
}

/** The `limit` series with the largest values, in their order; 0 = all. */
function limitSeries(all: MetricsSeries[], limit: number): MetricsSeries[] {
  if (limit === 0 || all.length <= limit) return all;
  const largest = new Map(all.map((series) => [series, series.value.reduce(largerOf)]));
  const ranked = all.toSorted((a, b) => Number((largest.get(b) ?? 0n) - (largest.get(a) ?? 0n)));
  const kept = new Set(ranked.slice(0, limit));
  return all.filter((series) => kept.has(series));
}

function largerOf(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
