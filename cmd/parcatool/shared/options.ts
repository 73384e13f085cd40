// Parsed flags of a command.
import { formatNanos } from '../../../src/api/transport/json/time.ts';
import { parseGoDuration } from '../../../src/base/text/duration.ts';
import { parseInstant } from '../../../src/base/text/instant.ts';
import { type ClickHouseFlags, readClickHouse } from '../../clickhouse-flags.ts';
import { flag, type FlagValues, invalidFlag } from '../../flag-table.ts';
import { type CheckOptions, readCheckOptions } from './check-options.ts';
import type { ClientOptions } from './client.ts';
import { readRecordOptions, type RecordOptions } from './record-options.ts';
import type { TopOptions } from './top-table.ts';

/** Values of all flags. A flag that the command lacks has its initial value. */
export interface Options {
  readonly client: ClientOptions;
  /** Prints a progress line of a long command. */
  readonly note?: (line: string) => void;
  /** Start and end of the range in RFC 3339; "" = no bound. */
  readonly from: string;
  readonly to: string;
  /** Range of the base of a diff; "" = not given. */
  readonly baseFrom: string;
  readonly baseTo: string;
  readonly normalize: 'time' | 'total' | 'load' | 'none';
  /** Query for files; "" = the default. */
  readonly query: string;
  readonly format: string;
  readonly color: 'auto' | 'always' | 'never';
  readonly top: TopOptions;
  readonly match: readonly string[];
  readonly profileType: string;
  /** True to print names of types, too. */
  readonly withNames: boolean;
  /** Label `job` and name of pushed profiles; "" = not given. */
  readonly job: string;
  readonly name: string;
  /** Other labels of pushed profiles, name=value. */
  readonly labels: readonly string[];
  /** Kind of name that `users` searches for. */
  readonly kind: UserKind;
  readonly mark: MarkOptions;
  readonly deletes: DeleteOptions;
  /** File with the token for the source server of `import-from`; "" = none. */
  readonly sourceTokenFile: string;
  /** Scopes of a new token. */
  readonly scopes: readonly string[];
  /** File to write to; "" = the terminal. */
  readonly output: string;
  /** Folder to write to; "" = not given. */
  readonly target: string;
  /** Compression of Arrow files. */
  readonly compression: 'none' | 'lz4' | 'zstd';
  /** True if `data repair` may move files. */
  readonly apply: boolean;
  readonly clickHouse: ClickHouseFlags;
  readonly store: UploadOptions;
  readonly check: CheckOptions;
  readonly record: RecordOptions;
  /** Variables to replace in config files; undefined = none. */
  readonly variables: Readonly<Record<string, string | undefined>> | undefined;
}

/** Kinds of names that `users` searches for. */
const userKinds = ['function', 'package', 'pattern'] as const;

type UserKind = (typeof userKinds)[number];

/** Flags of `mark`. */
export interface MarkOptions {
  /** Time in RFC 3339; "now" by default. */
  readonly time: string;
  /** URL of the change; "" = none. */
  readonly link: string;
}

/** Flags of `delete`. */
export interface DeleteOptions {
  /** True to delete from the start of all data. */
  readonly all: boolean;
  readonly isDryRun: boolean;
  /** True to delete without confirmation. */
  readonly yes: boolean;
}

/**
 * Returns the parameters of the range. A bound that was not given is omitted; the range then starts
 * with the first profile or ends with the last profile.
 */
export function rangeParameters({
  from,
  to,
}: Pick<Options, 'from' | 'to'>): Record<string, string> {
  return { ...(from !== '' && { start: from }), ...(to !== '' && { end: to }) };
}

/** Flags of `debuginfo upload`. */
export interface UploadOptions {
  /** Address as host:port. */
  readonly address: string;
  readonly isInsecure: boolean;
  readonly skipsVerify: boolean;
  /** Kind of the file; "" = detected. */
  readonly type: string;
  /** Build id; "" = the build id in the file. */
  readonly buildId: string;
  readonly isForced: boolean;
  /** True to upload code and data, too. */
  readonly isWhole: boolean;
}

/** Flag of commands that read a config file. */
export const expandFlag = flag(
  'config-expand-env',
  'false',
  'Replace ${NAME} in the file by variables of the environment, as the flag of the server.',
);

