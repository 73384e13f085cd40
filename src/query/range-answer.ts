// Answers questions for the metrics graph: values of profiles over time, in buckets.
import { AppError } from '../base/errors.ts';
import { rangeSeriesMax, selectedSeriesBytes } from '../base/limits.ts';
import { labelValue } from '../model/labels.ts';
import type { LabelSet } from '../model/labels.ts';
import type { ProfileType } from '../model/profile-type.ts';
import type { Querier } from '../storage/interface.ts';
import type { ProfileColumns, RowSource, Selection, SeriesPiece } from '../storage/selection.ts';
import type { MetricsSeries, RangeAnswer, RangeQuestion } from './interface.ts';
import type { QueryContext } from './context.ts';
import { LineProfiles } from './line-profiles.ts';
import { missingSentences, readOrNote } from './missing.ts';
import { profileCountOf, rowsOfProfiles } from './profile-rows.ts';
import type { ProfileRows } from './profile-rows.ts';
import { Buckets } from './range-buckets.ts';
import { createLabelReader } from './sample-label-reader.ts';
import { checkMagnitude, isScaledByPeriod, magnitudeOf, scaledValueType } from './scaling.ts';
import { checkRange, resolveQuery } from './select.ts';
import { copyOf, spansOf } from './spans.ts';
import type { Span, SpannedSeries } from './spans.ts';

const nothingFound =
  'No data found for the query, try a different query or time range or no data has been ' +
  'written to be queried yet.';

/**
 * Answers one question. Delta types are summed over each bucket and by the labels of `sumBy`;
 * of other types, each bucket shows the first moment of every series, summed by `sumBy` if there
 * are any, else one by one. A step of 0 makes a bucket of every moment.
 *
 * Totals that the store keeps are read; rows only where labels of samples matter.
 */
export async function answerRange(
  question: RangeQuestion,
  querier: Querier,
  context: QueryContext,
): Promise<RangeAnswer> {
  checkRange(question.range);
  if (question.stepNanos < 0n) {
    throw new AppError('invalid-argument', `step must not be negative, got ${question.stepNanos}`);
  }
  const { profileType, matchers } = await resolveQuery(question.query, querier);
  using selection = await querier.select({ matchers, profileType, range: question.range });
  context.throwIfAborted();
  context.budget.hold(selection.series.length * selectedSeriesBytes);
  const all = await spansOf(selection);
  if (all.length === 0) throw nothingToShow(selection);
  const isScaled = profileType.delta && isScaledByPeriod(profileType, all);
  const sumBy = [...new Set(question.sumBy)];
  const groups = new RangeGroups(selection, { ...question, sumBy }, profileType, isScaled);
  const rowsOf = all.map((series) => rowsRead(series, sumBy));
  context.budget.selectRows(rowsOf.reduce((sum, rows) => sum + rows, 0));
  for (const [i, series] of all.entries()) {
    context.throwIfAborted();
    const reading = groups.add(series);
    if (reading !== undefined) await reading;
    context.budget.rowsDone += rowsOf[i];
    context.budget.hold(groups.takeGrowth() * bucketBytes);
  }
  await checkMagnitude(groups.magnitude, all, isScaled);
  const series = limitSeries(groups.finish(), question.limit);
  if (series.length === 0) throw nothingToShow(selection);
  return { series, missing: missingSentences(selection.missing) };
}

/** What a bucket takes in the columns of `Buckets`, and in its map. */
const bucketBytes = 80;

/** Rows of a series that are read; where totals do, one for each profile. */
function rowsRead(series: SpannedSeries, sumBy: readonly string[]): number {
  const isByRows = readsRows(series, ownLabels(series, sumBy).includes(''));
  let rows = 0;
  for (const { digest } of series.spans) rows += isByRows ? digest.rowCount : digest.profileCount;
  return rows;
}

function ownLabels({ labels }: SpannedSeries, sumBy: readonly string[]): string[] {
  return sumBy.map((name) => labelValue(labels, name));
}

