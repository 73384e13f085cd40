// The content of a web config file: logins and TLS of the server.
import type { TlsVersion } from '../text-source.ts';

/** A permission that a token may have. */
export type Scope = (typeof scopes)[number];
export const scopes = ['read', 'write', 'debuginfo', 'admin'] as const;

/** The content of a web config file, including the content of the files that it names. */
export interface WebConfig {
  /** TLS settings; undefined if connections are not encrypted. */
  readonly tls: ServerTls | undefined;
  /** True if connections with TLS may use HTTP/2, which native gRPC needs. */
  readonly http2: boolean;
  /** Headers of every HTTP answer, with names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** Bcrypt hashes of passwords, by user. */
  readonly users: ReadonlyMap<string, string>;
  readonly tokens: readonly TokenConfig[];
  /** Limits of callers; each caller has at most one entry. */
  readonly callerLimits: readonly CallerLimit[];
}

/** Limits of a caller; 0 = no limit. */
export interface CallerLimit {
  /** Id of the caller, such as `token "ci"`; "*" = each caller without an entry of its own. */
  readonly caller: string;
  /**
   * Largest number of bytes of profiles that the caller may push per second, before decompression.
   */
  readonly pushBytesPerSecond: number;
  readonly queriesAtOnce: number;
  /** Largest number of active series that the caller may push. */
  readonly activeSeries: number;
}

/** A bearer token. */
export interface TokenConfig {
  /** Name for people. */
  readonly name: string;
  /** SHA-256 of the token in hexadecimal digits, in lower case. */
  readonly sha256: string;
  readonly scopes: readonly Scope[];
}

/**
 * Rule for client certificates, with Go's names: whether they are requested, required or verified.
 */
export type ClientAuth = (typeof clientAuths)[number];
export const clientAuths = [
  'NoClientCert',
  'RequestClientCert',
  'RequireAnyClientCert',
  'VerifyClientCertIfGiven',
  'RequireAndVerifyClientCert',
] as const;

export interface ServerTls {
  /** Certificate in PEM form, like `key`. */
  readonly certificate: string;
  readonly key: string;
  /**
   * Certificates of authorities that sign client certificates; "" = the authorities that Node
   * trusts.
   */
  readonly clientAuthorities: string;
  readonly clientAuth: ClientAuth;
  /** Names of which a client certificate must have one; empty = any name. */
  readonly clientNames: readonly string[];
  readonly minVersion: TlsVersion;
  readonly maxVersion: TlsVersion | undefined;
  /** OpenSSL cipher names in order of preference; empty = Node's defaults. */
  readonly ciphers: readonly string[];
  readonly curves: readonly string[];
  /** True if the server's order of ciphers takes precedence over the client's. */
  readonly prefersOwnCiphers: boolean;
}

/** Config of a server without a web config file. */
export const openWebConfig: WebConfig = {
  tls: undefined,
  http2: true,
  headers: new Map(),
  users: new Map(),
  tokens: [],
  callerLimits: [],
};

/** Returns true if a caller must identify itself by a password or a token. */
export function asksForCredentials({ users, tokens }: WebConfig): boolean {
  return users.size > 0 || tokens.length > 0;
}

/** Returns true if every connection has a verified client certificate. */
export function verifiesClients({ tls }: WebConfig): boolean {
  return tls?.clientAuth === 'RequireAndVerifyClientCert';
}
