// Answers questions for the metrics graph: values of profiles over time, in buckets.
import { AppError } from '../base/errors.ts';
import { rangeSeriesMax } from '../base/limits.ts';
import { labelValue } from '../model/labels.ts';
import type { LabelSet } from '../model/labels.ts';
import type { ProfileType } from '../model/profile-type.ts';
import type { Querier } from '../storage/interface.ts';
import type { MetricsSeries, RangeQuestion } from './interface.ts';
import { loadSelection } from './loaded-selection.ts';
import type { LoadedSelection, LoadedSeries } from './loaded-selection.ts';
import { throwIfCancelled } from './merge-pool.ts';
import { Buckets } from './range-buckets.ts';
import { createLabelReader } from './sample-label-reader.ts';
import { checkSumFits, isScaledByPeriod, scaledValueType } from './scaling.ts';
import { checkRange, resolveQuery } from './select.ts';

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
  signal: AbortSignal,
): Promise<MetricsSeries[]> {
  checkRange(question.range);
  if (question.stepNanos < 0n) {
    throw new AppError('invalid-argument', `step must not be negative, got ${question.stepNanos}`);
  }
  const { profileType, matchers } = await resolveQuery(question.query, querier);
  using selected = await querier.select({ matchers, profileType, range: question.range });
  const selection = await loadSelection(selected);
  throwIfCancelled(signal);
  if (selection.series.length === 0) throw new AppError('not-found', nothingFound);
  const isScaled = profileType.delta && isScaledByPeriod(profileType, selection);
  checkSumFits(selection, isScaled);
  const sumBy = [...new Set(question.sumBy)];
  const groups = new RangeGroups(selection, { ...question, sumBy }, profileType, isScaled);
  for (const series of selection.series) groups.add(series);
  const answer = groups.finish();
  if (answer.length === 0) throw new AppError('not-found', nothingFound);
  return limitSeries(answer, question.limit);
}

class RangeGroups {
  private readonly groups = new Map<string, { labels: LabelSet; buckets: Buckets }>();
  private readonly selection: LoadedSelection;
  private readonly question: RangeQuestion;
  private readonly profileType: ProfileType;
  private readonly isScaled: boolean;

  constructor(
    selection: LoadedSelection,
    question: RangeQuestion,
    profileType: ProfileType,
    isScaled: boolean,
  ) {
    this.selection = selection;
    this.question = question;
    this.profileType = profileType;
    this.isScaled = isScaled;
  }

  add(series: LoadedSeries): void {
    const { sumBy } = this.question;
    const own = sumBy.map((name) => labelValue(series.labels, name));
    const readsSamples = own.includes('') && series.runLabelled.includes(1);
    if (readsSamples || series.rowFilter !== undefined) {
      this.addRows(series, own);
      return;
    }
    this.bucketsOf(this.labelsOf(series, own)).addSeries(series);
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
  private addRows(series: LoadedSeries, own: readonly string[]): void {
    const { segments, dictionary } = this.selection;
    const read = createLabelReader(dictionary, own, this.question.sumBy);
    const lines = new Map<Buckets, RowSum>();
    const lineOf = new Map<number, RowSum>();
    for (let i = 0; i < series.profileCount; i += 1) {
      const { words, values } = segments[series.runSegment[i]];
      const rows = series.runRows[i];
      const valueStart = series.runOffset[i] + series.plane * rows;
      const labelStart = (series.runOffset[i] + series.planeCount * rows) * 2 + rows;
      const touched = new Set<RowSum>();
      for (let row = 0; row < rows; row += 1) {
        const labels = series.runLabelled[i] === 1 ? words[labelStart + row] : 0;
        if (series.rowFilter !== undefined && series.rowFilter[labels] !== 1) continue;
        const line = lineOf.get(labels) ?? this.rowSumOf(series, read(labels), lines);
        lineOf.set(labels, line);
        if (values[valueStart + row] === 0n) continue;
        line.sum[0] += values[valueStart + row];
        line.count += 1;
        touched.add(line);
      }
      for (const line of touched) {
        line.buckets.addProfile(series, i, line.sum, 0, line.count);
        line.sum[0] = 0n;
        line.count = 0;
      }
    }
  }

  private rowSumOf(
    series: LoadedSeries,
    values: readonly string[],
    lines: Map<Buckets, RowSum>,
  ): RowSum {
    const buckets = this.bucketsOf(this.labelsOf(series, values));
    const known = lines.get(buckets);
    if (known !== undefined) return known;
    const added = { buckets, sum: new BigInt64Array(1), count: 0 };
    lines.set(buckets, added);
    buckets.beginSeries(series);
    return added;
  }

  /** The labels of the line that something with these values of the `sumBy` labels belongs to. */
  private labelsOf(series: LoadedSeries, values: readonly string[]): LabelSet {
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
    const buckets = new Buckets(kind, this.question.stepNanos, this.isScaled);
    this.groups.set(key, { labels, buckets });
    return buckets;
  }
}

/** What one profile adds to one line. */
interface RowSum {
  readonly buckets: Buckets;
  readonly sum: BigInt64Array;
  /** Rows that are not 0. */
  count: number;
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