/** Whether rows decide, not totals: by their labels, or because some do not belong. */
function readsRows({ spans }: SpannedSeries, readsLabels: boolean): boolean {
  for (const { pieces } of spans) {
    for (const piece of pieces) {
      if (piece.rowFilter !== undefined || (readsLabels && piece.isLabelled)) return true;
    }
  }
  return false;
}

function nothingToShow({ missing }: Selection): AppError {
  if (missing.length === 0) return new AppError('not-found', nothingFound);
  return new AppError(
    'data-loss',
    `cannot show profiles over time: ${missingSentences(missing).join('; ')}`,
  );
}

class RangeGroups {
  /** About the sum of the magnitudes of all profiles so far. */
  magnitude = 0;
  private newBuckets = 0;
  private readonly groups = new Map<string, { labels: LabelSet; buckets: Buckets }>();
  private readonly selection: Selection;
  private readonly question: RangeQuestion;
  private readonly profileType: ProfileType;
  private readonly isScaled: boolean;

  constructor(
    selection: Selection,
    question: RangeQuestion,
    profileType: ProfileType,
    isScaled: boolean,
  ) {
    this.selection = selection;
    this.question = question;
    this.profileType = profileType;
    this.isScaled = isScaled;
  }

  /** Adds a series, span by span; done at once when all of it is in memory. */
  add(series: SpannedSeries): Promise<void> | undefined {
    const own = ownLabels(series, this.question.sumBy);
    if (readsRows(series, own.includes(''))) return this.addRows(series, own);
    const buckets = this.bucketsOf(this.labelsOf(series, own));
    buckets.beginSeries();
    return this.addSpans(series.spans, 0, buckets);
  }

  private addSpans(
    spans: readonly Span[],
    first: number,
    buckets: Buckets,
  ): Promise<void> | undefined {
    for (let i = first; i < spans.length; i += 1) {
      const profiles = spans[i].columns();
      if (profiles instanceof Promise) {
        return profiles.then((read) => {
          this.addProfiles(read, buckets);
          return this.addSpans(spans, i + 1, buckets);
        });
      }
      this.addProfiles(profiles, buckets);
    }
    return undefined;
  }

  private addProfiles(profiles: ProfileColumns, buckets: Buckets): void {
    this.magnitude += magnitudeOf(profiles, this.isScaled);
    buckets.addProfiles(profiles);
  }

  /** Buckets that were made since the last call. */
  takeGrowth(): number {
    const growth = this.newBuckets;
    this.newBuckets = 0;
    return growth;
  }

  finish(): MetricsSeries[] {
    const sampleType = scaledValueType(this.profileType, this.isScaled);
    const periodType = this.profileType.period;
    const isCpuTime = sampleType.type === 'cpu' && sampleType.unit === 'nanoseconds';
    return [...this.groups.values()]
      .map(({ labels, buckets }) => ({
        ...{ labels, sampleType, periodType },
        ...buckets.finish(isCpuTime),
      }))
      .filter((series) => series.timeNanos.length > 0);
  }

  /** Sums the rows of each profile by what their labels say. */
  private async addRows(series: SpannedSeries, own: readonly string[]): Promise<void> {
    const lines = new Map<Buckets, LineProfiles>();
    for (const { pieces } of series.spans) {
      for (const piece of pieces) await this.addRowsOfPiece(series, piece, own, lines);
      for (const [buckets, line] of lines) buckets.addProfiles(line.take());
    }
  }

