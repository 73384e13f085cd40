// Series of functions that are computed, not recorded, such as `parca_function_cores{job="api"}`.
// Their names stand for a query over profiles of CPU time.
import { assert } from '../base/assert.ts';
import { createLabelSet, type LabelSet } from '../model/labels.ts';
import { createMatcher } from '../model/matcher.ts';
import type { FunctionSeries, WindowFunction } from './expression.ts';
import { functionSeriesWindowNanos } from './limits.ts';
import { parseQuery } from './parse.ts';
import type { Query } from './query.ts';
import { seriesNameLabel, type SeriesSelector } from './recorded-series.ts';
import { printLabelName, quoteString } from './string.ts';

/** Names of the series, and the query function that computes the values of each. */
export const functionSeries: ReadonlyMap<string, WindowFunction> = new Map([
  ['parca_function_cores', 'function_cores'],
  ['parca_function_self_cores', 'self_cores'],
  ['parca_function_share', 'function_share'],
  ['parca_function_self_share', 'self_share'],
]);

/** Label with the name of the function. */
export const functionLabel = 'function';

/** Short type of CPU time profiles from any profiler. */
const cpu = 'cpu';

/**
 * Returns the query that a selector stands for; undefined if it does not select one of these series
 * by its name. Without a window, values are averages of the last five minutes.
 *
 * Errors: AppError 'invalid-argument' for a pattern that is not RE2; QueryError for too many
 * conditions.
 */
export function toFunctionSeries(
  { matchers, offsetNanos, span }: SeriesSelector,
  windowNanos: bigint | undefined,
): FunctionSeries | undefined {
  const named = matchers.find(({ name, operator }) => name === seriesNameLabel && operator === '=');
  const name = named?.value ?? '';
  const meant = functionSeries.get(name);
  if (meant === undefined) return undefined;
  const others = matchers.filter((one) => one !== named);
  const ofProfiles = others.filter((one) => one.name !== functionLabel);
  const conditions = ofProfiles.map(({ name: label, operator, value }) =>
    printCondition([label, operator, value]),
  );
  const fixed = ofProfiles.filter((one) => one.operator === '=' && one.value !== '');
  const values = new Map(fixed.map((one) => [one.name, { name: one.name, value: one.value }]));
  return {
    kind: 'functions',
    name,
    window: {
      kind: 'window',
      name: meant,
      query: cpuQuery(conditions),
      windowNanos: windowNanos ?? functionSeriesWindowNanos,
      markSide: undefined,
      offsetNanos,
      series: undefined,
      span,
    },
    isRange: windowNanos !== undefined,
    matchers: others
      .filter((one) => one.name === functionLabel)
      .map((one) => createMatcher(one.name, one.operator, one.value)),
    labels: createLabelSet([...values.values()]),
    groupedBy: [
      ...new Set(
        ofProfiles
          .filter(({ name: label, operator }) => operator === '=~' && !values.has(label))
          .map((one) => one.name),
      ),
    ],
  };
}

/** Returns the query of the series, limited to profiles with the labels. */
export function narrowedQuery({ window }: FunctionSeries, labels: LabelSet): Query {
  const { operand } = window.query;
  assert(operand.kind === 'selector', 'series of functions select profiles');
  const equal = labels.map(({ name, value }): [string, string, string] => [name, '=', value]);
  const all = operand.matchers.map((one): [string, string, string] => [
    one.name,
    one.operator,
    one.value,
  ]);
  return cpuQuery([...all, ...equal].map(printCondition));
}

function printCondition([name, operator, value]: readonly [string, string, string]): string {
  return `${printLabelName(name)}${operator}${quoteString(value)}`;
}

function cpuQuery(conditions: readonly string[]): Query {
  return parseQuery(`${cpu}{${conditions.join(', ')}}`);
}
