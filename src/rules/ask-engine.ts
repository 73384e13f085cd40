// Answers the queries of rules with the query engine, in Prometheus' units.
import { AppError, errorCode } from '../base/errors.ts';
import { createLabelSet, type LabelSet } from '../model/labels.ts';
import type { ProfileType, ValueType } from '../model/profile-type.ts';
import {
  type FunctionSeries,
  functionsOfPrograms,
  type SeriesRange,
  type WindowedQuery,
} from '../promql-like/expression.ts';
import { narrowedQuery } from '../promql-like/function-series.ts';
import { UnknownTypeError } from '../promql-like/resolve.ts';
import type { MetricsSeries, QueryCaller, QueryEngine } from '../query/interface.ts';
import type { TimeRange } from '../storage/interface.ts';
import type { AskSamples, Vector } from './evaluate.ts';
import { findWindow, type ListMarks } from './find-window.ts';
import { functionGroupsMax, sharedFunctionsMax } from './limits.ts';
import { recordedUnit, recordedUnitsPerOne } from './recorder.ts';
import { lookbackNanos, readSeries, valuesAt, valuesOver } from './recorded-values.ts';

/** Methods of the query engine that rules need. */
export type RuleEngine = Pick<QueryEngine, 'largestFunctions' | 'queryRange'>;

const nanosPerSecond = 1e9;

/** Number of stored units in one of Prometheus' units. */
const unitDivisors: ReadonlyMap<string, number> = new Map([
  ['nanoseconds', nanosPerSecond],
  [recordedUnit, recordedUnitsPerOne],
]);

/**
 * Returns a function that answers queries for the window that ends at `timeNanos`. A query returns
 * no samples if there are no profiles or no mark, or if the profile type does not exist yet.
 *
 * Errors of the returned function: errors of the engine; AppError 'invalid-argument' if a query
 * function makes no sense for the profile type.
 */
export function askEngine(
  engine: RuleEngine,
  timeNanos: bigint,
  caller: QueryCaller,
  listMarks: ListMarks,
): AskSamples {
  return async (asked) => {
    if (asked.kind === 'series') {
      const atNanos = timeNanos - asked.offsetNanos;
      const range = { from: atNanos - lookbackNanos + 1n, to: atNanos };
      return valuesAt(await readSeries(engine, asked, range, caller), atNanos);
    }
    if (asked.kind === 'range') return askRange(engine, asked, timeNanos, caller);
    if (asked.kind === 'functions' && asked.groupedBy.length > 0) {
      const groups = await listGroups(engine, asked, timeNanos, caller, listMarks);
      const ask = askEngine(engine, timeNanos, caller, listMarks);
      return askGroups(asked, groups, ask);
    }
    const window = asked.kind === 'functions' ? asked.window : asked;
    const range = findWindow(window, timeNanos, listMarks);
    if (range === undefined) return [];
    try {
      if (!functionsOfPrograms.has(window.name)) {
        return await askLines(engine, window, range, caller);
      }
      const shares = await askShares(engine, window, range, caller);
      if (window.name.endsWith('_share')) return shares;
      const [all] = await askLines(engine, { name: 'cores', query: window.query }, range, caller);
      return shares.map(({ labels, value }) => ({ labels, value: value * all.value }));
    } catch (error) {
      if (!isNoDataError(error)) throw error;
      if (window.series === undefined) return [];
      return askRange(engine, window.series, timeNanos, caller);
    }
  };
}

/** Lists the combinations of values of the labels by which the series are grouped. */
async function listGroups(
  engine: RuleEngine,
  { name, window, groupedBy }: FunctionSeries,
  timeNanos: bigint,
  caller: QueryCaller,
  listMarks: ListMarks,
): Promise<readonly LabelSet[]> {
  const range = findWindow(window, timeNanos, listMarks);
  if (range === undefined) return [];
  const stepNanos = range.to - range.from + 1n;
  const query = window.query.text;
  try {
    const asked = { query, range, stepNanos, sumBy: groupedBy, limit: 0 };
    const { series } = await engine.queryRange(asked, caller);
    if (series.length <= functionGroupsMax) return series.map(({ labels }) => labels);
    const labels = groupedBy.join(', ');
    const why =
      `conditions with =~ select ${series.length} values of ${labels}, the limit is ` +
      `${functionGroupsMax}; select fewer, or record them by a rule`;
    throw new AppError('resource-exhausted', `cannot evaluate ${name}: ${why}`);
  } catch (error) {
    if (isNoDataError(error)) return [];
    throw error;
  }
}

