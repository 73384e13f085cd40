// Formats amounts for sentences: two digits, a unit, and a verb.
import type { ProfileType, ValueType } from '../model/profile-type.ts';

/** Time, or number of snapshots, that a side covers. It turns totals into rates or averages. */
export interface Covered {
  readonly durationNanos: bigint;
  readonly snapshots: number;
}

/** Format for values of a type. */
export interface Quantity {
  /** "uses" for CPU time, "holds" for memory in use. */
  readonly verb: string;
  /** Returns the divisor for the totals of `side`; by default of the compared side. */
  readonly divisorOf: (side?: Covered) => number;
  /** Formats a value after the division, and its error: "0.37 ± 0.04 cores". */
  readonly format: (value: number, error?: number) => string;
}

const waitingTypes = new Set(['delay', 'contentions', 'wall', 'off_cpu', 'offcpu', 'block']);
const nouns: ReadonlyMap<string, string> = new Map([
  ['inuse_objects', 'objects'],
  ['alloc_objects', 'objects'],
  ['goroutine', 'goroutines'],
  ['sample', 'samples'],
]);

const narrow = '\u202f';
const byteUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
const timeUnits = ['ns', '\u00b5s', 'ms', 's'];
const countUnits = ['', 'k', 'M', 'G', 'T'];

/** Returns the format for values of a type; totals cover the time of `compared`. */
export function quantityOf(
  { sample }: Pick<ProfileType, 'sample'>,
  { unit }: ValueType,
  compared: Covered,
): Quantity {
  const isState = compared.snapshots > 0;
  const isRate = !isState && compared.durationNanos > 0n;
  const divisorOf = (side: Covered = compared): number => {
    if (isState) return side.snapshots || 1;
    return isRate ? Number(side.durationNanos) / 1e9 || 1 : 1;
  };
  const { verb, units } = describe(sample.type, unit, isState, isRate);
  const format = (value: number, error?: number): string => {
    const isReached = ([, size, least = 1]: Units[number]): boolean =>
      Math.abs(value) >= size * least * roundsUp;
    const [name, size] = units.findLast(isReached) ?? units[0];
    const rest = error === undefined ? '' : ` ± ${digits(error / size, 1)}`;
    return `${digits(value / size)}${rest}${name === '' ? '' : narrow}${name}`;
  };
  return { verb, divisorOf, format };
}

/**
 * Units from small to large, each with its size and the smallest number that is written in it.
 */
type Units = readonly (readonly [name: string, size: number, least?: number])[];

/** Fraction of a unit from which a value is written in that unit, because it rounds to 1.0. */
const roundsUp = 0.995;

function describe(
  type: string,
  unit: string,
  isState: boolean,
  isRate: boolean,
): { readonly verb: string; readonly units: Units } {
  const after = isRate ? '/s' : '';
  if (unit === 'nanoseconds') {
    const isWaiting = waitingTypes.has(type);
    const verb = isWaiting ? 'waits' : 'uses';
    if (!isRate) return { verb, units: scaled(timeUnits, 1_000) };
    return { verb, units: isWaiting ? [['s/s', 1e9]] : coreUnits };
  }
  if (unit === 'bytes') {
    const units = scaled(
      byteUnits.map((name) => name + after),
      1_024,
    );
    return { verb: isState ? 'holds' : 'allocates', units };
  }
  const noun = (nouns.get(type) ?? type) + after;
  const names = countUnits.map((prefix) => (prefix === '' ? noun : `${prefix}${narrow}${noun}`));
  return { verb: isState ? 'has' : 'counts', units: scaled(names, 1_000) };
}

const coreUnits: Units = [
  ['mcores', 1e6],
  ['cores', 1e9, 0.1],
];

function scaled(names: readonly string[], base: number): Units {
  return names.map((name, i) => [name, base ** i]);
}

/** Formats a number with `count` significant digits, without an exponent. */
function digits(value: number, count = 2): string {
  const rounded = Number(value.toPrecision(count));
  const places =
    rounded === 0 ? 0 : Math.max(0, count - 1 - Math.floor(Math.log10(Math.abs(rounded))));
  return rounded.toFixed(Math.min(8, places));
}