  private async addRowsOfPiece(
    series: SpannedSeries,
    piece: SeriesPiece,
    own: readonly string[],
    lines: Map<Buckets, LineProfiles>,
  ): Promise<void> {
    const { selection } = this;
    const dictionary = await readOrNote(selection, () => selection.parts[piece.part].dictionary());
    const profiles = await readOrNote(selection, async () => copyOf(await piece.profiles()));
    const sources = await readOrNote(selection, () => piece.rows(false));
    if (dictionary === undefined || profiles === undefined || sources === undefined) return;
    this.magnitude += magnitudeOf(profiles, this.isScaled);
    const read = createLabelReader(dictionary, own, this.question.sumBy);
    const lineOf = new Map<number, LineProfiles>();
    const lineOfLabels = (labels: number): LineProfiles => {
      const line = lineOf.get(labels) ?? this.lineOf(series, read(labels), lines);
      lineOf.set(labels, line);
      return line;
    };
    const count = sources.reduce((sum, source) => sum + profileCountOf(source), 0);
    const addAll = (): void => {
      if (count !== profiles.profileCount) throw rowsAreMissing(profiles.profileCount - count);
      addRowsOfSources(sources, profiles, piece.rowFilter, lineOfLabels);
    };
    await readOrNote(selection, addAll);
  }

  private lineOf(
    series: SpannedSeries,
    values: readonly string[],
    lines: Map<Buckets, LineProfiles>,
  ): LineProfiles {
    const buckets = this.bucketsOf(this.labelsOf(series, values));
    const known = lines.get(buckets);
    if (known !== undefined) return known;
    const added = new LineProfiles();
    lines.set(buckets, added);
    buckets.beginSeries();
    return added;
  }

  /** The labels of the line that something with these values of the `sumBy` labels belongs to. */
  private labelsOf(series: SpannedSeries, values: readonly string[]): LabelSet {
    const { sumBy } = this.question;
    if (sumBy.length === 0 && !this.profileType.delta) return series.labels;
    return sumBy
      .map((name, i) => ({ name, value: values[i] }))
      .filter(({ value }) => value !== '')
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  private bucketsOf(labels: LabelSet): Buckets {
    const key = JSON.stringify(labels);
    const known = this.groups.get(key);
    if (known !== undefined) return known.buckets;
    if (this.groups.size >= rangeSeriesMax) {
      throw new AppError(
        'resource-exhausted',
        `cannot show profiles over time: there are more than ${rangeSeriesMax} series; ` +
          `narrow the query down or sum by fewer labels`,
      );
    }
    const kind = this.profileType.delta ? 'delta' : 'state';
    const buckets = new Buckets(kind, this.question.stepNanos, this.isScaled, () => {
      this.newBuckets += 1;
    });
    this.groups.set(key, { labels, buckets });
    return buckets;
  }
}

function rowsAreMissing(count: number): AppError {
  return new AppError('data-loss', `cannot read the rows of ${count} profiles of a series`);
}

/** Adds the rows of profiles, which the sources hold in the same order. */
function addRowsOfSources(
  sources: readonly RowSource[],
  profiles: ProfileColumns,
  rowFilter: Uint8Array | undefined,
  lineOfLabels: (labels: number) => LineProfiles,
): void {
  let i = 0;
  for (const source of sources) {
    for (const rows of rowsOfProfiles(source)) {
      const touched = addRowsOfProfile(rows, rowFilter, lineOfLabels);
      // A profile of nothing is a zero of the series' own line.
      const isOfNothing = profiles.count[i] === 0 && (rowFilter?.[0] ?? 1) === 1;
      if (isOfNothing) touched.add(lineOfLabels(0));
      for (const line of touched) line.endProfile(profiles, i);
      i += 1;
    }
  }
}

/** Adds those rows that belong and are not 0 to the lines of their labels; returns these. */
function addRowsOfProfile(
  { rowCount, values, valueStart, labels, labelStart }: ProfileRows,
  rowFilter: Uint8Array | undefined,
  lineOfLabels: (labels: number) => LineProfiles,
): Set<LineProfiles> {
  const touched = new Set<LineProfiles>();
  for (let row = 0; row < rowCount; row += 1) {
    const label = labels === undefined ? 0 : labels[labelStart + row];
    if (rowFilter !== undefined && rowFilter[label] !== 1) continue;
    if (values[valueStart + row] === 0n) continue;
    const line = lineOfLabels(label);
    line.addRow(values, valueStart + row);
    touched.add(line);
  }
  return touched;
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
