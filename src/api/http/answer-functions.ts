// GET /api/v1/functions: values of a few functions over time.
import { formatProfileType } from '../../model/profile-type.ts';
import type { FunctionSeries, FunctionsAnswer, FunctionsQuestion } from '../../query/interface.ts';
import { functionSumsMax } from '../../report/function-sums.ts';
import type { TimeRange } from '../../storage/interface.ts';
import type { InsightCall } from './insight-call.ts';
import { formatNanos } from '../json/json-time.ts';
import {
  readChoice,
  readCount,
  readDuration,
  readParameters,
  readQueryText,
  readRange,
  readRepeated,
} from './url-parameters.ts';

/** docs/api.md describes the answer. Errors: AppError 'invalid-argument', and the engine's. */
export async function answerFunctions(call: InsightCall): Promise<object> {
  const question = readFunctionsRequest(call.url, call.nowMillis);
  return encode(await call.engine.queryFunctions(question, call.caller));
}

const nanosPerSecond = 1_000_000_000n;

/** Errors: AppError 'invalid-argument'. */
export function readFunctionsRequest(url: string, nowMillis: number): FunctionsQuestion {
  const names = ['query', 'start', 'end', 'step', 'top', 'sort'];
  const given = readParameters(url, names, ['function']);
  const query = readQueryText(given);
  const range = readRange(given, nowMillis);
  return {
    ...{ query, range },
    stepNanos: readDuration(given, 'step') ?? hundredthOf(range),
    names: readRepeated(url, 'function'),
    top: readCount(given, 'top', 5, functionSumsMax),
    measure: readChoice(given, 'sort', ['flat', 'cumulative']),
  };
}

/** In whole seconds. */
function hundredthOf({ from, to }: TimeRange): bigint {
  return ((to - from) / (100n * nanosPerSecond) + 1n) * nanosPerSecond;
}

function encode(answer: FunctionsAnswer): object {
  const { profileType, valueType, total, profileCount, buckets, functions, missing } = answer;
  return {
    profileType: formatProfileType(profileType),
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
    warnings: missing,
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
