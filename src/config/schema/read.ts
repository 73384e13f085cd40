// Readers: small functions of which the schema of the config file is composed.
import { isLabelName } from '../../model/labels.ts';
import { parseByteSize } from '../../base/text/byte-size.ts';
import { parseDuration } from '../../base/text/duration.ts';
import { AppError, errorMessage } from '../../base/errors.ts';
import { nearest } from '../../base/text/nearest.ts';
import type { Place } from './place.ts';

/** The result of a reader that has reported a problem. */
export const invalid: unique symbol = Symbol('invalid');

/** Function that returns the value of a node, or reports a mistake and returns `invalid`. */
export type Reader<T> = (place: Place) => T | typeof invalid;

/** One key of a record. */
export interface Field<T> {
  readonly read: Reader<T>;
  /** Default of a key that is absent or empty; required keys have none. */
  readonly absent?: () => T;
}

/** The keys of a record. */
export type Fields = Readonly<Record<string, Field<unknown>>>;
/** The values of a record. */
export type RecordOf<F extends Fields> = {
  readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never;
};

/** Declares a key that must be present. */
export function required<T>(read: Reader<T>): Field<T> {
  return { read };
}

/** Declares a key with a default. */
export function optional<T, const D>(read: Reader<T>, absent: D): Field<T | D> {
  return { read, absent: () => absent };
}

/** Reads any scalar as a string. As in Parca, numbers and booleans are read as they are written. */
export const text: Reader<string> = (place) => {
  const scalar = place.scalar();
  return scalar === undefined || place.isEmpty() ? refuse(place, 'a text') : scalar.text;
};

/** Reads a string that must not be shown. */
export const secret: Reader<string> = (place) => {
  place.markSecret();
  const scalar = place.scalar();
  if (scalar !== undefined && !place.isEmpty()) return scalar.text;
  place.report(`expected a text, got ${place.describe(true)}`);
  return invalid;
};

export const nonEmptyText: Reader<string> = refine(text, (value, place) =>
  value === '' ? refuse(place, 'a text that is not empty') : value,
);

/**
 * Reads a name. `what` describes it in messages; `findMistake` returns the reason why a name is
 * refused.
 */
export function named(
  what: string,
  findMistake: (name: string) => string | undefined,
): Reader<string> {
  return refine(nonEmptyText, (name, place) => {
    const mistake = findMistake(name);
    if (mistake === undefined) return name;
    place.report(`cannot use ${what} ${JSON.stringify(name)}: ${mistake}`);
    return invalid;
  });
}

export const boolean: Reader<boolean> = (place) => {
  const value = place.scalar()?.value;
  return typeof value === 'boolean' ? value : refuse(place, 'true or false');
};

/** Reads an integer from `min` to `max`. */
export function integer(min: number, max: number): Reader<number> {
  return (place) => {
    const value = place.scalar()?.value;
    const isGood = typeof value === 'number' && Number.isInteger(value);
    if (isGood && value >= min && value <= max) return value;
    return refuse(place, `a whole number from ${min} to ${max}`);
  };
}

/** Reads a number above 0 and below 1. */
export const fraction: Reader<number> = (place) => {
  const value = place.scalar()?.value;
  return typeof value === 'number' && value > 0 && value < 1
    ? value
    : refuse(place, 'a number above 0 and below 1');
};

/** Reads a duration such as 1m30s, in milliseconds. */
export const duration: Reader<number> = (place) => {
  const scalar = place.scalar();
  if (scalar === undefined || place.isEmpty()) return refuse(place, 'a duration such as 10s');
  return readChecked(place, () => parseDuration(scalar.text));
};

function readChecked<T>(place: Place, read: () => T): T | typeof invalid {
  try {
    return read();
  } catch (error) {
    place.report(errorMessage(error));
    return invalid;
  }
}

/** Reads a size such as 64MB, in bytes; 0 = no limit. */
export const byteSize: Reader<number> = (place) => {
  const scalar = place.scalar();
  if (scalar === undefined || place.isEmpty()) return refuse(place, 'a size such as 64MB');
  return readChecked(place, () => parseByteSize(scalar.text));
};

export const positiveDuration: Reader<number> = refine(duration, (millis, place) =>
  millis > 0 ? millis : refuse(place, 'a duration above 0'),
);

/** Reads one of a few words. */
export function readWord<const T extends string>(words: readonly T[]): Reader<T> {
  return (place) => {
    const given = place.scalar()?.text ?? '';
    const word = words.find((it) => it === given);
    return word ?? refuse(place, `one of ${words.join(', ')}`);
  };
}

export function list<T>(readItem: Reader<T>): Reader<readonly T[]> {
  return (place) => {
    const items = place.items();
    if (items === undefined) return refuse(place, 'a list');
    return allValid(items.map(readItem));
  };
}

