// Resolves a written profile type, which may be short, to the types that it means.
import { assert } from '../base/assert.ts';
import { AppError } from '../base/errors.ts';
import { nearest } from '../base/text/nearest.ts';
import { formatProfileType, parseProfileType, type ProfileType } from '../model/profile-type.ts';
import { ambiguityReason, namedCandidatesMax } from './ambiguity.ts';
import { meantTypes } from './meant-types.ts';
import { QueryError, type Selector } from './query.ts';

/** Types with one meaning: at least one, the plainest first. */
export type ResolvedTypes = readonly [ProfileType, ...ProfileType[]];

/**
 * Returns the profile types of a selector. The profiles of all of them form one answer. A type with
 * five or six parts is exact, and need not be known. For fewer parts, see meantTypes.
 *
 * Errors: as in findProfileTypes; QueryError for a short form that matches no known type.
 */
export function resolveProfileTypes(
  selector: Selector,
  known: readonly ProfileType[],
): ResolvedTypes {
  const found = findProfileTypes(selector, known);
  if (found === undefined) throw unknownProfileType(selector, known);
  return found;
}

/**
 * Returns the types as resolveProfileTypes does, or undefined if no known type matches.
 *
 * Errors: AppError 'invalid-argument' "query must contain a profile-type selection" and for more
 * than six parts; QueryError for an ambiguous short form, see ambiguityReason.
 */
export function findProfileTypes(
  { profile, text }: Selector,
  known: readonly ProfileType[],
): ResolvedTypes | undefined {
  if (profile === undefined) {
    throw new AppError('invalid-argument', 'query must contain a profile-type selection');
  }
  if (profile.parts.length >= 5) return [parseProfileType(profile.text)];
  const { types, isOne } = meantTypes(profile.parts, known);
  const [first, ...others] = types;
  if (first === undefined) return undefined;
  if (isOne) return [first, ...others];
  throw new QueryError(ambiguityReason(profile.text, types), text, profile.span);
}

/** Creates the error for an unknown short form. The error names the nearest known types. */
function unknownProfileType(
  { profile, text }: Selector,
  known: readonly ProfileType[],
): UnknownTypeError {
  assert(profile !== undefined, 'a type is asked for');
  const full = known.map(formatProfileType);
  // A short form is compared with the same number of parts of each known type.
  const heads = new Map(
    full.toReversed().flatMap((type) => {
      const fields = type.split(':');
      const head = fields.slice(0, profile.parts.length).join(':');
      const tail = fields.slice(1, 1 + profile.parts.length).join(':');
      return [
        [tail, type],
        [head, type],
      ];
    }),
  );
  const near = heads.get(nearest(profile.text, heads.keys()) ?? '');
  const hint =
    full.length === 0
      ? 'no profiles have been stored yet'
      : near === undefined
        ? `known are ${full.slice(0, namedCandidatesMax).join(', ')}`
        : `did you mean ${near}?`;
  const reason = `unknown profile type ${JSON.stringify(profile.text)}: ${hint}`;
  return new UnknownTypeError(reason, text, profile.span);
}

/**
 * Error for a short form that matches no known profile type. The short form may be mistyped, or
 * there may be no such profiles yet.
 */
export class UnknownTypeError extends QueryError {}
