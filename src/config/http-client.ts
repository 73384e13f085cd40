// An HTTP client as the config describes it: connections, TLS and credentials.
import type { Dispatcher } from 'undici';
import { AppError, errorMessage } from '../base/errors.ts';
import type { Files } from '../base/files.ts';
import { undici } from '../base/node/undici.ts';
import {
  type CredentialsConfig,
  type HttpClientConfig,
  type ProxyConfig,
  type TextSource,
  type TlsConfig,
  readTextSource,
} from './config.ts';

/** Connections and credentials that the requests of a job, or of a discovery, share. */
export interface HttpClient {
  readonly dispatcher: Dispatcher;
  /** Equal for clients that do the same; contains secrets. */
  readonly fingerprint: string;
  /**
   * Headers of the next request; credential files are read each time, as they may be rotated.
   *
   * Errors: AppError 'failed-precondition' when one of them cannot be read.
   */
  headers(): Promise<Readonly<Record<string, string>>>;
  /** Drops all connections. */
  close(): Promise<void>;
}

/** A server that does not accept a connection in this time is down. */
const connectTimeoutMillis = 5_000;
/** Connections outlive the pause between two requests by this. */
const keepAliveMarginMillis = 5_000;
/** Redirects that a request may take, as in Go. */
const redirectsMax = 10;
/** undici refuses more; longer intervals connect again. */
const keepAliveMillisMax = 600_000;

/**
 * Makes a client whose connections outlive pauses of `intervalMillis`; reads the files of its TLS
 * configuration.
 *
 * Errors: AppError 'failed-precondition' when one of them cannot be read.
 */
export async function createHttpClient(options: {
  readonly config: HttpClientConfig;
  readonly intervalMillis: number;
  readonly userAgent: string;
  readonly files: Pick<Files, 'read'>;
  /** Socket on this machine that takes all connections; "" = the hosts of the URLs. */
  readonly socketPath?: string;
}): Promise<HttpClient> {
  const { config, files, userAgent, socketPath = '' } = options;
  const keepAlive = Math.min(options.intervalMillis + keepAliveMarginMillis, keepAliveMillisMax);
  const tls = config.tls === undefined ? {} : await tlsOptions(config.tls, files);
  const { Agent, EnvHttpProxyAgent, interceptors } = undici();
  const settings = {
    // Each scrape loop has at most one request in flight, so their number needs no other limit.
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: keepAlive,
    keepAliveMaxTimeout: keepAlive,
    connect: {
      timeout: connectTimeoutMillis,
      ...tls,
      ...(socketPath === '' ? {} : { socketPath }),
    },
  };
  const agent =
    config.proxy === undefined
      ? new Agent(settings)
      : new EnvHttpProxyAgent({ ...settings, requestTls: tls, ...proxyOptions(config.proxy) });
  const redirect = interceptors.redirect({ maxRedirections: redirectsMax });
  const { credentials, headers, ...rest } = config;
  return {
    dispatcher: config.followRedirects ? agent.compose(redirect) : agent,
    fingerprint: JSON.stringify([tls, credentials, [...headers], rest, keepAlive, userAgent]),
    headers: async () => ({
      ...(await headersOf(headers, files)),
      'user-agent': userAgent,
      ...(credentials && { authorization: await authorizationOf(credentials, files) }),
    }),
    close: () => agent.destroy(),
  };
}

function proxyOptions(proxy: ProxyConfig): object {
  // Like curl and Go: plain HTTP is asked for by its whole URL, and only TLS goes through a tunnel.
  const way = { proxyTunnel: false };
  if (proxy.kind === 'environment') return way;
  return { ...way, httpProxy: proxy.url, httpsProxy: proxy.url, noProxy: proxy.noProxy };
}

async function headersOf(
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

/** Errors: AppError 'failed-precondition' when the text is in a file that cannot be read. */
async function readCredential(source: TextSource, files: Pick<Files, 'read'>): Promise<string> {
  try {
    return await readTextSource(source, files);
  } catch (error) {
    const why = `cannot read credentials: ${errorMessage(error)}`;
    throw new AppError('failed-precondition', why, { cause: error });
  }
}

async function tlsOptions(tls: TlsConfig, files: Pick<Files, 'read'>): Promise<TlsOptions> {
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

async function authorizationOf(
  credentials: CredentialsConfig,
  files: Pick<Files, 'read'>,
): Promise<string> {
  if (credentials.kind === 'token') {
    return `${credentials.type} ${await readCredential(credentials.token, files)}`;
  }
  const username = await readCredential(credentials.username, files);
  const password = await readCredential(credentials.password, files);
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** Gives a body up with its connection: a rest may be endless. */
export function dropBody(body: Dispatcher.ResponseData['body']): void {
  body.on('error', () => undefined).destroy();
}

/** Reads a whole body; undefined when it has more than `bytesMax`. */
export async function readBody(
  body: Dispatcher.ResponseData['body'],
  bytesMax: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    // Leaving the loop destroys the connection, so nothing more is received.
    if (length > bytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}
