// Resolves a written profile type, which may be short, to the full one.
import { assert } from '../base/assert.ts';
import { AppError } from '../base/errors.ts';
import { nearest } from '../base/text/nearest.ts';
import { formatProfileType, parseProfileType, type ProfileType } from '../model/profile-type.ts';
import { ambiguityReason, namedCandidatesMax } from './ambiguity.ts';
import { QueryError, type ProfileSelection, type Selector } from './query.ts';

/**
 * Returns the profile type of a selector.
 *
 * Five and six parts are exact and need not be known. Fewer parts are the beginning of a known type
 * (`memory:alloc_space`); failing that, the beginning with the last words of its name
 * (`cpu:samples` for `process_cpu:samples:...`); failing that, a part from its sample type on
 * (`alloc_space`). Of several types, CPU time comes before counts and wall time, and a quantity
 * before the count of samples from which it was measured.
 *
 * Errors: those of findProfileType; QueryError for a short form that fits no known type.
 */
export function resolveProfileType(selector: Selector, known: readonly ProfileType[]): ProfileType {
  const found = findProfileType(selector, known);
  if (found === undefined) throw unknownProfileType(selector, known);
  return found;
}

/**
 * Returns the same, or undefined when none of the known types fits.
 *
 * Errors: AppError 'invalid-argument' "query must contain a profile-type selection" and for more
 * than six parts; QueryError for an ambiguous short form, see ambiguityReason.
 */
export function findProfileType(
  { profile, text }: Selector,
  known: readonly ProfileType[],
): ProfileType | undefined {
  if (profile === undefined) {
    throw new AppError('invalid-argument', 'query must contain a profile-type selection');
  }
  if (profile.parts.length >= 5) return parseProfileType(profile.text);
  for (const isMeant of readings) {
    const candidates = known.filter((type) => isMeant(profile.parts, type));
    if (candidates.length > 0) return onlyCandidate(candidates, text, profile);
  }
  return undefined;
}

type Reading = (parts: readonly string[], type: ProfileType) => boolean;

/** Readings from the strictest to the loosest; the first one with candidates decides. */
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

function onlyCandidate(
  candidates: readonly ProfileType[],
  text: string,
  profile: ProfileSelection,
): ProfileType {
  const meant = preferredTypes(candidates);
  if (meant.length === 1) return meant[0];
  throw new QueryError(ambiguityReason(profile.text, meant), text, profile.span);
}

function preferredTypes(candidates: readonly ProfileType[]): readonly ProfileType[] {
  const times = candidates.filter(isCpuTime);
  if (times.length > 0 && candidates.every((type) => isCpuTime(type) || isLessThanCpu(type))) {
    return times;
  }
  const quantities = candidates.filter((type) => !isSampleCount(type));
  return candidates.filter(
    (type) => !isSampleCount(type) || !quantities.some((other) => countsTheSame(type, other)),
  );
}

function isCpuTime({ sample }: ProfileType): boolean {
  return sample.type === 'cpu' && sample.unit !== 'count';
}

function isLessThanCpu({ sample }: ProfileType): boolean {
  return sample.unit === 'count' || sample.type === 'wall';
}

function isSampleCount({ sample }: ProfileType): boolean {
  return /^samples?$/.test(sample.type) && sample.unit === 'count';
}

/** Returns true if samples times period of `count` is the measure of `quantity`. */
function countsTheSame(count: ProfileType, quantity: ProfileType): boolean {
  return (
    count.name === quantity.name &&
    count.delta === quantity.delta &&
    count.period.type === quantity.sample.type &&
    count.period.unit === quantity.sample.unit
  );
}

/** Makes the error for a short form, with the nearest known types. */
function unknownProfileType(
  { profile, text }: Selector,
  known: readonly ProfileType[],
): QueryError {
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
  return new QueryError(reason, text, profile.span);
}
