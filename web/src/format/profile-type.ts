// Profile types as people know them: friendly names, their order, and the default.
import { formatProfileType, parseProfileType } from '../../../src/model/profile-type.ts';
import { friendlyName, friendlyRank as rank } from '../../../src/model/friendly-type.ts';
import { meantTypes } from '../../../src/promql-like/meant-types.ts';
import type { ProfileTypeMessage } from '../rpc/messages.gen.ts';

/** One entry of the profile type menu. */
export interface ProfileTypeOption {
  /** The string form, which is before the matchers in a query. */
  readonly value: string;
  /** Name of the measured quantity: "CPU time", "Memory in use". */
  readonly label: string;
  /** Name of the profile that the type belongs to; the menu groups entries by it. */
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

/** Types that open by default, best first. */
const preferred: readonly RegExp[] = [
  /^process_cpu:cpu:.*:delta$/,
  /^parca_agent:samples:.*:delta$/,
  /^parca_agent_cpu:.*:delta$/,
  /^process_cpu:.*:delta$/,
  /:cpu:nanoseconds:.*:delta$/,
];

/** `name:sample_type:sample_unit:period_type:period_unit[:delta]`. */
function profileTypeText(type: ProfileTypeMessage): string {
  const { name, sampleType, sampleUnit, periodType, periodUnit, delta } = type;
  const parts = [name, sampleType, sampleUnit, periodType, periodUnit];
  return parts.join(':') + (delta ? ':delta' : '');
}

/** Returns the menu's entries: well-known types first, the rest by name. */
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
 * Returns the type to show first: process CPU, then the agent's samples, then any; undefined if
 * none.
 */
export function bestProfileType(types: readonly string[]): string | undefined {
  for (const pattern of preferred) {
    const found = types.filter((type) => pattern.test(type)).sort()[0];
    if (found !== undefined) return found;
  }
  // Bytes say more than numbers of objects, which are before them in the alphabet.
  return [...types]
    .filter((type) => !isOfScrapes(type))
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))[0];
}

/** Entry of the menu: a type, or several that are one answer. */
export interface TypeChoice {
  /** String with which the query then begins. */
  readonly value: string;
  readonly label: string;
  readonly group: string;
  /** Full names of all its types. */
  readonly types: readonly string[];
}

/**
 * Returns an entry for each meaning: types of one name that the server resolves to the same measure
 * share one, such as the memory in use of Go and of Node. Other types of one name show the part
 * that differs.
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

/** Returns true if a type is a result of scrapes, which a server has before any profile. */
export function isOfScrapes(type: string): boolean {
  return type.startsWith('scrape:');
}
