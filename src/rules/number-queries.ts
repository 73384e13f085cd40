// Answers expressions of Prometheus' clients, and lists recorded series and function series.
import type { Clock } from '../base/clock.ts';
import { formatProfileType } from '../model/profile-type.ts';
import { type LabelSet, labelSetKey } from '../model/labels.ts';
import { type Expression, type FunctionSeries, isScalar } from '../promql-like/expression.ts';
import { functionLabel, functionSeries } from '../promql-like/function-series.ts';
import { parseExpression } from '../promql-like/parse-expression.ts';
import {
  recordLabel,
  seriesNameLabel,
  seriesQuery,
  type SeriesSelector,
} from '../promql-like/recorded-series.ts';
import { AppError } from '../base/errors.ts';
import type { LabelQuestion, QueryCaller, QueryEngine } from '../query/interface.ts';
import type { TimeRange } from '../storage/interface.ts';
import { askEngine, isNoDataError } from './ask-engine.ts';
import { askOver } from './ask-over.ts';
import { evaluate } from './evaluate.ts';
import type { ListMarks } from './find-window.ts';
import type { NumberQueries, NumbersNow } from './interface.ts';
import { lookbackNanos, withSeriesName } from './recorded-values.ts';
import { recordedType } from './recorder.ts';

/** Methods of the query engine that number queries need. */
type NumberEngine = Pick<
  QueryEngine,
  'labelNames' | 'labelSets' | 'labelValues' | 'largestFunctions' | 'queryRange'
>;

/** Dependencies of number queries. */
export interface NumberQueriesOptions {
  readonly engine: NumberEngine;
  readonly clock: Clock;
  readonly listMarks: ListMarks;
}

/** A query for series. */
interface SeriesQuestion {
  readonly options: NumberQueriesOptions;
  readonly range: TimeRange | undefined;
  readonly caller: QueryCaller;
}

/** Creates the number queries. */
export function createNumberQueries(options: NumberQueriesOptions): NumberQueries {
  return {
    functionSeries,
    at: (text, timeNanos, caller) => askAt(options, text, timeNanos, caller),
    over: (text, range, caller) => askOver(options, text, range, caller),
    series: async (match, range, caller) => {
      const asked = { options, range, caller };
      const found = new Map<string, LabelSet>();
      for (const selector of match.map(parseSeries)) {
        for (const labels of await listSeries(selector, asked)) {
          found.set(labelSetKey(labels), labels);
        }
      }
      return [...found.values()];
    },
    labelNames: (match, range, caller) => {
      const asked = { options, range, caller };
      return union(match, [seriesNameLabel, functionLabel], (selector) =>
        listNames(selector, asked),
      );
    },
    labelValues: (name, match, range, caller) => {
      const asked = { options, range, caller };
      const always = name === seriesNameLabel ? [...functionSeries.keys()] : [];
      return union(match, always, (selector) => listValues(name, selector, asked));
    },
  };
}

type Selected = SeriesSelector | FunctionSeries;

/**
 * Returns the sorted union of the lists for all selectors. Without selectors, returns the list for
 * all recorded series together with `always`.
 */
async function union(
  match: readonly string[],
  always: readonly string[],
  list: (selector: Selected | undefined) => Promise<readonly string[]>,
): Promise<string[]> {
  const selectors = match.map(parseSeries);
  const found = new Set(match.length === 0 ? [...always, ...(await list(undefined))] : []);
  for (const selector of selectors) for (const one of await list(selector)) found.add(one);
  return [...found].toSorted();
}

async function listSeries(
  selector: Selected,
  { options, range, caller }: SeriesQuestion,
): Promise<readonly LabelSet[]> {
  if (selector.kind === 'series') {
    const { labelSets } = await options.engine.labelSets(toQuestion(selector, range), caller);
    return labelSets.map(withSeriesName);
  }
  const nowNanos = BigInt(options.clock.nowMillis()) * 1_000_000n;
  const { from, to } = range ?? { from: nowNanos - lookbackNanos, to: nowNanos };
  const window = { ...selector.window, windowNanos: to - from + 1n };
  const ask = askEngine(options.engine, to + 1n, caller, options.listMarks);
  const samples = await evaluate({ ...selector, window }, ask);
  return samples.map(({ labels }) => labels);
}

async function listNames(
  selector: Selected | undefined,
  { options: { engine }, range, caller }: SeriesQuestion,
): Promise<readonly string[]> {
  const names = await orNone(engine.labelNames(toQuestion(selector, range), caller));
  if (selector?.kind === 'functions') return [seriesNameLabel, functionLabel, ...names];
  return names.map((name) => (name === recordLabel ? seriesNameLabel : name));
}

async function listValues(
  name: string,
  selector: Selected | undefined,
  asked: SeriesQuestion,
): Promise<readonly string[]> {
  const { engine } = asked.options;
  if (selector?.kind === 'functions') {
    if (name === seriesNameLabel) return [selector.name];
    if (name === functionLabel) {
      const series = await listSeries(selector, asked);
      return series.flatMap((labels) =>
        labels.filter((one) => one.name === functionLabel).map(({ value }) => value),
      );
    }
  }
  const isOfRecorded = name === seriesNameLabel && selector?.kind !== 'functions';
  const question = toQuestion(selector, asked.range);
  return orNone(engine.labelValues(isOfRecorded ? recordLabel : name, question, asked.caller));
}

async function orNone<T>(answer: Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await answer;
  } catch (error) {
    if (isNoDataError(error)) return [];
    throw error;
  }
}

/** Makes the query for labels of the selected series; without a selector, of recorded series. */
function toQuestion(selector: Selected | undefined, range: TimeRange | undefined): LabelQuestion {
  if (selector?.kind === 'functions') {
    return { match: [selector.window.query.text], profileType: '', range };
  }
  const match = selector === undefined ? [] : [seriesQuery(selector)];
  return { match, profileType: formatProfileType(recordedType), range };
}

function parseSeries(text: string): Selected {
  const expression: Expression = parseExpression(text);
  if (expression.kind === 'series') return expression;
  if (expression.kind === 'functions' && !expression.isRange) return expression;
  throw new AppError('invalid-argument', `cannot list series: ${text} selects none`);
}

async function askAt(
  { engine, listMarks }: NumberQueriesOptions,
  text: string,
  timeNanos: bigint,
  caller: QueryCaller,
): Promise<NumbersNow> {
  const expression = parseExpression(text);
  const ask = askEngine(engine, timeNanos, caller, listMarks);
  return { isScalar: isScalar(expression), samples: await evaluate(expression, ask) };
}
