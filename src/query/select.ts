// From the text of a query to what the store is asked for.
import { AppError } from '../base/errors.ts';
import type { LabelMatcher } from '../model/matcher.ts';
import { equalProfileTypes } from '../model/profile-type.ts';
import type { ProfileType } from '../model/profile-type.ts';
import { parseSelector } from '../promql-like/parse.ts';
import type { Selector } from '../promql-like/query.ts';
import { resolveProfileType } from '../promql-like/resolve.ts';
import type { Querier, SeriesQuery, TimeRange } from '../storage/interface.ts';
import type { LabelQuestion } from './interface.ts';

/** All of time. */
export const wholeHistory: TimeRange = { from: -(2n ** 63n), to: 2n ** 63n - 1n };

/** A selector with its profile type. */
export interface ResolvedSelector {
  readonly profileType: ProfileType;
  readonly matchers: readonly LabelMatcher[];
}

/**
 * Finds out which profile type a selector means.
 *
 * Errors: AppError 'invalid-argument', see resolveProfileType.
 */
export async function resolveSelector(
  selector: Selector,
  querier: Querier,
): Promise<ResolvedSelector> {
  return { profileType: await typeOf(selector, querier), matchers: selector.matchers };
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
  const selectors = [...texts, ...question.match].map((text) => parseSelector(text));
  const types: ProfileType[] = [];
  for (const selector of selectors) {
    if (selector.profile !== undefined) types.push(await typeOf(selector, querier));
  }
  const [profileType] = types;
  if (types.some((type) => !equalProfileTypes(type, profileType))) return undefined;
  return {
    matchers: selectors.flatMap(({ matchers }) => matchers),
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

async function typeOf(selector: Selector, querier: Querier): Promise<ProfileType> {
  // Types written in full need not be known, so the store is not asked.
  const isShort = selector.profile !== undefined && selector.profile.parts.length < 5;
  return resolveProfileType(selector, isShort ? await querier.profileTypes(wholeHistory) : []);
}
