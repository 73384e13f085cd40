// The known types that a short profile type means. This file does not need the parser, so the page
// can also use it.
import {
  haveOneMeaning,
  isCpuSamples,
  isCpuTime,
  isMemoryInUse,
  measureName,
} from '../model/profile-meaning.ts';
import { formatProfileType, type ProfileType } from '../model/profile-type.ts';

/** The types that a short form matches. */
export interface MeantTypes {
  /** Types, the simplest first; empty if none matches. */
  readonly types: readonly ProfileType[];
  /**
   * True if the types have the same meaning, so that one answer has the profiles of all of them.
   */
  readonly isOne: boolean;
}

/**
 * Finds the types that a short form means; `parts` is the form, split at colons.
 *
 * A short form is the beginning of a type (`memory:alloc_space`). If no type begins so, the short
 * form may lack the first words of the name (`cpu:samples` for `process_cpu:samples:...`), or else
 * start at the sample type (`alloc_space`). If it matches several measures, it means the first of
 * these: CPU time, counts of CPU samples, memory in use, other times and bytes, other counts.
 */
export function meantTypes(parts: readonly string[], known: readonly ProfileType[]): MeantTypes {
  for (const isMeant of readings) {
    const candidates = known.filter((type) => isMeant(parts, type));
    if (candidates.length === 0) continue;
    const types = preferred(candidates).toSorted(byPlainness);
    return { types, isOne: types.every((type) => haveOneMeaning(type, types[0])) };
  }
  return { types: [], isOne: false };
}

type Reading = (parts: readonly string[], type: ProfileType) => boolean;

/** Interpretations from the strictest to the loosest; the first one with candidates decides. */
const readings: readonly Reading[] = [
  (parts, type) => parts[0] === type.name && startsWith(type, parts.slice(1)),
  (parts, type) => type.name.endsWith(`_${parts[0]}`) && startsWith(type, parts.slice(1)),
  (parts, type) => startsWith(type, parts),
];

/**
 * Compares the parts after the name. `cpu` also matches `CPU`, and `inuse_space` matches V8's
 * `space`.
 */
function startsWith(type: ProfileType, parts: readonly string[]): boolean {
  const fields = formatProfileType(type).split(':').slice(1);
  const isCpu = isCpuTime(type);
  return parts.every((part, i) => {
    const field = fields.at(i);
    if (part === field || (i === 0 && part === measureName(type))) return true;
    return isCpu && part.toLowerCase() === field?.toLowerCase();
  });
}

/** Measures in the order in which they are preferred. */
const measures: readonly ((type: ProfileType) => boolean)[] = [
  // Profiles without a duration are snapshots, which cannot be added to profiles with a duration.
  (type) => isCpuTime(type) && type.delta,
  isCpuTime,
  isCpuSamples,
  isMemoryInUse,
  ({ sample }) => sample.unit !== 'count',
];

function preferred(candidates: readonly ProfileType[]): readonly ProfileType[] {
  for (const isPreferred of measures) {
    const found = candidates.filter(isPreferred);
    if (found.length > 0) return found;
  }
  return candidates;
}

/** Sorts the usual spelling of a type before unusual spellings and unusual period types. */
function byPlainness(a: ProfileType, b: ProfileType): number {
  const difference = plainness(b) - plainness(a);
  if (difference !== 0) return difference;
  return formatProfileType(a) < formatProfileType(b) ? -1 : 1;
}

function plainness({ sample: { type }, period }: ProfileType): number {
  const isOfPeriod = type === period.type || type.endsWith(`_${period.type}`);
  return (type === type.toLowerCase() ? 2 : 0) + (isOfPeriod ? 1 : 0);
}
