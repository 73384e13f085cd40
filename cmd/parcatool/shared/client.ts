// HTTP API client for the commands, and parsers for its JSON.
import { readFile } from 'node:fs/promises';
import { AppError, errorMessage } from '../../../src/base/errors.ts';
import { dividedBy } from '../../../src/base/int64.ts';
import { connectionFault } from '../../../src/base/connection-fault.ts';
import { undici } from '../../../src/http-client/undici.ts';
import { invalidFlag } from '../../flag-table.ts';

export interface ClientOptions {
  /** URL of the server, including its path prefix. */
  readonly url: URL;
  readonly timeoutMillis: number;
  /**
   * Longest time that a request may wait for symbolization, as a duration; "" or absent = the
   * server's default.
   */
  readonly symbolizerWait?: string;
  /** File with a token; "" or absent = none. */
  readonly bearerTokenFile?: string;
  /** User and password; absent = none. */
  readonly login?: Login;
  /**
   * File with certificate authorities to trust in addition to the system's authorities; "" or
   * absent = none.
   */
  readonly authorityFile?: string;
  /** Files with a client certificate and its key; "" or absent = none. */
  readonly clientCertFile?: string;
  readonly clientKeyFile?: string;
  /** Replaces requests over the network. */
  readonly fetch?: (url: URL) => Promise<Response>;
  /** Called with each message about missing data in a response. */
  readonly warn?: (sentence: string) => void;
}

/** A user and a password. */
export interface Login {
  readonly user: string;
  readonly password: string;
  /** File with the password, which is read on demand; "" = use `password`. */
  readonly passwordFile: string;
}

/** Query parameters. A list means that the parameter is repeated. */
export type Parameters = Readonly<Record<string, string | readonly string[]>>;

/** Method of a request. */
export type Method = 'GET' | 'POST' | 'DELETE';

/**
 * Returns the body of the response to `GET {url}{path}` (or POST, or DELETE).
 *
 * Errors: AppError 'unavailable' if the server cannot be reached, 'deadline-exceeded' if it does
 * not respond in time, 'not-found' and 'failed-precondition' with the server's message.
 */
export async function get(
  options: ClientOptions,
  path: string,
  parameters: Parameters,
  method: Method = 'GET',
): Promise<Uint8Array> {
  return ask(options, path, parameters, { method });
}

/** Calls a method with an encoded message through Connect. Errors: as in `get`. */
export async function call(
  options: ClientOptions,
  method: string,
  body: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array> {
  return ask(options, method, {}, { method: 'POST', body, contentType: 'application/proto' });
}

/** Sends `body` with `POST {url}{path}`, and returns the JSON response. Errors: as in `get`. */
export async function post(
  options: ClientOptions,
  path: string,
  parameters: Parameters,
  body: Uint8Array<ArrayBuffer>,
): Promise<unknown> {
  const answer = await ask(options, path, parameters, { method: 'POST', body });
  return parsed(options.url, new TextDecoder().decode(answer));
}

/** Parts of a request other than its URL. */
interface Sent {
  readonly method: Method;
  readonly body?: Uint8Array<ArrayBuffer>;
  readonly contentType?: string;
}

async function ask(
  options: ClientOptions,
  path: string,
  parameters: Parameters,
  { contentType, ...request }: Sent,
): Promise<Uint8Array> {
  const url = new URL(options.url);
  url.pathname = url.pathname.replace(/\/+$/, '') + path;
  for (const [name, values] of Object.entries(parameters)) {
    for (const value of [values].flat()) url.searchParams.append(name, value);
  }
  if (url.protocol === 'https:') await trustAuthorities(options.authorityFile ?? '');
  const type = contentType === undefined ? {} : { 'content-type': contentType };
  const headers = { ...(await requestHeaders(options)), ...type };
  const send = await createSender(options);
  const signal = AbortSignal.timeout(options.timeoutMillis);
  let status: number;
  let body: Uint8Array;
  let warnings: string | null;
  try {
    const response = await (options.fetch?.(url) ?? send(url, { ...request, headers, signal }));
    status = response.status;
    warnings = response.headers.get('parca-warnings');
    body = new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    throw await unreachable(options.url, error, signal.aborted);
  }
  if (status === 200 || status === 204) {
    if (warnings !== null) warnAll(options, parsed(options.url, warnings));
    return body;
  }
  const message = errorText(body);
  if (status === 401) {
    const hint = 'set --bearer-token-file to a file with a token, or --user and --password-file';
    throw new AppError('failed-precondition', `${message ?? 'cannot call the server'}: ${hint}`);
  }
  if (status === 404 && (message === undefined || message === 'Not Found')) {
    const why = 'it has no such path; does the address need its path prefix?';
    throw new AppError('unavailable', `cannot call ${options.url.href}: ${why}`);
  }
  if (message === undefined) {
    const why = `its answer ${status} is not from a Parca server`;
    throw new AppError('unavailable', `cannot call ${options.url.href}: ${why}`);
  }
  throw new AppError(status === 404 ? 'not-found' : 'failed-precondition', message);
}

/** Calls `get`, and parses the body as JSON. */
export async function getJson(
  options: ClientOptions,
  path: string,
  parameters: Parameters,
  method: Method = 'GET',
): Promise<unknown> {
  const body = await get(options, path, parameters, method);
  const json = parsed(options.url, new TextDecoder().decode(body));
  warnAll(options, field(json, 'warnings'));
  return json;
}

async function requestHeaders(options: ClientOptions): Promise<Record<string, string>> {
  const { symbolizerWait = '' } = options;
  const authorization = await readAuthorization(options);
  return {
    ...(symbolizerWait !== '' && { 'parca-symbolizer-wait': symbolizerWait }),
    ...(authorization !== undefined && { authorization }),
  };
}

/** Returns the header with the credentials; undefined without a token or a user. */
export async function readAuthorization({
  bearerTokenFile = '',
  login,
}: ClientOptions): Promise<string | undefined> {
  if (login !== undefined && bearerTokenFile !== '') {
    throw invalidFlag('--bearer-token-file and --user exclude each other');
  }
  if (bearerTokenFile !== '') return `Bearer ${await readText(bearerTokenFile)}`;
  if (login === undefined) return undefined;
  const { user, passwordFile } = login;
  const password = passwordFile === '' ? login.password : await readText(passwordFile);
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** Returns `fetch`, with a client certificate if there is one. */
async function createSender({
  clientCertFile = '',
  clientKeyFile = '',
}: ClientOptions): Promise<(url: URL, init: RequestInit) => Promise<Response>> {
  if (clientCertFile === '' && clientKeyFile === '') return fetch;
  if (clientCertFile === '' || clientKeyFile === '') {
    const message = '--client-cert-file and --client-key-file belong together';
    throw invalidFlag(message);
  }
  const [cert, key] = [await readText(clientCertFile), await readText(clientKeyFile)];
  const { Agent, fetch: fetchBy } = undici();
  const dispatcher = new Agent({ connect: { cert, key } });
  return async (url, init) => {
    const answer: unknown = await fetchBy(url, { ...(init as object), dispatcher });
    return answer as Response;
  };
}

async function readText(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    throw new AppError('failed-precondition', `cannot read ${file}: ${errorMessage(error)}`, {
      cause: error,
    });
  }
}

/**
 * Trusts the system's certificate authorities, and the authorities in `file` unless it is "".
 * Loading them takes 0.1 s, so this is done only for TLS.
 */
async function trustAuthorities(file: string): Promise<void> {
  const { getCACertificates, setDefaultCACertificates } = await import('node:tls');
  const own = file === '' ? [] : [await readText(file)];
  const all = [...getCACertificates('default'), ...getCACertificates('system'), ...own];
  setDefaultCACertificates([...new Set(all)]);
}

function parsed(url: URL, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = `cannot call ${url.href}: its answer is not JSON`;
    throw new AppError('unavailable', message, { cause: error });
  }
}