/**
 * Reads a map whose keys the user chooses, in the order of the file. `findMistake` returns the
 * reason why a key is refused.
 */
export function readMap<T>(
  readValue: Reader<T>,
  findMistake: (key: string) => string | undefined = () => undefined,
): Reader<ReadonlyMap<string, T>> {
  return (place) => {
    const entries = place.entries();
    if (entries === undefined) return refuse(place, 'a map');
    const pairs = entries.map(({ key, keyOffset, place: at }): [string, T] | typeof invalid => {
      const mistake = findMistake(key);
      if (mistake !== undefined) at.report(mistake, keyOffset);
      const value = readValue(at);
      return value === invalid ? invalid : [key, value];
    });
    const valid = allValid(pairs);
    return valid === invalid ? invalid : new Map(valid);
  };
}

/** Keys that Parca supports and this server does not. */
export type NotSupported = readonly string[];

/** Reports keys that contradict each other. `given` has only the keys without mistakes. */
export type Check<F extends Fields> = (given: Partial<RecordOf<F>>, place: Place) => void;

/**
 * Reads a map with known keys. The message for an unknown key suggests the most similar known key.
 */
export function record<const F extends Fields>(
  fields: F,
  notSupported: NotSupported = [],
  check: Check<F> = () => undefined,
): Reader<RecordOf<F>> {
  return (place) => {
    const entries = place.entries();
    if (entries === undefined) return refuse(place, 'a map');
    const values = new Map<string, unknown>();
    const seen = new Set<string>();
    for (const { key, keyOffset, place: at } of entries) {
      seen.add(key);
      const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
      if (field !== undefined) values.set(key, readField(field, at));
      else {
        values.set(key, invalid);
        place.report(unknownKey(key, Object.keys(fields), notSupported), keyOffset, at.path);
      }
    }
    for (const [key, { absent }] of Object.entries(fields)) {
      if (seen.has(key)) continue;
      if (absent === undefined) place.report(`${key} is missing`);
      values.set(key, absent === undefined ? invalid : absent());
    }
    const readable = [...values].filter(([, value]) => value !== invalid);
    // Each value has the type that F has for its key, because the loops above have read it.
    check(Object.fromEntries(readable) as Partial<RecordOf<F>>, place);
    const isValid = readable.length === values.size;
    return isValid ? (Object.fromEntries(values) as RecordOf<F>) : invalid;
  };
}

function readField(field: Field<unknown>, place: Place): unknown {
  return place.isEmpty() && field.absent !== undefined ? field.absent() : field.read(place);
}

function unknownKey(key: string, known: readonly string[], notSupported: NotSupported): string {
  if (notSupported.includes(key)) return 'not supported yet';
  const near = nearest(key, known);
  // The ways to find targets are too many to list, so they are shortened to one pattern.
  const short = new Set(known.map((name) => name.replace(/^.*_sd_configs$/, '*_sd_configs')));
  return near === undefined
    ? `unknown key, expected one of ${[...short].join(', ')}`
    : `unknown key, did you mean ${near}?`;
}

/** Returns a reader that also checks or converts the value. */
export function refine<T, U>(
  read: Reader<T>,
  next: (value: T, place: Place) => U | typeof invalid,
): Reader<U> {
  return (place) => {
    const value = read(place);
    if (value === invalid) return invalid;
    try {
      return next(value, place);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      place.report(error.message);
      return invalid;
    }
  };
}

/** Reports the expected value and the actual one. */
export function refuse(place: Place, expected: string): typeof invalid {
  place.report(`expected ${expected}, got ${place.describe()}`);
  return invalid;
}

function allValid<T>(values: readonly (T | typeof invalid)[]): readonly T[] | typeof invalid {
  const valid = values.filter((value): value is T => value !== invalid);
  return valid.length === values.length ? valid : invalid;
}

/** Returns why a string is not a label name; undefined if it is valid. */
export function labelNameMistake(name: string): string | undefined {
  if (isLabelName(name)) return undefined;
  const expected = 'expected letters, digits and _, beginning with no digit';
  return `invalid label name ${JSON.stringify(name)}, ${expected}`;
}

/** Reads a label name. */
export const labelName: Reader<string> = refine(text, (name, place) => {
  const mistake = labelNameMistake(name);
  if (mistake === undefined) return name;
  place.report(mistake);
  return invalid;
});

/**
 * Calls `report` for each item of a list whose name is already taken. `key` is the key that has the
 * name. Afterwards, the names of all items are taken.
 */
export function reportTaken(
  list: Place | undefined,
  key: string,
  taken: Set<string>,
  report: (name: string, item: Place) => void,
): void {
  for (const item of list?.items() ?? []) {
    const name = item.find(key)?.scalar()?.text;
    if (name === undefined) continue;
    if (taken.has(name)) report(name, item);
    taken.add(name);
  }
}
