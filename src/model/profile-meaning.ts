// The meaning of profile types and of sums of profiles, defined once for the query engine, the page
// and parcatool.
import type { ProfileType } from './profile-type.ts';

/**
 * Relation of values to time. Values of `deltas` belong to the time that a profile covers, so sums
 * are amounts. `counts` are counters since the start of the program, so only their increase is an
 * amount. `states` describe one moment, so only averages are meaningful.
 */
export type TimeMeaning = 'deltas' | 'counts' | 'states';

const countedSinceStart = new Set(['alloc_objects', 'alloc_space', 'contentions', 'delay']);

/** Returns the relation of a type's values to time. */
export function describeTime({
  sample,
  delta,
}: Pick<ProfileType, 'sample' | 'delta'>): TimeMeaning {
  if (delta) return 'deltas';
  return countedSinceStart.has(sample.type) ? 'counts' : 'states';
}

/** Returns true for CPU time, with every spelling of `cpu`. */
export function isCpuTime({ sample }: Pick<ProfileType, 'sample'>): boolean {
  return isCpu(sample.type) && sample.unit !== 'count';
}

/** Returns true for numbers of samples that each represent a period of CPU time. */
export function isCpuSamples({ sample, period }: ProfileType): boolean {
  return /^samples?$/.test(sample.type) && sample.unit === 'count' && isCpu(period.type);
}

/** Returns true for bytes that a program has allocated and not freed. */
export function isMemoryInUse({ sample, delta }: ProfileType): boolean {
  return !delta && sample.unit === 'bytes' && inUse.has(sample.type);
}

const inUse = new Set(['inuse_space', 'space']);

function isCpu(type: string): boolean {
  return type.toLowerCase() === 'cpu';
}

/**
 * Returns true if values of both types can be added: the types have the same name, measure and
 * unit. Types of the same profile never have the same meaning, so no value is counted twice.
 */
export function haveOneMeaning(a: ProfileType, b: ProfileType): boolean {
  return meaningKey(a) === meaningKey(b);
}

/** Returns a string that is the same for types with the same meaning, and different for others. */
function meaningKey(type: ProfileType): string {
  const { name, sample, period, delta } = type;
  // Each counted sample represents one period, so counts can be added only if their periods are
  // equal.
  const counted = /^samples?$/.test(sample.type) ? periodKey(period) : '';
  return [name, measureName(type), counted, sample.unit, delta ? 'delta' : ''].join(':');
}

/** Returns the sample type as most profilers spell it. */
export function measureName(type: ProfileType): string {
  if (isCpuTime(type)) return 'cpu';
  if (isMemoryInUse(type)) return 'inuse_space';
  return isInUseCount(type) ? 'inuse_objects' : type.sample.type;
}

function isInUseCount({ sample, delta }: ProfileType): boolean {
  return !delta && sample.unit === 'count' && /^(?:inuse_)?objects$/.test(sample.type);
}

function periodKey({ type, unit }: ProfileType['period']): string {
  return `${isCpu(type) ? 'cpu' : type}:${unit}`;
}