function warnAll({ warn }: ClientOptions, warnings: unknown): void {
  for (const sentence of readList(warnings)) warn?.(readString(sentence));
}

/** Returns a value divided by a positive number, rounded to the nearest integer. */
export function divided(value: bigint, divisor: number): bigint {
  return divisor === 1 ? value : dividedBy(BigInt64Array.of(value), divisor)[0];
}

/** Messages for error codes of the system and of OpenSSL. Other codes are shown as they are. */
const reasons: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'no server listens there'],
  ['UND_ERR_SOCKET', 'the server closed the connection'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'it speaks without TLS: try http://'],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', 'it speaks without TLS: try http://'],
  ['ENOTFOUND', 'the name of the host is unknown'],
  ['CERT_HAS_EXPIRED', 'its certificate has expired'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for other names'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate has no known authority: see --ca-file'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'its certificate has no known authority: see --ca-file'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'its certificate has no known authority: see --ca-file'],
]);

async function unreachable(url: URL, error: unknown, isLate: boolean): Promise<AppError> {
  if (isLate) {
    const message = `cannot call ${url.href}: no answer within --timeout`;
    return new AppError('deadline-exceeded', message, { cause: error });
  }
  // The error message of fetch is only "fetch failed". The error's cause has the system's error
  // code.
  const cause = error instanceof Error ? error.cause : undefined;
  const hasCode = typeof cause === 'object' && cause !== null && 'code' in cause;
  const code = hasCode ? String(cause.code) : '';
  const text = reasons.get(code) ?? connectionFault(code || errorMessage(cause ?? error))?.text;
  let why = text === undefined ? code || errorMessage(cause ?? error) : `${text} (${code})`;
  if (code === 'UND_ERR_SOCKET' && url.protocol === 'http:') {
    const { speaksTls } = await import('../../../src/base/node/speaks-tls.ts');
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (await speaksTls(host, Number(url.port || 80))) why = 'it speaks TLS: try https://';
  }
  return new AppError('unavailable', `cannot reach ${url.href}: ${why}`, { cause: error });
}

/** Returns the message in an error response; undefined if the body has another format. */
function errorText(body: Uint8Array): string | undefined {
  try {
    const json: unknown = JSON.parse(new TextDecoder().decode(body));
    if (typeof json !== 'object' || json === null || !('message' in json)) return undefined;
    return typeof json.message === 'string' ? json.message : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the value of a nested field, which is given by a path of names; undefined if there is no
 * such field.
 */
export function field(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = new Map<string, unknown>(Object.entries(found)).get(name);
  }
  return found;
}

export function readString(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function readList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Parses an int64, which the API returns as a string. */
export function readInt64(value: unknown): bigint {
  return /^-?\d+$/.test(readString(value)) ? BigInt(readString(value)) : 0n;
}
