// The methods of QuerierService about the stored data: its time range and its size.
import Long from 'long';
import { querier, types } from '../../../../proto/gen/pyroscope.js';
import type { QueryEngine } from '../../../query/interface.ts';
import { decodeRequest } from '../../transport/call/message.ts';
import type { CallContext, UnaryMethod } from '../../transport/call/method.ts';
import type { QuerierParts } from './ask.ts';
import { labelRange } from './request.ts';
import { parsePyroscopeSelector, profilesQuery } from './selector.ts';

/** Returns the methods GetProfileStats and AnalyzeQuery. */
export function dataMethods(parts: QuerierParts): UnaryMethod[] {
  return [
    {
      path: '/querier.v1.QuerierService/GetProfileStats',
      kind: 'unary',
      handle: (bytes, context) => profileStats(parts, bytes, context),
    },
    {
      path: '/querier.v1.QuerierService/AnalyzeQuery',
      kind: 'unary',
      handle: (bytes, context) => analyze(parts, bytes, context),
    },
  ];
}

async function profileStats(
  { engine, clock }: QuerierParts,
  bytes: Uint8Array,
  context: CallContext,
): Promise<Uint8Array> {
  const { GetProfileStatsRequest, GetProfileStatsResponse } = types.v1;
  decodeRequest(GetProfileStatsRequest, bytes);
  const dataIngested = await engine.hasProfileData();
  const times = dataIngested ? await findTimes(engine, clock.nowMillis(), context) : undefined;
  return GetProfileStatsResponse.encode({
    dataIngested,
    oldestProfileTime: Long.fromNumber(times?.oldest ?? 0),
    newestProfileTime: Long.fromNumber(times?.newest ?? 0),
  }).finish();
}

/** Largest difference in milliseconds by which a sender's clock may be ahead of ours. */
const aheadMillisMax = 86_400_000;

/** Returns the times of the first and the last profile in milliseconds. */
async function findTimes(
  engine: QueryEngine,
  nowMillis: number,
  context: CallContext,
): Promise<{ readonly oldest: number; readonly newest: number } | undefined> {
  const last = Math.floor(nowMillis) + aheadMillisMax;
  const hasSome = async (fromMillis: number, toMillis: number): Promise<boolean> => {
    const [from, to] = [fromMillis, toMillis].map((millis) => BigInt(millis) * 1_000_000n);
    return (await engine.profileTypes({ from, to }, context)).length > 0;
  };
  if (!(await hasSome(0, last))) return undefined;
  const empty = await findLast(last, async (time) => !(await hasSome(0, time)));
  const newest = await findLast(last, (time) => hasSome(time, last));
  return { oldest: empty + 1, newest };
}

/**
 * Returns the last time, up to `end`, at which a condition is true, by bisection. The condition
 * must be true at time 0.
 */
async function findLast(end: number, holds: (time: number) => Promise<boolean>): Promise<number> {
  let [from, to] = [0, end];
  while (to - from > 1) {
    const middle = Math.floor((from + to) / 2);
    if (await holds(middle)) from = middle;
    else to = middle;
  }
  return from;
}

async function analyze(
  { engine, clock }: QuerierParts,
  bytes: Uint8Array,
  context: CallContext,
): Promise<Uint8Array> {
  const { AnalyzeQueryRequest, AnalyzeQueryResponse } = querier.v1;
  const { start, end, query } = decodeRequest(AnalyzeQueryRequest, bytes);
  const { type, conditions } = parsePyroscopeSelector(query);
  const match = type === '' ? `{${conditions.join(', ')}}` : profilesQuery(type, conditions);
  const range = labelRange(start, end, clock.nowMillis());
  const question = { match: [match], profileType: '', range };
  const { values, absent } = await engine.countLabelValues('service_name', question, context);
  const counts = [...values, absent];
  const sum = (of: (count: (typeof counts)[number]) => number): Long =>
    Long.fromNumber(
      counts.reduce((total, count) => total + of(count), 0),
      true,
    );
  const seriesCount = sum((count) => count.seriesCount);
  const profileCount = sum((count) => count.profileCount);
  return AnalyzeQueryResponse.encode({
    queryScopes: [{ componentType: 'Store', componentCount: Long.UONE, seriesCount, profileCount }],
    queryImpact: { totalQueriedSeries: seriesCount, deduplicationNeeded: false },
  }).finish();
}
