// An HTTP client from the config: connections, TLS and credentials.
import { isDeepStrictEqual } from 'node:util';
import type { Dispatcher } from 'undici';
import type { Clock } from '../base/clock.ts';
import { AppError, errorMessage } from '../base/errors.ts';
import type { Files } from '../base/files.ts';
import {
  type CredentialsConfig,
  type HttpClientConfig,
  type OAuth2Config,
  plainHttpClient,
  type ProxyConfig,
} from '../config/config.ts';
import { type TextSource, type TlsConfig, readTextSource } from '../config/text-source.ts';
import { OAuth2Token } from './oauth2-token.ts';
import { readBody } from './read-body.ts';
import { undici } from './undici.ts';

/** Connections and credentials that all requests of a job, or of a discovery, use. */
export interface HttpClient {
  /**
   * Sends requests. After a call to `headers()`, new connections use the current content of TLS
   * files.
   */
  readonly dispatcher: Dispatcher;
  /** String that is equal for clients with the same settings; it contains secrets. */
  readonly fingerprint: string;
  /**
   * Returns the headers for the next request. Files of credentials and of TLS are read again,
   * because they may have been replaced.
   *
   * Errors: AppError 'failed-precondition' when a file cannot be read, or when a token server sends
   * no token.
   */
  headers(): Promise<Readonly<Record<string, string>>>;
  /** Drops all connections. */
  close(): Promise<void>;
}

interface HttpClientOptions {
  readonly config: HttpClientConfig;
  readonly intervalMillis: number;
  readonly userAgent: string;
  readonly files: Pick<Files, 'read'>;
  readonly clock: Clock;
  /** Unix socket for all connections; "" = connections go to the hosts of the URLs. */
  readonly socketPath?: string;
  /** Limits of the connections to each server; undefined = the limits for scrapes. */
  readonly connections?: ConnectionLimits;
}

export interface ConnectionLimits {
  /** Milliseconds after which a connection without requests is closed. */
  readonly idleMillis: number;
  readonly connectMillis: number;
  readonly countMax: number;
}

/** Milliseconds in which a server must accept a connection; a slower server counts as down. */
const connectTimeoutMillis = 5_000;
/** Milliseconds by which a connection without requests outlives the pause between two requests. */
const keepAliveMarginMillis = 5_000;
/** Maximum number of redirects that a request may follow, as in Go. */
const redirectsMax = 10;
/**
 * Longest time in milliseconds for which undici keeps an idle connection. At longer intervals,
 * clients connect again.
 */
const keepAliveMillisMax = 600_000;
/** Milliseconds after which TLS files are checked again. In between, requests share one check. */
const tlsFreshMillis = 1_000;
/**
 * Longest time in milliseconds to get an OAuth 2.0 token, and largest size of the answer in bytes.
 */
const tokenMillisMax = 30_000;
const tokenBytesMax = 1_048_576;

/**
 * Creates a client and reads its TLS files. Its connections stay open for pauses of
 * `intervalMillis`.
 *
 * Errors: AppError 'failed-precondition' if a TLS file cannot be read.
 */
export async function createHttpClient(options: HttpClientOptions): Promise<HttpClient> {
  const { tls } = options.config;
  return new Client(options, tls === undefined ? {} : await readTls(tls, options.files));
}

class Client implements HttpClient {
  readonly fingerprint: string;
  readonly #options: HttpClientOptions;
  readonly #token: OAuth2Token | undefined;
  #tls: object;
  #tlsReadMillis: number;
  #agent: Dispatcher;
  /** Agents that still use earlier certificates, until their last requests end. */
  readonly #ending = new Set<Dispatcher>();

  constructor(options: HttpClientOptions, tls: object) {
    const { config, clock, files, userAgent } = options;
    this.#options = options;
    this.#tls = tls;
    this.#tlsReadMillis = clock.monotonicMillis();
    this.#agent = createAgent(options, tls);
    const { credentials } = config;
    this.#token =
      credentials?.kind === 'oauth2'
        ? new OAuth2Token(credentials, files, clock, (...form) =>
            postForm({ ...options, config: tokenClientConfig(credentials) }, ...form),
          )
        : undefined;
    const replacer = (_: string, value: unknown): unknown =>
      value instanceof Map ? [...value] : value;
    this.fingerprint = JSON.stringify([config, keepAliveMillis(options), userAgent], replacer);
  }

