// The flags of a command as values.
import { formatNanos } from '../../src/api/json/time.ts';
import { parseGoDuration } from '../../src/base/duration.ts';
import { parseInstant } from '../../src/base/instant.ts';
import { type FlagValues, invalidFlag, oneOf, toggle } from '../flag-table.ts';
import type { ClientOptions } from './client.ts';
import type { TopOptions } from './top-table.ts';

/** Flags that a command does not have are empty, or as if they were not given. */
export interface Options {
  readonly client: ClientOptions;
  /** RFC 3339; "" = no bound. */
  readonly from: string;
  readonly to: string;
  /** Of the base of a comparison; "" = not given. */
  readonly baseFrom: string;
  readonly baseTo: string;
  readonly normalize: 'time' | 'total' | 'none';
  /** Which profiles of files; "" = the default. */
  readonly query: string;
  readonly format: string;
  readonly color: 'auto' | 'always' | 'never';
  readonly top: TopOptions;
  readonly match: readonly string[];
  readonly profileType: string;
  /** Label `job` and name of what is pushed; "" = not given. */
  readonly job: string;
  readonly name: string;
  /** Other labels of what is pushed, name=value. */
  readonly labels: readonly string[];
  /** "" = the terminal. */
  readonly output: string;
  /** A folder to be written; "" = not given. */
  readonly target: string;
  /** Whether what would be done is done. */
  readonly apply: boolean;
}

/** Errors: AppError 'invalid-argument' naming the flag. */
export function readOptions(
  flags: FlagValues,
  formats: readonly string[],
  nowMillis: number,
): Options {
  const given = (name: string, otherwise: string): string => flags.last(name) || otherwise;
  return {
    client: {
      url: serverUrl(given('server', 'http://localhost:7070')),
      timeoutMillis: timeout(given('timeout', '1m')),
    },
    from: time(flags.last('from'), nowMillis),
    to: time(flags.last('to'), nowMillis),
    baseFrom: time(flags.last('base-from'), nowMillis),
    baseTo: time(flags.last('base-to'), nowMillis),
    normalize: oneOf('normalize', given('normalize', 'time'), ['time', 'total', 'none']),
    query: flags.last('query'),
    color: oneOf('color', given('color', 'auto'), ['auto', 'always', 'never']),
    format: formats.length === 0 ? '' : oneOf('format', flags.last('format'), formats),
    top: {
      rowsMax: count('top', given('top', '0')),
      sort: oneOf('sort', given('sort', 'flat'), ['flat', 'cumulative']),
    },
    match: flags.all('match').filter((selector) => selector !== ''),
    profileType: flags.last('type'),
    job: flags.last('job'),
    name: flags.last('name'),
    labels: flags.all('label').filter((label) => label !== ''),
    output: flags.last('output'),
    target: flags.last('target'),
    apply: toggle('apply', given('apply', 'false')),
  };
}

/** host:port is enough. */
function serverUrl(text: string): URL {
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url;
  const form = 'an address such as http://localhost:7070';
  throw invalidFlag(`--server or PARCA_ADDRESS must be ${form}, not ${JSON.stringify(text)}`);
}

function timeout(text: string): number {
  const millis = parseGoDuration(text);
  if (millis < 1) throw invalidFlag(`--timeout must be longer than 0, not ${text}`);
  return millis;
}

/** A duration alone, 15m, is that long ago. */
const agoForm = /^(?:\d+(?:ms|[smhdwy]))+$/;

function time(text: string, nowMillis: number): string {
  if (text === '') return '';
  return formatNanos(parseInstant(agoForm.test(text) ? `now-${text}` : text, nowMillis));
}

function count(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw invalidFlag(`--${name} must be a number from 0, not ${JSON.stringify(text)}`);
}
