// Readers for the settings of discovery. The name of a setting is its key in camelCase.
import type { HttpClientConfig } from '../../config/config.ts';
import {
  checkHttpClient,
  credentialKeys,
  httpFields,
  readHttpClient,
} from '../../config/schema/http-schema.ts';
import type { Place } from '../../config/schema/place.ts';
import {
  type Check,
  type Field,
  type Fields,
  integer,
  list,
  nonEmptyText,
  optional,
  positiveDuration,
  type Reader,
  record,
  type RecordOf,
  refine,
  refuse,
  required,
} from '../../config/schema/read.ts';

/**
 * Name of a setting: the key `tag_separator` becomes tagSeparator, `refresh_interval` becomes
 * refreshMillis.
 */
type SettingName<Key extends string> = Key extends `${infer Name}_interval`
  ? `${SettingName<Name>}Millis`
  : Key extends `${infer First}_${infer Rest}`
    ? `${First}${Capitalize<SettingName<Rest>>}`
    : Key;

export type Settings<F extends Fields> = {
  readonly [Key in keyof F & string as SettingName<Key>]: F[Key] extends Field<infer T> ? T : never;
};

/** Address of the API that is polled. */
export interface ApiAddress {
  readonly url: string;
  /** Unix socket on which the API listens; "" = the host of `url`. */
  readonly socketPath: string;
}

/** Settings that every kind of discovery that polls an API has. */
export interface ApiSettings extends ApiAddress {
  readonly refreshMillis: number;
  readonly http: HttpClientConfig;
}

/** Reads a TCP port. */
export const port = integer(1, 65_535);

/** Keys that most kinds of discovery have. */
export const common = {
  port: optional(port, 80),
  refresh_interval: optional(positiveDuration, 60_000),
};

/** A condition on the objects of an API: a property must have one of the values. */
export interface Filter {
  readonly name: string;
  readonly values: readonly string[];
}

/** Reads a list of conditions by which an API selects objects. */
export const filterList: Reader<readonly Filter[]> = list(
  record({
    name: required(nonEmptyText),
    values: required(
      refine(list(nonEmptyText), (values, place) =>
        values.length > 0 ? values : refuse(place, 'at least one value'),
      ),
    ),
  }),
);

/** Reads the settings of a kind of discovery that has no HTTP settings. */
export function settings<const F extends Fields>(fields: F): Reader<Settings<F>> {
  return refine(record(fields), (given) => nameSettings(fields, given));
}

/** Reads the settings of a kind of discovery, together with the settings of its HTTP client. */
export function httpSettings<const F extends Fields>(
  fields: F,
  check: Check<F> = () => undefined,
): Reader<Settings<F> & { readonly http: HttpClientConfig }> {
  // The record also reads the keys of the kind, although its type has only the client's keys.
  const all = record<typeof httpFields>({ ...fields, ...httpFields }, [], (given, place) => {
    checkHttpClient(place);
    check(given as Partial<RecordOf<F>>, place);
  });
  return refine(all, (given) => ({ ...nameSettings(fields, given), http: readHttpClient(given) }));
}

/** Adds the address of the API to the settings; `find` returns the address. */
export function withUrl<T extends object>(
  read: Reader<T>,
  find: (given: T) => string,
): Reader<T & ApiAddress> {
  return refine(read, (given) => ({ ...given, url: find(given), socketPath: '' }));
}

/** Refuses credentials of the HTTP client, for a kind of discovery that logs in by itself. */
export function refuseCredentials(place: Place, expected: string): void {
  for (const { key, place: at } of place.entries() ?? []) {
    if (credentialKeys.includes(key) && !at.isEmpty()) at.report(`expected ${expected} instead`);
  }
}

function nameSettings<F extends Fields>(fields: F, given: object): Settings<F> {
  const values = new Map(Object.entries(given));
  const named = Object.keys(fields).map((key) => [settingName(key), values.get(key)] as const);
  return Object.fromEntries(named) as Settings<F>;
}

function settingName(key: string): string {
  return key
    .replace(/_interval$/, '_millis')
    .replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
