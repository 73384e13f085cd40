// Reads recorded series: times with the numbers that rules returned.
import { errorCode } from '../base/errors.ts';
import { createLabelSet, type LabelSet } from '../model/labels.ts';
import type { SeriesRange } from '../promql-like/expression.ts';
import {
  recordLabel,
  seriesNameLabel,
  seriesQuery,
  type SeriesSelector,
} from '../promql-like/recorded-series.ts';
import { UnknownTypeError } from '../promql-like/resolve.ts';
import type { QueryCaller, QueryEngine } from '../query/interface.ts';
import type { TimeRange } from '../storage/interface.ts';
import { type Vector, withoutName } from './evaluate.ts';
import { lookbackMillis } from './limits.ts';
import { overTime } from './over-time.ts';
import { recordedUnitsPerOne } from './recorder.ts';

const nanosPerMilli = 1_000_000n;

/** Age up to which the last value of a series counts as current. */
export const lookbackNanos: bigint = BigInt(lookbackMillis) * nanosPerMilli;

/** One series; columns in order of time. */
export interface RecordedSeries {
  /** Labels including `__name__`. */
  readonly labels: LabelSet;
  readonly timeNanos: BigInt64Array;
  readonly units: BigInt64Array;
}

/** Returns the series with points in a range. Errors: those of the engine. */
export async function readSeries(
  engine: Pick<QueryEngine, 'queryRange'>,
  selector: Pick<SeriesSelector, 'matchers'>,
  range: TimeRange,
  caller: QueryCaller,
): Promise<readonly RecordedSeries[]> {
  // Rules are evaluated at whole milliseconds.
  const question = { range, stepNanos: nanosPerMilli, sumBy: [], limit: 0 };
  try {
    const query = seriesQuery(selector);
    const { series } = await engine.queryRange({ ...question, query }, caller);
    return series.map(({ labels, timeNanos, value }) => ({
      labels: withSeriesName(labels),
      timeNanos,
      units: value,
    }));
  } catch (error) {
    if (errorCode(error) === 'not-found' || error instanceof UnknownTypeError) return [];
    throw error;
  }
}

/** Returns the labels of stored values, with the name of the series. */
export function withSeriesName(labels: LabelSet): LabelSet {
  return createLabelSet(
    labels
      .filter(({ name }) => name !== seriesNameLabel)
      .map(({ name, value }) => ({ name: name === recordLabel ? seriesNameLabel : name, value })),
  );
}

/**
 * Returns the current value of each series at a given time: the last value, unless it is too old.
 */
export function valuesAt(series: readonly RecordedSeries[], atNanos: bigint): Vector {
  return series.flatMap(({ labels, timeNanos, units }) => {
    const i = lastUpTo(timeNanos, atNanos);
    if (i < 0 || atNanos - timeNanos[i] >= lookbackNanos) return [];
    return [{ labels, value: toNumber(units[i]) }];
  });
}

/** Returns the value of a function for each series over a window that ends at a given time. */
export function valuesOver(
  series: readonly RecordedSeries[],
  { name, windowNanos }: SeriesRange,
  atNanos: bigint,
): Vector {
  const window = { fromNanos: atNanos - windowNanos, toNanos: atNanos };
  return series.flatMap(({ labels, timeNanos, units }) => {
    const from = lastUpTo(timeNanos, window.fromNanos) + 1;
    const until = lastUpTo(timeNanos, atNanos) + 1;
    if (from === until) return [];
    const values = Float64Array.from(units.subarray(from, until), toNumber);
    const points = { timeNanos: timeNanos.subarray(from, until), values };
    const value = overTime[name](points, window);
    if (value === undefined) return [];
    return [{ labels: name === 'last_over_time' ? labels : withoutName(labels), value }];
  });
}

function toNumber(units: bigint): number {
  return Number(units) / recordedUnitsPerOne;
}

/** Returns the index of the last time up to `atNanos`; -1 = none. */
function lastUpTo(timeNanos: BigInt64Array, atNanos: bigint): number {
  let [low, high] = [0, timeNanos.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (timeNanos[middle] <= atNanos) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
