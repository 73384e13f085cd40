// Answers to requests that Parca's API does not have: functions over time, counts of labels, and
// the profiles nearest to a range.
import { AppError } from '../../base/errors.ts';
import { labelValuesMax } from '../limits.ts';
import { nameGapSentences } from '../../model/name-gaps.ts';
import { formatProfileType } from '../../model/profile-type.ts';
import type {
  FunctionsAnswer,
  FunctionSeries,
  FunctionsQuestion,
  KnownBuckets,
  LabelQuestion,
  NearestData,
  QueryEngine,
  SeriesCount,
} from '../../query/interface.ts';
import { functionSumsMax } from '../../report/function-sums.ts';
import type { TimeRange } from '../../storage/interface.ts';
import type { CallContext } from '../transport/call/method.ts';
import { formatNanos } from '../transport/json/time.ts';
import {
  readChoice,
  readCount,
  readDuration,
  readParameters,
  readQueryText,
  readRange,
  readRepeated,
  type UrlParameters,
} from '../transport/http/parameters.ts';

export interface InsightCall {
  /** Path and parameters. */
  readonly url: string;
  /** Decoded values of the parameters in the path. */
  readonly path: Readonly<Record<string, string>>;
  readonly nowMillis: number;
  readonly engine: QueryEngine;
  readonly caller: CallContext;
}

/**
 * Answers a call; see docs/api.md. Errors: AppError 'invalid-argument', and errors of the engine.
 */
export async function answerFunctions(call: InsightCall): Promise<object> {
  const question = readFunctionsRequest(call.url, call.nowMillis);
  return encodeFunctions(await call.engine.queryFunctions(question, call.caller));
}

const nanosPerSecond = 1_000_000_000n;

/** Parses the parameters. Errors: AppError 'invalid-argument'. */
function readFunctionsRequest(url: string, nowMillis: number): FunctionsQuestion {
  const names = ['query', 'start', 'end', 'step', 'top', 'sort', 'known'];
  const given = readParameters(url, names, ['function']);
  const query = readQueryText(given);
  const range = readRange(given, nowMillis);
  return {
    query,
    range,
    stepNanos: readDuration(given, 'step') ?? hundredth(range),
    names: readRepeated(url, 'function'),
    top: readCount(given, 'top', 5, functionSumsMax),
    measure: readChoice(given, 'sort', ['flat', 'cumulative']),
    known: readKnown(given.get('known')),
  };
}

/**
 * Parses `settled` of an earlier answer: start and end in nanoseconds, and the state of the data.
 */
function readKnown(text: string | undefined): KnownBuckets | undefined {
  if (text === undefined) return undefined;
  const [, from, to, state] = /^(\d{1,19})-(\d{1,19})-([\w-]{1,64})$/.exec(text) ?? [];
  if (state === undefined) {
    throw new AppError('invalid-argument', 'known: must be "settled" of an earlier answer');
  }
  return { range: { from: BigInt(from), to: BigInt(to) }, state };
}

function printKnown({ range, state }: KnownBuckets): string {
  return `${range.from}-${range.to}-${state}`;
}

/** Returns a hundredth of the range, rounded up to whole seconds. */
function hundredth({ from, to }: TimeRange): bigint {
  return ((to - from) / (100n * nanosPerSecond) + 1n) * nanosPerSecond;
}

function encodeFunctions(answer: FunctionsAnswer): object {
  const { profileTypes, valueType, total, profileCount, buckets, functions } = answer;
  const { settled, leftOut } = answer;
  return {
    profileType: formatProfileType(profileTypes[0]),
    profileTypes: profileTypes.map(formatProfileType),
    unit: valueType.unit,
    total: String(total),
    profiles: profileCount,
    buckets: {
      time: Array.from(buckets.timeNanos, formatNanos),
      total: Array.from(buckets.total, String),
      profiles: Array.from(buckets.profileCount),
      coveredNanos: Array.from(buckets.durationNanos, String),
      snapshots: Array.from(buckets.snapshots),
    },
    functions: functions.map(encodeFunction),
    settled: settled && printKnown(settled),
    leftOut: leftOut && { from: formatNanos(leftOut.from), to: formatNanos(leftOut.to) },
    warnings: [...answer.missing, ...nameGapSentences(answer.nameGaps)],
  };
}

function encodeFunction(series: FunctionSeries): object {
  const { name, flat, cumulative, flatTotal, cumulativeTotal } = series;
  return {
    name,
    flat: { total: String(flatTotal), values: Array.from(flat, String) },
    cumulative: { total: String(cumulativeTotal), values: Array.from(cumulative, String) },
  };
}

/**
 * Answers a call; see docs/api.md. Errors: AppError 'invalid-argument', and errors of the engine.
 */
export async function answerLabels(call: InsightCall): Promise<object> {
  const given = readParameters(call.url, ['query', 'start', 'end']);
  const counts = await call.engine.countLabels(toQuestion(given, call), call.caller);
  return {
    labels: counts.labels.map(({ name, isOfSamples, valueCount, ...count }) => ({
      name,
      isOfSamples,
      values: valueCount,
      ...toCount(count),
    })),
    total: toCount(counts.total),
    warnings: counts.missing,
  };
}

/** Answers like `answerLabels`, for one label. */
export async function answerLabelValues(call: InsightCall): Promise<object> {
  const given = readParameters(call.url, ['query', 'start', 'end', 'limit']);
  const limit = readCount(given, 'limit', 1_000, labelValuesMax);
  const question = toQuestion(given, call);
  const counts = await call.engine.countLabelValues(call.path['name'], question, call.caller);
  const { values, absent, isOfSamples, missing } = counts;
  return {
    isOfSamples,
    // Only these fields are copied, because there may be 100,000 values.
    values: values
      .slice(0, limit)
      .map(({ value, seriesCount: series, profileCount: profiles }) => ({
        value,
        series,
        profiles,
      })),
    more: Math.max(0, values.length - limit),
    absent: toCount(absent),
    warnings: missing,
  };
}

function toQuestion(given: UrlParameters, { nowMillis }: InsightCall): LabelQuestion {
  const query = given.get('query') ?? '';
  const match = query === '' ? [] : [query];
  return { match, profileType: '', range: readRange(given, nowMillis) };
}

function toCount({ seriesCount, profileCount }: SeriesCount): object {
  return { series: seriesCount, profiles: profileCount };
}

/**
 * Answers a call; see docs/api.md. Errors: AppError 'invalid-argument', and errors of the engine.
 */
export async function answerNearest(call: InsightCall): Promise<object> {
  const given = readParameters(call.url, ['query', 'start', 'end']);
  const query = readQueryText(given);
  const range = readRange(given, call.nowMillis);
  return encodeNearest(await call.engine.nearestData({ query, range }, call.caller));
}

function encodeNearest({ hasData, earlier, later, conditions }: NearestData): object {
  return {
    hasData,
    earlier: earlier === undefined ? null : formatNanos(earlier),
    later: later === undefined ? null : formatNanos(later),
    conditions: conditions.map(({ name, meant, ...condition }) => ({
      label: name,
      ...condition,
      meant: meant ?? null,
    })),
  };
}
