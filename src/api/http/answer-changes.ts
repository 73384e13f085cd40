// GET /api/v1/changes: the functions that changed the most between two selections.
import { AppError } from '../../base/errors.ts';
import { changesMax } from '../../base/limits.ts';
import type { DiffSelector, ProfileSelector } from '../../query/interface.ts';
import type { FunctionMeasure } from '../../report/changes.ts';
import type { TimeRange } from '../../storage/interface.ts';
import type { InsightCall } from './insight-call.ts';
import {
  readChoice,
  readCount,
  readParameters,
  readQueryText,
  readRange,
  readTime,
} from './url-parameters.ts';
import type { UrlParameters } from './url-parameters.ts';

export interface ChangesRequest {
  readonly select: DiffSelector;
  readonly measure: FunctionMeasure;
  /** Most functions to name. */
  readonly limit: number;
}

/** docs/api.md describes the answer. Errors: AppError 'invalid-argument', and the engine's. */
export async function answerChanges(call: InsightCall): Promise<Uint8Array> {
  const { bytes } = await call.engine.encodedReport(
    {
      ...readChangesRequest(call.url, call.nowMillis),
      ...{ report: 'changes', nodeTrimFraction: 0, rootTrimFraction: 0, groupBy: [] },
    },
    'json',
    call.caller,
  );
  return bytes;
}

const names = [
  ...['query', 'start', 'end', 'base_query', 'base_start', 'base_end'],
  ...['normalize', 'sort', 'limit'],
];

/**
 * Reads the parameters of `url`. What is not said of the base is as with `query`; when nothing is
 * said of it, the engine chooses.
 *
 * Errors: AppError 'invalid-argument' for names that are unknown or come twice, and wrong values.
 */
export function readChangesRequest(url: string, nowMillis: number): ChangesRequest {
  const given = readParameters(url, names);
  const query = readQueryText(given);
  const range = readRange(given, nowMillis);
  return {
    select: {
      mode: 'diff',
      compared: { mode: 'merge', query, range },
      base: readBase(given, query, range, nowMillis),
      baseScale: readChoice(given, 'normalize', ['time', 'total', 'none']),
    },
    measure: readChoice(given, 'sort', ['flat', 'cumulative']),
    limit: readCount(given, 'limit', 100, changesMax),
  };
}

/** Undefined when nothing is said of it. */
function readBase(
  given: UrlParameters,
  query: string,
  range: TimeRange,
  nowMillis: number,
): ProfileSelector | undefined {
  const [start, end] = [given.get('base_start'), given.get('base_end')];
  const baseQuery = given.get('base_query');
  if (start === undefined && end === undefined && baseQuery === undefined) return undefined;
  const from = start === undefined ? range.from : readTime('base_start', start, nowMillis);
  const to = end === undefined ? range.to : readTime('base_end', end, nowMillis);
  if (from > to) throw new AppError('invalid-argument', 'base_start must be before base_end');
  return { mode: 'merge', query: baseQuery ?? query, range: { from, to } };
}