  get dispatcher(): Dispatcher {
    if (!this.#options.config.followRedirects) return this.#agent;
    return this.#agent.compose(undici().interceptors.redirect({ maxRedirections: redirectsMax }));
  }

  async headers(): Promise<Readonly<Record<string, string>>> {
    await this.#renewTls();
    const { config, files, userAgent } = this.#options;
    const { credentials, headers } = config;
    return {
      ...(await readHeaders(headers, files)),
      'user-agent': userAgent,
      ...(credentials && { authorization: await this.#authorization(credentials) }),
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.#agent, ...this.#ending].map((agent) => agent.destroy()));
  }

  /** If certificate files have changed, uses the new certificates for later connections. */
  async #renewTls(): Promise<void> {
    const { config, clock, files } = this.#options;
    const { tls } = config;
    if (tls === undefined || ![tls.ca, tls.cert, tls.key].some((source) => source?.kind === 'file'))
      return;
    const now = clock.monotonicMillis();
    if (now - this.#tlsReadMillis < tlsFreshMillis) return;
    this.#tlsReadMillis = now;
    const read = await readTls(tls, files);
    if (isDeepStrictEqual(read, this.#tls)) return;
    const old = this.#agent;
    this.#tls = read;
    this.#agent = createAgent(this.#options, read);
    this.#ending.add(old);
    void old.close().finally(() => this.#ending.delete(old));
  }

  async #authorization(credentials: CredentialsConfig): Promise<string> {
    const { files } = this.#options;
    if (credentials.kind === 'token') {
      return `${credentials.type} ${await readCredential(credentials.token, files)}`;
    }
    if (credentials.kind === 'oauth2') return `Bearer ${await this.#token?.get()}`;
    const username = await readCredential(credentials.username, files);
    const password = await readCredential(credentials.password, files);
    return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  }
}

function keepAliveMillis({ intervalMillis }: HttpClientOptions): number {
  return Math.min(intervalMillis + keepAliveMarginMillis, keepAliveMillisMax);
}

function createAgent(options: HttpClientOptions, tls: object): Dispatcher {
  const { config, socketPath = '', connections } = options;
  const { Agent, EnvHttpProxyAgent } = undici();
  const keepAlive = connections?.idleMillis ?? keepAliveMillis(options);
  const settings = {
    connections: connections?.countMax ?? null,
    // The number of requests needs no limit here, because each scrape loop sends at most one
    // request at a time.
    pipelining: 1,
    allowH2: config.http2,
    keepAliveTimeout: keepAlive,
    keepAliveMaxTimeout: keepAlive,
    connect: {
      timeout: connections?.connectMillis ?? connectTimeoutMillis,
      ...tls,
      ...(socketPath === '' ? {} : { socketPath }),
    },
  };
  if (config.proxy === undefined) return new Agent(settings);
  return new EnvHttpProxyAgent({ ...settings, requestTls: tls, ...proxyOptions(config.proxy) });
}

function proxyOptions(proxy: ProxyConfig): object {
  const headers = [...proxy.headers].map(([name, values]) => [
    name.toLowerCase(),
    values.map((value) => (value.kind === 'inline' ? value.text : '')).join(', '),
  ]);
  // As in curl and Go, the proxy gets the complete URL of a plain HTTP request. Only requests over
  // TLS go through a tunnel.
  const way = { proxyTunnel: false, headers: Object.fromEntries(headers) as object };
  if (proxy.kind === 'environment') return way;
  return { ...way, httpProxy: proxy.url, httpsProxy: proxy.url, noProxy: proxy.noProxy };
}

function tokenClientConfig({ tls, proxy }: OAuth2Config): HttpClientConfig {
  return { ...plainHttpClient, tls, proxy };
}

/** Sends a form with a client of its own, because tokens are rarely requested. */
async function postForm(
  options: HttpClientOptions,
  url: string,
  form: URLSearchParams,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly text: string }> {
  const client = await createHttpClient({ ...options, socketPath: '' });
  try {
    const { origin, pathname, search } = new URL(url);
    const { statusCode, body } = await client.dispatcher.request({
      origin,
      path: pathname + search,
      method: 'POST',
      headers: {
        ...(await client.headers()),
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      },
      body: form.toString(),
      signal: AbortSignal.timeout(tokenMillisMax),
    });
    const bytes = await readBody(body, tokenBytesMax);
    return { status: statusCode, text: Buffer.from(bytes ?? []).toString() };
  } catch (error) {
    const why = `cannot get a token (oauth2): ${errorMessage(error)}`;
    throw new AppError('failed-precondition', why, { cause: error });
  } finally {
    await client.close();
  }
}

async function readHeaders(
  headers: HttpClientConfig['headers'],
  files: Pick<Files, 'read'>,
): Promise<Record<string, string>> {
  const read: Record<string, string> = {};
  for (const [name, sources] of headers) {
    const values = await Promise.all(sources.map((source) => readCredential(source, files)));
    read[name.toLowerCase()] = values.join(', ');
  }
  return read;
}

/** Reads a credential. Errors: AppError 'failed-precondition' when its file cannot be read. */
async function readCredential(source: TextSource, files: Pick<Files, 'read'>): Promise<string> {
  try {
    return await readTextSource(source, files);
  } catch (error) {
    const why = `cannot read credentials: ${errorMessage(error)}`;
    throw new AppError('failed-precondition', why, { cause: error });
  }
}

/**
 * Reads the TLS files, and returns options for `tls.connect`.
 *
 * Errors: AppError 'failed-precondition' when a file cannot be read.
 */
export async function readTls(tls: TlsConfig, files: Pick<Files, 'read'>): Promise<TlsOptions> {
  const read = async (source: TextSource | undefined): Promise<string | undefined> => {
    if (source === undefined) return undefined;
    try {
      return await readTextSource(source, files);
    } catch (error) {
      const message = `cannot set up TLS: ${errorMessage(error)}`;
      throw new AppError('failed-precondition', message, { cause: error });
    }
  };
  const options = {
    ca: await read(tls.ca),
    cert: await read(tls.cert),
    key: await read(tls.key),
    servername: tls.serverName === '' ? undefined : tls.serverName,
    minVersion: tls.minVersion,
    maxVersion: tls.maxVersion,
  };
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { rejectUnauthorized: !tls.insecureSkipVerify, ...Object.fromEntries(given) };
}

type TlsOptions = { readonly rejectUnauthorized: boolean };
