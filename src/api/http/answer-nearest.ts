// GET /api/v1/nearest: what there is instead of an empty answer.
import type { NearestData } from '../../query/interface.ts';
import type { InsightCall } from './insight-call.ts';
import { formatNanos } from '../json/json-time.ts';
import { readParameters, readQueryText, readRange } from './url-parameters.ts';

/** docs/api.md describes the answer. Errors: AppError 'invalid-argument', and the engine's. */
export async function answerNearest(call: InsightCall): Promise<object> {
  const given = readParameters(call.url, ['query', 'start', 'end']);
  const query = readQueryText(given);
  const range = readRange(given, call.nowMillis);
  return encode(await call.engine.nearestData({ query, range }, call.caller));
}

function encode({ hasData, earlier, later, conditions }: NearestData): object {
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