/** Reads the flags of a command. Errors: AppError 'invalid-argument' with the name of the flag. */
export function readOptions(
  flags: FlagValues,
  formats: readonly string[],
  nowMillis: number,
): Options {
  const time = (name: string): string => parseTime(flags.text(name), nowMillis);
  return {
    client: {
      ...readServer(flags),
      timeoutMillis: timeout(flags),
      symbolizerWait: flags.text('symbolizer-wait'),
      bearerTokenFile: flags.text('bearer-token-file'),
      authorityFile: flags.text('ca-file'),
      clientCertFile: flags.text('client-cert-file'),
      clientKeyFile: flags.text('client-key-file'),
    },
    from: time('from'),
    to: time('to'),
    baseFrom: time('base-from'),
    baseTo: time('base-to'),
    normalize: flags.oneOf('normalize', ['time', 'total', 'load', 'none']),
    query: flags.text('query'),
    color: flags.oneOf('color', ['auto', 'always', 'never']),
    format: formats.length === 0 ? '' : flags.oneOf('format', formats),
    top: {
      by: flags.oneOf('by', ['function', 'line']),
      rowsMax: flags.count('top'),
      sort: flags.oneOf('sort', ['flat', 'cumulative']),
    },
    match: flags.all('match').filter((selector) => selector !== ''),
    profileType: flags.text('type'),
    withNames: flags.isOn('names'),
    job: flags.text('job'),
    name: flags.text('name'),
    labels: flags.all('label').filter((label) => label !== ''),
    sourceTokenFile: flags.text('source-bearer-token-file'),
    kind: flags.oneOf('kind', userKinds),
    mark: { time: time('time'), link: flags.text('link') },
    deletes: {
      all: flags.isOn('all'),
      isDryRun: flags.isOn('dry-run'),
      yes: flags.isOn('yes'),
    },
    scopes: flags.text('scopes').split(',').filter(Boolean),
    output: flags.text('output'),
    target: flags.text('target'),
    compression: flags.oneOf('compression', ['none', 'lz4', 'zstd']),
    apply: flags.isOn('apply'),
    clickHouse: readClickHouse(flags),
    store: readUploadOptions(flags),
    check: readCheckOptions(flags),
    record: readRecordOptions(flags),
    variables: flags.isOn('config-expand-env') ? process.env : undefined,
  };
}

function readUploadOptions(flags: FlagValues): UploadOptions {
  return {
    address: flags.text('store-address'),
    isInsecure: flags.isOn('insecure'),
    skipsVerify: flags.isOn('insecure-skip-verify'),
    type: flags.text('type'),
    buildId: flags.text('build-id'),
    isForced: flags.isOn('force'),
    isWhole: flags.isOn('no-extract'),
  };
}

/** Returns the server's URL without a login, and the login from the URL or from the flags. */
function readServer(flags: FlagValues): Pick<ClientOptions, 'url' | 'login'> {
  const url = serverUrl(flags.text('server'));
  const given = takeLogin(url);
  const user = flags.text('user') || given.user;
  const inAddress = given.password;
  const passwordFile = inAddress === '' ? flags.text('password-file') : '';
  const password = inAddress || (process.env['PARCA_PASSWORD'] ?? '');
  if (user !== '') return { url, login: { user, password, passwordFile } };
  if (passwordFile !== '') throw invalidFlag('--password-file needs --user');
  return { url };
}

/** Removes the login from a URL, and returns it; "" for a missing user or password. */
export function takeLogin(url: URL): { readonly user: string; readonly password: string } {
  const login = {
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
  };
  url.username = '';
  url.password = '';
  return login;
}

/** Parses a URL, or only host:port. `name` is the name of the flag in error messages. */
export function serverUrl(text: string, name = '--server or PARCA_ADDRESS'): URL {
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url;
  const form = 'an address such as http://localhost:7070';
  throw invalidFlag(`${name} must be ${form}, not ${JSON.stringify(text)}`);
}

function timeout(flags: FlagValues): number {
  const millis = flags.read('timeout', parseGoDuration);
  if (millis >= 1) return millis;
  throw invalidFlag(`--timeout must be longer than 0, not ${flags.text('timeout')}`);
}

/** Form of a duration. 15m and -15m both mean 15 minutes ago. */
const agoForm = /^-?((?:\d+(?:ms|[smhdwy]))+)$/;

/** Form of a time of day: 12:31 or 12:31:05. */
const clockForm = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/;

/**
 * Returns the last time at which local clocks showed this time of day, in milliseconds since 1970.
 */
function lastTimeAt(hours: number, minutes: number, seconds: number, nowMillis: number): number {
  const time = new Date(nowMillis);
  time.setHours(hours, minutes, seconds, 0);
  // Subtracts a day of the calendar, because days can have 23 or 25 hours.
  if (time.getTime() > nowMillis) time.setDate(time.getDate() - 1);
  return time.getTime();
}

/** Parses a time, and returns it in RFC 3339; "" for "". */
function parseTime(text: string, nowMillis: number): string {
  if (text === '') return '';
  const clock = clockForm.exec(text);
  if (clock !== null) {
    const [hours, minutes, seconds] = clock.slice(1).map((part) => Number(part ?? 0));
    return formatNanos(BigInt(lastTimeAt(hours, minutes, seconds, nowMillis)) * 1_000_000n);
  }
  return formatNanos(parseInstant(text.replace(agoForm, 'now-$1'), nowMillis));
}
