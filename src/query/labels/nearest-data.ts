// Alternatives to an empty answer: the nearest times with profiles, and labels that exist.
import { compareLikeness, isSlip, likeness, type Likeness } from '../../base/text/nearest.ts';
import type { LabelMatcher } from '../../model/matcher.ts';
import type { Querier, SeriesQuery, TimeRange } from '../../storage/interface.ts';
import type { QueryContext } from '../running/context.ts';
import type { NearestCondition, NearestData, NearestQuestion } from '../interface.ts';
import { meantTypes } from '../../promql-like/meant-types.ts';
import type { Selector } from '../../promql-like/query.ts';
import type { ResolvedTypes } from '../../promql-like/resolve.ts';
import { selectRanges, type TypedQuery } from '../merge/joined-selection.ts';
import { parseSelector } from '../plan/plan.ts';
import { splitRange, type SelectorInTime, withOffset } from '../plan/ranges.ts';
import {
  checkRange,
  resolveSelector,
  wholeHistory,
  type ResolvedSelector,
} from '../plan/select.ts';
import { listLabelNames, listLabelValues } from './label-counts.ts';

const hourNanos = 3_600_000_000_000n;
/** Distances from the range, in nanoseconds, to search first, because most gaps are short. */
const reaches = [hourNanos, 24n * hourNanos, 32n * 24n * hourNanos];
const alternativesMax = 6;
/** Maximum number of names or values that are compared for similarity, in alphabetic order. */
const candidatesMax = 10_000;

/**
 * Finds alternatives. Stages are ignored; for a diff, the compared selection is searched. With an
 * offset, the returned times can be used in a query with that offset.
 *
 * Errors: AppError 'invalid-argument'.
 */
export async function findNearestData(
  { query, range: asked }: NearestQuestion,
  querier: Querier,
  context: QueryContext,
): Promise<NearestData> {
  checkRange(asked);
  const selector = parseSelector(query);
  const offset = selector.offset?.nanos ?? 0n;
  const range = withOffset(asked, selector);
  const resolved = await resolveSelector({ selector, range }, querier);
  const series = { ...resolved, selector, range };
  const inRange = await timesIn(querier, series, context);
  const before = await findBeside('earlier', querier, series, context);
  const after = await findBeside('later', querier, series, context);
  const conditions: NearestCondition[] = [];
  const anyType = { ...resolved, profileTypes: await typesOfAnyJob(selector, resolved, querier) };
  for (const matcher of resolved.matchers) {
    context.throwIfAborted();
    conditions.push(await explain(matcher, querier, anyType, context));
  }
  return {
    hasData: inRange !== undefined,
    earlier: before === undefined ? undefined : before + offset,
    later: after === undefined ? undefined : after + offset,
    conditions,
  };
}

/**
 * Returns all types that a short type may mean. If the job is mistyped, the job that was meant may
 * have another profiler, which uses another of these types.
 */
async function typesOfAnyJob(
  { profile }: Selector,
  { profileTypes }: ResolvedSelector,
  querier: Querier,
): Promise<ResolvedTypes> {
  if (profile === undefined || profile.parts.length >= 5) return profileTypes;
  const { parts } = profile;
  const known = await querier.profileTypes(wholeHistory);
  const [first, ...others] = known.filter((type) => meantTypes(parts, [type]).types.length > 0);
  return first === undefined ? profileTypes : [first, ...others];
}

/** A resolved selector in a time range. The selector's own times may exclude the complete range. */
type SeriesInTime = ResolvedSelector & SelectorInTime;

/**
 * Returns the time of the profile nearest to the range of `series` on one side, searching at
 * growing distances.
 */
async function findBeside(
  side: 'earlier' | 'later',
  querier: Querier,
  series: SeriesInTime,
  context: QueryContext,
): Promise<bigint | undefined> {
  const isEarlier = side === 'earlier';
  const end = isEarlier ? 'from' : 'to';
  const direction = isEarlier ? -1n : 1n;
  const start = series.range[end] + direction;
  const room = (wholeHistory[end] - start) * direction;
  if (room < 0n) return undefined;
  for (const reach of [...reaches, room]) {
    const furthest = reach > room ? wholeHistory[end] : start + reach * direction;
    const range = isEarlier ? { from: furthest, to: start } : { from: start, to: furthest };
    const times = await timesIn(querier, { ...series, range }, context);
    if (times !== undefined) return isEarlier ? times.to : times.from;
  }
  return undefined;
}

/** Returns the times of the first and the last profile; undefined without profiles. */
async function timesIn(
  querier: Querier,
  asked: SeriesInTime,
  context: QueryContext,
): Promise<TimeRange | undefined> {
  let times: TimeRange | undefined;
  for (const range of splitRange(asked)) {
    using selection = await selectRanges(querier, asked, [range]);
    context.throwIfAborted();
    for (const series of selection.series) {
      await context.pause();
      const own = series.times();
      const { from, to } = times ?? own;
      times = { from: own.from < from ? own.from : from, to: own.to > to ? own.to : to };
    }
  }
  return times;
}

async function hasSeries(querier: Querier, query: TypedQuery): Promise<boolean> {
  using selection = await selectRanges(querier, query, [wholeHistory]);
  return selection.series.length > 0;
}

async function explain(
  matcher: LabelMatcher,
  querier: Querier,
  { profileTypes, matchers }: ResolvedSelector,
  context: QueryContext,
): Promise<NearestCondition> {
  const { name, operator, value } = matcher;
  const createQueries = (conditions: readonly LabelMatcher[]): SeriesQuery[] =>
    profileTypes.map((profileType) => {
      return { profileType, matchers: conditions, range: wholeHistory };
    });
  const ofType = createQueries([]);
  const all = await listLabelValues(name, ofType, querier, context.signal);
  const hasName = all.length > 0;
  const hasMatch =
    all.some((one) => matcher.matches(one)) ||
    // A series without the label may also satisfy the matcher.
    (matcher.matches('') && (await hasSeries(querier, { profileTypes, matchers: [matcher] })));
  const text = hasName ? value : name;
  let candidates: readonly string[];
  if (hasName) {
    const others = matchers.filter((other) => other !== matcher);
    candidates = await listLabelValues(name, createQueries(others), querier, context.signal);
  } else {
    candidates = await listLabelNames(ofType, querier, context.signal);
  }
  const near = candidates.filter((one) => one !== text).slice(0, candidatesMax);
  const likenesses: Likeness[] = [];
  for (const one of near) {
    await context.pause();
    likenesses.push(likeness(text, one));
  }
  likenesses.sort(compareLikeness);
  const best = hasMatch || operator !== '=' ? undefined : likenesses.at(0);
  return {
    name,
    operator,
    value,
    hasName,
    hasMatch,
    alternatives: likenesses.slice(0, alternativesMax).map(({ candidate }) => candidate),
    meant: best !== undefined && isSlip(text, best) ? best.candidate : undefined,
  };
}