/**
 * Queries each group separately. Otherwise the functions of several services would be added up.
 */
async function askGroups(
  asked: FunctionSeries,
  groups: readonly LabelSet[],
  ask: AskSamples,
): Promise<Vector> {
  const samples: Vector[] = [];
  for (const labels of groups) {
    const window = { ...asked.window, query: narrowedQuery(asked, labels) };
    const own = withoutEmpty(labels);
    const found = await ask({ ...asked, window, groupedBy: [] });
    samples.push(found.map((one) => ({ ...one, labels: createLabelSet([...one.labels, ...own]) })));
  }
  return samples.flat();
}

/** Returns true for the errors of a query for profiles that do not exist. */
export function isNoDataError(error: unknown): boolean {
  return errorCode(error) === 'not-found' || error instanceof UnknownTypeError;
}

async function askRange(
  engine: RuleEngine,
  asked: SeriesRange,
  timeNanos: bigint,
  caller: QueryCaller,
): Promise<Vector> {
  const { series, windowNanos } = asked;
  const atNanos = timeNanos - series.offsetNanos;
  const range = { from: atNanos - windowNanos + 1n, to: atNanos };
  return valuesOver(await readSeries(engine, series, range, caller), asked, atNanos);
}

async function askShares(
  engine: RuleEngine,
  { name, query }: WindowedQuery,
  range: TimeRange,
  caller: QueryCaller,
): Promise<Vector> {
  const measure = name.startsWith('self_') ? 'flat' : 'cumulative';
  const asked = { query: query.text, range, count: sharedFunctionsMax, measure } as const;
  const { total, functions } = await engine.largestFunctions(asked, caller);
  if (total === 0) return [];
  return functions.map((one) => ({
    labels: [{ name: 'function', value: one.name }],
    value: one[measure] / total,
  }));
}

async function askLines(
  engine: RuleEngine,
  { name, query }: Pick<WindowedQuery, 'name' | 'query'>,
  range: TimeRange,
  caller: QueryCaller,
): Promise<Vector> {
  const isGrouped = query.stages.some(({ kind }) => kind === 'by');
  const { series, profileTypes } = await engine.queryRange(
    {
      query: query.text,
      range,
      stepNanos: range.to - range.from + 1n,
      sumBy: [],
      limit: 0,
      averages: true,
    },
    caller,
  );
  const [{ sampleType }] = series;
  const isOverTime = series.some(({ covered }) => covered !== undefined && covered.snapshots === 0);
  checkMeaning(name, sampleType, profileTypes[0], isOverTime);
  const divisor = unitDivisors.get(sampleType.unit) ?? 1;
  const factor = isOverTime && name !== 'total' ? nanosPerSecond : 1;
  if (!isGrouped) {
    const measure = (line: MetricsSeries): number =>
      name === 'total' ? Number(line.total) : line.average;
    const sum = series.reduce((before, line) => before + measure(line), 0);
    return [{ labels: [], value: (sum * factor) / divisor }];
  }
  return series.map((line) => ({
    labels: withoutEmpty(line.labels),
    value: ((name === 'total' ? Number(line.total) : ownAverage(line)) * factor) / divisor,
  }));
}

/** Returns the total of a series divided by the profiled time, or by the number of snapshots. */
function ownAverage({ total, covered, average }: MetricsSeries): number {
  const divisor = Number(covered?.durationNanos ?? 0n) || (covered?.snapshots ?? 0);
  return divisor > 0 ? Number(total) / divisor : average;
}

function withoutEmpty(labels: LabelSet): LabelSet {
  return labels.filter(({ value }) => value !== '');
}

function checkMeaning(
  name: WindowedQuery['name'],
  { type, unit }: ValueType,
  profileType: ProfileType,
  isOverTime: boolean,
): void {
  const mistake = meaningMistake(name, unit, isOverTime);
  if (mistake === undefined) return;
  const shown = `${profileType.name} counts ${type} in ${unit}`;
  throw new AppError('invalid-argument', `cannot evaluate ${name}: ${mistake}, but ${shown}`);
}

function meaningMistake(
  name: WindowedQuery['name'],
  unit: string,
  isOverTime: boolean,
): string | undefined {
  if (name === 'cores' && (unit !== 'nanoseconds' || !isOverTime)) {
    return 'it needs CPU time';
  }
  if (name === 'rate' && !isOverTime) {
    return 'it needs profiles over time, or | increase';
  }
  if (name === 'average' && isOverTime) {
    return 'it needs profiles of a state, such as memory in use; for profiles over time use rate';
  }
  return undefined;
}
