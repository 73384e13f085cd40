// Counts of series and profiles by label, and by value of one label.
import { sortTexts } from '../../base/text/sort-texts.ts';
import { labelValue } from '../../model/labels.ts';
import type { Querier, SelectedSeries, SeriesQuery } from '../../storage/interface.ts';
import type { QueryContext } from '../running/context.ts';
import type {
  LabelCount,
  LabelCounts,
  LabelQuestion,
  LabelValueCounts,
  SeriesCount,
} from '../interface.ts';
import { missingSentences } from '../notes/missing.ts';
import { resolveLabelQuestion } from '../plan/select.ts';

type LabelValueCount = LabelValueCounts['values'][number];

const noSeries: SeriesCount = { seriesCount: 0, profileCount: 0 };

/**
 * Returns the labels of the series and profiles that a query covers, each with its number of
 * values.
 */
export async function countLabels(
  question: LabelQuestion,
  querier: Querier,
  context: QueryContext,
): Promise<LabelCounts> {
  const queries = await resolveLabelQuestion(question, querier);
  const byName = new Map<string, { count: Counter; values: Set<string> }>();
  const total = new Counter();
  const missing = await visitSeries(queries, querier, context, ({ labels: own, profileCount }) => {
    total.add(profileCount);
    for (const { name, value } of own) {
      const known = byName.get(name) ?? { count: new Counter(), values: new Set() };
      byName.set(name, known);
      known.count.add(profileCount);
      known.values.add(value);
    }
  });
  const labels: LabelCount[] = [];
  for (const name of await listLabelNames(queries, querier, context.signal)) {
    context.throwIfAborted();
    const known = byName.get(name);
    const valueCount =
      known?.values.size ?? (await listLabelValues(name, queries, querier, context.signal)).length;
    const isOfSamples = known === undefined;
    labels.push({ name, valueCount, isOfSamples, ...(known?.count.counted ?? noSeries) });
  }
  return { labels, total: total.counted, missing };
}

/** Returns the values of one label, the most frequent in profiles first. */
export async function countLabelValues(
  name: string,
  question: LabelQuestion,
  querier: Querier,
  context: QueryContext,
): Promise<LabelValueCounts> {
  const queries = await resolveLabelQuestion(question, querier);
  const byValue = new Map<string, Counter>();
  const absent = new Counter();
  const missing = await visitSeries(queries, querier, context, ({ labels, profileCount }) => {
    const value = labelValue(labels, name);
    const counter = value === '' ? absent : (byValue.get(value) ?? new Counter());
    if (value !== '') byValue.set(value, counter);
    counter.add(profileCount);
  });
  const values = await inOrder(byValue, context);
  const isOfSeries = values.length > 0;
  const ofSamples = isOfSeries ? [] : await listLabelValues(name, queries, querier, context.signal);
  return {
    values: isOfSeries ? values : ofSamples.map((value) => ({ value, ...noSeries })),
    absent: absent.counted,
    isOfSamples: ofSamples.length > 0,
    missing,
  };
}

/** Returns the counts of values, the most frequent in profiles first, then by value. */
async function inOrder(
  byValue: ReadonlyMap<string, Counter>,
  context: QueryContext,
): Promise<LabelValueCount[]> {
  const byCount = new Map<number, LabelValueCount[]>();
  for (const value of await sortTexts([...byValue.keys()], context)) {
    const pausing = context.pause();
    if (pausing !== undefined) await pausing;
    const { seriesCount, profileCount } = byValue.get(value)?.counted ?? noSeries;
    const equal = byCount.get(profileCount);
    const count = { value, seriesCount, profileCount };
    if (equal === undefined) byCount.set(profileCount, [count]);
    else equal.push(count);
  }
  const counts = [...byCount.keys()].sort((a, b) => b - a);
  return counts.flatMap((count) => byCount.get(count) ?? []);
}

/** Calls `visit` for every series, and returns sentences about unreadable data. */
export async function visitSeries(
  queries: readonly SeriesQuery[],
  querier: Querier,
  context: QueryContext,
  visit: (series: SelectedSeries) => void,
): Promise<string[]> {
  const missing: string[] = [];
  for (const query of queries) {
    using selection = await querier.select(query);
    context.throwIfAborted();
    for (const series of selection.series) {
      await context.pause();
      visit(series);
    }
    missing.push(...selection.missing);
  }
  return missingSentences(missing);
}

/** Returns the names of labels of all queries, sorted. */
export function listLabelNames(
  queries: readonly SeriesQuery[],
  querier: Querier,
  signal: AbortSignal,
): Promise<string[]> {
  return collectStrings(queries, (query) => querier.labelNames(query, signal));
}

/** Returns the values of a label in all queries, sorted. */
export function listLabelValues(
  name: string,
  queries: readonly SeriesQuery[],
  querier: Querier,
  signal: AbortSignal,
): Promise<string[]> {
  return collectStrings(queries, (query) => querier.labelValues(name, query, signal));
}

async function collectStrings(
  queries: readonly SeriesQuery[],
  ask: (query: SeriesQuery) => Promise<string[]>,
): Promise<string[]> {
  if (queries.length === 1) return ask(queries[0]);
  const all = new Set<string>();
  for (const query of queries) for (const text of await ask(query)) all.add(text);
  return [...all].sort();
}

class Counter {
  #seriesCount = 0;
  #profileCount = 0;

  /** Adds a series with this number of profiles. */
  add(profileCount: number): void {
    this.#seriesCount += 1;
    this.#profileCount += profileCount;
  }

  get counted(): SeriesCount {
    const seriesCount = this.#seriesCount;
    const profileCount = this.#profileCount;
    return { seriesCount, profileCount };
  }
}
