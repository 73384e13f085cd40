// Makes the menu of profile types: names, order and default.
import { formatProfileType, parseProfileType } from '../../../src/model/profile-type.ts';
import { friendlyName, friendlyRank as rank } from '../../../src/model/friendly-type.ts';
import { meantTypes } from '../../../src/promql-like/meant-types.ts';
import type { ProfileTypeMessage } from '../rpc/messages.gen.ts';

/** One entry of the profile type menu. */
export interface ProfileTypeOption {
  /** Type as a string, at the start of a query. */
  readonly value: string;
  /** Name of the measured quantity: "CPU time", "Memory in use". */
  readonly label: string;
  /** Name of the type's profile; the menu groups its entries by this name. */
  readonly group: string;
}

const groupNames = new Map([
  ['process_cpu', 'CPU'],
  ['parca_agent', 'CPU'],
  ['parca_agent_cpu', 'CPU'],
  ['memory', 'Memory'],
  ['goroutine', 'Goroutines'],
  ['mutex', 'Locks'],
  ['block', 'Locks'],
]);

/** Default types, best first. */
const preferred: readonly RegExp[] = [
  /^process_cpu:cpu:.*:delta$/,
  /^parca_agent:samples:.*:delta$/,
  /^parca_agent_cpu:.*:delta$/,
  /^process_cpu:.*:delta$/,
  /:cpu:nanoseconds:.*:delta$/,
];

/** Returns `name:sample_type:sample_unit:period_type:period_unit[:delta]`. */
function profileTypeText(type: ProfileTypeMessage): string {
  const { name, sampleType, sampleUnit, periodType, periodUnit, delta } = type;
  const parts = [name, sampleType, sampleUnit, periodType, periodUnit];
  return parts.join(':') + (delta ? ':delta' : '');
}

/** Returns the menu's entries: well-known types first, the others by name. */
export function profileTypeOptions(types: readonly ProfileTypeMessage[]): ProfileTypeOption[] {
  return types
    .map((type) => ({
      value: profileTypeText(type),
      label: friendlyName(profileTypeText(type)),
      group: groupNames.get(type.name) ?? type.name,
    }))
    .sort((a, b) => rank(a.value) - rank(b.value) || (a.value < b.value ? -1 : 1));
}

/**
 * Returns the type to show first: process CPU, then the agent's samples, then any type; undefined
 * if there are none.
 */
export function bestProfileType(types: readonly string[]): string | undefined {
  for (const pattern of preferred) {
    const found = types.filter((type) => pattern.test(type)).sort()[0];
    if (found !== undefined) return found;
  }
  // Bytes are more useful than numbers of objects, which would come first in the alphabet.
  return [...types]
    .filter((type) => !isOfScrapes(type))
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))[0];
}

/** Entry of the menu: a type, or several types that one query returns together. */
export interface TypeChoice {
  /** Start of the query. */
  readonly value: string;
  readonly label: string;
  readonly group: string;
  /** Full names of all types of the entry. */
  readonly types: readonly string[];
}

/**
 * Returns an entry for each meaning. Types with the same name that the server treats as the same
 * measure share an entry, such as the memory in use of Go and of Node. Other types with the same
 * name show the parts that differ.
 */
export function typeChoices(options: readonly ProfileTypeOption[]): TypeChoice[] {
  const known = options.map(({ value }) => parseProfileType(value));
  const byName = Map.groupBy(options, ({ label, group }) => `${group}\0${label}`);
  return [...byName.values()].flatMap((same): TypeChoice[] => {
    const [{ value, label, group }] = same;
    const types = same.map((one) => one.value);
    if (same.length === 1) return [{ value, label, group, types }];
    const short = value.split(':', 2).join(':');
    const meant = meantTypes(short.split(':'), known);
    const all = new Set(meant.types.map(formatProfileType));
    if (meant.isOne && types.every((type) => all.has(type))) {
      return [{ value: short, label, group, types }];
    }
    return types.map((type) => ({
      value: type,
      group,
      types: [type],
      label: `${label} (${type.replaceAll(/[:_]/g, ' ')})`,
    }));
  });
}

/** Returns true for a type of scrape results, which a server has before any profile. */
export function isOfScrapes(type: string): boolean {
  return type.startsWith('scrape:');
}
