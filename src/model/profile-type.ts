// Profile types in Parca's notation: one sample type of the profiles with one name.
import { AppError } from '../base/errors.ts';
import { profileTypeLengthMax } from './limits.ts';

/** A measured quantity and its unit, as in pprof, such as cpu/nanoseconds or inuse_space/bytes. */
export interface ValueType {
  readonly type: string;
  readonly unit: string;
}

/** `name:sample_type:sample_unit:period_type:period_unit[:delta]`. */
export interface ProfileType {
  readonly name: string;
  readonly sample: ValueType;
  readonly period: ValueType;
  /** True for profiles that cover a duration (CPU), false for states (heap in use). */
  readonly delta: boolean;
}

const continuousNames: ReadonlySet<string> = new Set(['parca_agent', 'parca_agent_cpu']);

/**
 * Returns true for profiles of an agent. An agent watches all programs all the time, but sends
 * nothing for programs that were idle.
 */
export function isContinuous({ name, delta }: ProfileType): boolean {
  return delta && continuousNames.has(name);
}

/** Returns the string form, which parseProfileType reads. */
export function formatProfileType(type: ProfileType): string {
  const parts = [type.name, type.sample.type, type.sample.unit, type.period.type, type.period.unit];
  return parts.join(':') + (type.delta ? ':delta' : '');
}

/**
 * Reads the string form. A sixth part other than `delta` is accepted as non-delta, as in Parca.
 *
 * Errors: AppError 'invalid-argument' naming the expected form.
 */
export function parseProfileType(text: string): ProfileType {
  const parts = text.split(':');
  if (parts.length !== 5 && parts.length !== 6) {
    throw new AppError(
      'invalid-argument',
      `profile-type selection must be of the form ` +
        `<name>:<sample-type>:<sample-unit>:<period-type>:<period-unit>(:delta), got ` +
        `${JSON.stringify(text)} with ${parts.length} parts`,
    );
  }
  const [name, sampleType, sampleUnit, periodType, periodUnit, delta] = parts;
  return {
    name,
    sample: { type: sampleType, unit: sampleUnit },
    period: { type: periodType, unit: periodUnit },
    delta: delta === 'delta',
  };
}

/**
 * Refuses types that have no string form, because no query could name them.
 *
 * Errors: AppError 'invalid-argument'.
 */
export function checkProfileType(type: ProfileType): void {
  const { name, sample, period } = type;
  for (const [what, text] of [
    ['name', name],
    ['sample type', sample.type],
    ['sample unit', sample.unit],
    ['period type', period.type],
    ['period unit', period.unit],
  ]) {
    if (!text.includes(':')) continue;
    throw new AppError(
      'invalid-argument',
      `cannot store profile: its ${what} ${JSON.stringify(text)} has a colon, ` +
        'which separates the parts of profile types',
    );
  }
  const length =
    name.length + sample.type.length + sample.unit.length + period.type.length + period.unit.length;
  if (length <= profileTypeLengthMax) return;
  throw new AppError(
    'invalid-argument',
    `cannot store profile: the parts of its profile type have ${length} characters, ` +
      `the limit is ${profileTypeLengthMax}`,
  );
}

/** Returns true if two profile types are the same measurement. */
export function equalProfileTypes(a: ProfileType, b: ProfileType): boolean {
  return (
    a === b ||
    (a.delta === b.delta &&
      a.name === b.name &&
      equalValueTypes(a.sample, b.sample) &&
      equalValueTypes(a.period, b.period))
  );
}

function equalValueTypes(a: ValueType, b: ValueType): boolean {
  return a.type === b.type && a.unit === b.unit;
}
