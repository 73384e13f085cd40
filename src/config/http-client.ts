// An HTTP client as the config describes it: connections, TLS and credentials.
import type { Dispatcher } from 'undici';
import { AppError, errorMessage } from '../base/errors.ts';
import type { Files } from '../base/files.ts';
import { undici } from '../base/node/undici.ts';
import {
  type CredentialsConfig,
  type HttpClientConfig,
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
}): Promise<HttpClient> {
  const { config, files, userAgent } = options;
  const keepAlive = Math.min(options.intervalMillis + keepAliveMarginMillis, keepAliveMillisMax);
  const tls = config.tls === undefined ? {} : await tlsOptions(config.tls, files);
  const { Agent } = undici();
  const agent = new Agent({
    // Each scrape loop has at most one request in flight, so their number needs no other limit.
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: keepAlive,
    keepAliveMaxTimeout: keepAlive,
    connect: { timeout: connectTimeoutMillis, ...tls },
  });
  return {
    dispatcher: agent,
    fingerprint: JSON.stringify([tls, config.credentials, keepAlive, userAgent]),
    headers: async () => {
      const { credentials } = config;
      if (credentials === undefined) return { 'user-agent': userAgent };
      const authorization = await authorizationOf(credentials, files);
      return { 'user-agent': userAgent, authorization };
    },
    close: () => agent.destroy(),
  };
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
  try {
    if (credentials.kind === 'token') {
      return `${credentials.type} ${await readTextSource(credentials.token, files)}`;
    }
    const username = await readTextSource(credentials.username, files);
    const password = await readTextSource(credentials.password, files);
    return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  } catch (error) {
    const why = `cannot read credentials: ${errorMessage(error)}`;
    throw new AppError('failed-precondition', why, { cause: error });
  }
}
