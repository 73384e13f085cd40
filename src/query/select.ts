// From the text of a query to what the store is asked for.
import { AppError } from '../base/errors.ts';
import type { LabelMatcher } from '../model/matcher.ts';
import { equalProfileTypes } from '../model/profile-type.ts';
import type { ProfileType } from '../model/profile-type.ts';
import { parseQuery } from '../promql-like/parse.ts';
import type { Query } from '../promql-like/query.ts';
import { resolveProfileType } from '../promql-like/resolve.ts';
import type { Querier, SeriesQuery, TimeRange } from '../storage/interface.ts';
import type { LabelQuestion } from './interface.ts';

/** All of time. */
export const wholeHistory: TimeRange = { from: -(2n ** 63n), to: 2n ** 63n - 1n };

/** A query with its profile type. */
export interface ResolvedQuery {
  readonly profileType: ProfileType;
  readonly matchers: readonly LabelMatcher[];
}

/**
 * Parses a query and finds out which profile type it means.
 *
 * Errors: AppError 'invalid-argument', see parseQuery and resolveProfileType.
 */
export async function resolveQuery(text: string, querier: Querier): Promise<ResolvedQuery> {
  if (text === '') throw new AppError('invalid-argument', 'query is required');
  const query = parseQuery(text);
  return { profileType: await typeOf(query, querier), matchers: query.matchers };
}

/**
 * The series that a question about labels is about; undefined when its selectors name different
 * profile types, so that no series can belong.
 */
export async function resolveLabelQuestion(
  question: LabelQuestion,
  querier: Querier,
): Promise<SeriesQuery | undefined> {
  const texts = question.profileType === '' ? [] : [question.profileType];
  const queries = [...texts, ...question.match].map((text) => parseQuery(text));
  const types: ProfileType[] = [];
  for (const query of queries) {
    if (query.profile !== undefined) types.push(await typeOf(query, querier));
  }
  const [profileType] = types;
  if (types.some((type) => !equalProfileTypes(type, profileType))) return undefined;
  return {
    matchers: queries.flatMap((query) => query.matchers),
    profileType,
    range: question.range ?? wholeHistory,
  };
}

/** Throws AppError 'invalid-argument' for a range that ends before it starts. */
export function checkRange(range: TimeRange): void {
  if (range.from > range.to) {
    throw new AppError('invalid-argument', 'start timestamp must be before end');
  }
}

async function typeOf(query: Query, querier: Querier): Promise<ProfileType> {
  // Types written in full need not be known, so the store is not asked.
  const isShort = query.profile !== undefined && query.profile.parts.length < 5;
  return resolveProfileType(query, isShort ? await querier.profileTypes(wholeHistory) : []);
}
