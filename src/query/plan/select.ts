// Resolves the selector of a query to labels and profile types.
import { AppError } from '../../base/errors.ts';
import type { LabelMatcher } from '../../model/matcher.ts';
import {
  equalProfileTypes,
  formatProfileType,
  type ProfileType,
} from '../../model/profile-type.ts';
import { parseMatch } from '../../promql-like/match.ts';
import { parseSelector } from '../../promql-like/parse.ts';
import { printSelector } from '../../promql-like/print.ts';
import type { Selector } from '../../promql-like/query.ts';
import { meantTypes } from '../../promql-like/meant-types.ts';
import {
  findProfileTypes,
  resolveProfileTypes,
  type ResolvedTypes,
} from '../../promql-like/resolve.ts';
import type { Querier, SeriesQuery, TimeRange } from '../../storage/interface.ts';
import { missingSentences } from '../notes/missing.ts';
import type { LabelQuestion } from '../interface.ts';
import { splitRange, type SelectorInTime } from './ranges.ts';

/** Range that includes all times. */
export const wholeHistory: TimeRange = { from: -(2n ** 63n), to: 2n ** 63n - 1n };

/** A selector with its profile types. */
export interface ResolvedSelector {
  readonly profileTypes: ResolvedTypes;
  readonly matchers: readonly LabelMatcher[];
}

/**
 * Finds the profile types that a selector means.
 *
 * Errors: AppError 'invalid-argument'; see findProfileTypes.
 */
export async function resolveSelector(
  asked: SelectorInTime,
  querier: Querier,
): Promise<ResolvedSelector> {
  const { selector } = asked;
  const profileTypes = await findTypes(selector, [toScope(asked)], querier);
  return { profileTypes, matchers: selector.matchers };
}

/**
 * Resolves both sides of a diff. A short type used on both sides has the same meaning on both, even
 * if only one side has profiles of it.
 */
export async function resolveSides<T extends SelectorInTime>(
  sides: readonly T[],
  querier: Querier,
): Promise<(T & { readonly profileTypes: ResolvedTypes })[]> {
  const resolved: (T & { readonly profileTypes: ResolvedTypes })[] = [];
  for (const side of sides) {
    const alike = sides.filter(
      ({ selector }) => selector.profile?.text === side.selector.profile?.text,
    );
    const profileTypes = await findTypes(side.selector, alike.map(toScope), querier);
    resolved.push({ ...side, profileTypes });
  }
  return resolved;
}

/**
 * Returns the series that a query about labels covers, as one query for each profile type. The list
 * is empty if its selectors name different types, so that no series can match.
 */
export async function resolveLabelQuestion(
  question: LabelQuestion,
  querier: Querier,
): Promise<SeriesQuery[]> {
  const texts = question.profileType === '' ? [] : [question.profileType];
  const selectors = [
    ...texts.map((text) => parseSelector(text)),
    ...question.match.flatMap((text) => parseMatch(text) ?? []),
  ];
  const matchers = selectors.flatMap((selector) => selector.matchers);
  const range = question.range ?? wholeHistory;
  let common: readonly ProfileType[] | undefined;
  for (const selector of selectors) {
    if (selector.profile === undefined) continue;
    const types = await findTypes(selector, [{ matchers, ranges: [range] }], querier);
    common = (common ?? types).filter((type) => types.some((one) => equalProfileTypes(one, type)));
  }
  if (common === undefined) return [{ matchers, profileType: undefined, range }];
  return common.map((profileType) => ({ matchers, profileType, range }));
}

/** Throws AppError 'invalid-argument' for a range that ends before it starts. */
export function checkRange(range: TimeRange): void {
  if (range.from > range.to) {
    throw new AppError('invalid-argument', 'start timestamp must be before end');
  }
}

/** The series among whose types a short type is looked up. */
interface Scope {
  readonly matchers: readonly LabelMatcher[];
  readonly ranges: readonly TimeRange[];
}

function toScope(asked: SelectorInTime): Scope {
  return { matchers: asked.selector.matchers, ranges: splitRange(asked) };
}

/**
 * Looks up a short type among the requested profiles; if none has it, among profiles of all times,
 * and then among all series. In the last two cases, the answer is empty but has a type. If no
 * series satisfies the conditions on labels, an ambiguous type is not an error but gets its first
 * meaning, because the caller gets a message about the conditions.
 */
async function findTypes(
  selector: Selector,
  scopes: readonly Scope[],
  querier: Querier,
): Promise<ResolvedTypes> {
  const { profile } = selector;
  if (profile === undefined) throw await typeIsMissing(selector, scopes, querier);
  // Full types are accepted without a query to the store.
  if (profile.parts.length >= 5) return resolveProfileTypes(selector, []);
  const atAllTimes = scopes.map(({ matchers }) => ({ matchers, ranges: [wholeHistory] }));
  for (const tried of [scopes, atAllTimes]) {
    const found = findProfileTypes(selector, await typesIn(tried, querier));
    if (found !== undefined) return found;
  }
  const all = await querier.profileTypes(wholeHistory);
  if (scopes.every(({ matchers }) => matchers.length > 0)) {
    const [first, ...others] = meantTypes(profile.parts, all).types;
    if (first !== undefined) return [first, ...others];
  }
  try {
    return resolveProfileTypes(selector, all);
  } catch (error) {
    // The type may be in data that currently cannot be read.
    const missing = missingSentences(querier.missingIn?.(wholeHistory) ?? []);
    if (!(error instanceof AppError) || missing.length === 0) throw error;
    throw new AppError(error.code, `${error.message}; ${missing.join('; ')}`, { cause: error });
  }
}

/** Maximum number of short types that an error names. */
const namedTypesMax = 6;

/**
 * Returns the error for a selector without a type. It names the types of the selected profiles.
 */
async function typeIsMissing(
  { matchers }: Selector,
  scopes: readonly Scope[],
  querier: Querier,
): Promise<AppError> {
  const inRange = await typesIn(scopes, querier);
  const atAllTimes = scopes.map((scope) => ({ matchers: scope.matchers, ranges: [wholeHistory] }));
  const types = inRange.length > 0 ? inRange : await typesIn(atAllTimes, querier);
  const names = [...new Set(types.map(({ name, sample }) => `${name}:${sample.type}`))];
  const conditions = matchers.length === 0 ? '' : printSelector({ profile: undefined, matchers });
  const more = names.length > namedTypesMax ? `, and ${names.length - namedTypesMax} more` : '';
  const why =
    names.length === 0
      ? `no profile matches ${conditions || 'it'}`
      : `write one of these before ${conditions || 'it'}: ${names.slice(0, namedTypesMax).join(', ')}${more}`;
  return new AppError('invalid-argument', `query must contain a profile-type selection: ${why}`);
}

/** Returns the distinct types, sorted by their string form. */
async function typesIn(scopes: readonly Scope[], querier: Querier): Promise<ProfileType[]> {
  const types = new Map<string, ProfileType>();
  for (const { ranges, matchers } of scopes) {
    for (const range of ranges) {
      for (const type of await querier.profileTypes(range, matchers)) {
        types.set(formatProfileType(type), type);
      }
    }
  }
  return [...types.keys()].sort().flatMap((text) => types.get(text) ?? []);
}
