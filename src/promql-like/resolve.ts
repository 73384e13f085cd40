// From the profile type as written, maybe shortened, to the one profile type that is meant.
import { AppError } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';
import { formatProfileType, parseProfileType } from '../model/profile-type.ts';
import type { ProfileType } from '../model/profile-type.ts';
import { QueryError } from './query.ts';
import type { ProfileSelection, Selector } from './query.ts';

/** How many candidates a message names. */
const namedCandidatesMax = 8;

/**
 * The profile type that a selector is about.
 *
 * Five and six parts are exact and need not be known. Fewer parts are the beginning of a known
 * type (`memory:alloc_space`); failing that, with the last words of its name (`cpu:samples` for
 * `process_cpu:samples:...`); failing that, from its sample type on (`alloc_space`). A count of
 * samples beside the quantity they were sampled by (Go's `samples:count` beside
 * `cpu:nanoseconds`) is the same measurement and does not make a short form ambiguous.
 *
 * Errors: AppError 'invalid-argument' "query must contain a profile-type selection" and for more
 * than six parts; QueryError for unknown and ambiguous short forms, naming known types.
 */
export function resolveProfileType(selector: Selector, known: readonly ProfileType[]): ProfileType {
  const { profile, text } = selector;
  if (profile === undefined) {
    throw new AppError('invalid-argument', 'query must contain a profile-type selection');
  }
  if (profile.parts.length >= 5) return parseProfileType(profile.text);
  for (const isMeant of readings) {
    const candidates = known.filter((type) => isMeant(profile.parts, type));
    if (candidates.length > 0) return onlyOf(candidates, text, profile);
  }
  throw unknownType(text, profile, known);
}

type Reading = (parts: readonly string[], type: ProfileType) => boolean;

/** From the strictest to the loosest; the first one with candidates decides. */
const readings: readonly Reading[] = [
  (parts, type) => startsWith(fieldsOf(type), parts),
  (parts, type) =>
    type.name.endsWith(`_${parts[0]}`) && startsWith(fieldsOf(type).slice(1), parts.slice(1)),
  (parts, type) => startsWith(fieldsOf(type).slice(1), parts),
];

function fieldsOf(type: ProfileType): string[] {
  return formatProfileType(type).split(':');
}

function startsWith(fields: readonly string[], parts: readonly string[]): boolean {
  return parts.every((part, i) => part === fields[i]);
}

function onlyOf(
  candidates: readonly ProfileType[],
  text: string,
  profile: ProfileSelection,
): ProfileType {
  if (candidates.length === 1) return candidates[0];
  const quantities = candidates.filter((type) => !isSampleCount(type));
  const [quantity] = quantities;
  const counts = candidates.filter(isSampleCount);
  if (quantities.length === 1 && counts.every((type) => countsTheSame(type, quantity))) {
    return quantity;
  }
  const names = candidates.slice(0, namedCandidatesMax).map(formatProfileType).join(', ');
  const more = candidates.length > namedCandidatesMax ? ', ...' : '';
  const reason = `profile type ${JSON.stringify(profile.text)} is ambiguous: ${names}${more}`;
  throw new QueryError(reason, text, profile.span);
}

function isSampleCount({ sample }: ProfileType): boolean {
  return /^samples?$/.test(sample.type) && sample.unit === 'count';
}

/** Whether samples times period of `count` is what `quantity` measures. */
function countsTheSame(count: ProfileType, quantity: ProfileType): boolean {
  return (
    count.name === quantity.name &&
    count.delta === quantity.delta &&
    count.period.type === quantity.sample.type &&
    count.period.unit === quantity.sample.unit
  );
}

function unknownType(
  text: string,
  profile: ProfileSelection,
  known: readonly ProfileType[],
): QueryError {
  const full = known.map(formatProfileType);
  // A short form is compared with as many parts of each known type.
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
  return new QueryError(reason, text, profile.span);
}
