// The schema of a web config file: the keys of Prometheus' exporter toolkit, and bearer tokens.
import {
  bcryptCostMax,
  bearerTokensMax,
  activeSeriesOfCallerMax,
  callerLimitsMax,
  queriesAtOnceMax,
  webUsersMax,
} from '../limits.ts';
import type { TextSource, TlsVersion } from '../text-source.ts';
import {
  checkAuthorities,
  checkKeyPair,
  checkVersions,
  emptyText,
  maybeFile,
  maybeInline,
  refuseBoth,
  tlsVersion,
} from '../schema/pem-schema.ts';
import type { Place } from '../schema/place.ts';
import {
  boolean,
  byteSize,
  integer,
  invalid,
  list,
  readMap,
  nonEmptyText,
  readWord,
  optional,
  type Reader,
  record,
  refine,
  refuse,
  required,
  secret,
} from '../schema/read.ts';
import {
  type CallerLimit,
  clientAuths,
  type Scope,
  scopes,
  type ServerTls,
  type TokenConfig,
  type WebConfig,
} from './web-config.ts';

/** TLS settings; the files that they name have not been read yet. */
export type ServerTlsKeys = Omit<ServerTls, 'certificate' | 'key' | 'clientAuthorities'> & {
  readonly certificate: TextSource;
  readonly key: TextSource;
  readonly clientAuthorities: TextSource;
};

/** Content of a web config file; the files that it names have not been read yet. */
type WebKeys = Omit<WebConfig, 'tls'> & { readonly tls: ServerTlsKeys | undefined };

/**
 * OpenSSL names of cipher suites up to TLS 1.2, by their names in Go. TLS 1.3 suites are always on.
 */
const suites: ReadonlyMap<string, string> = new Map([
  ['TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256', 'ECDHE-ECDSA-AES128-GCM-SHA256'],
  ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
  ['TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384', 'ECDHE-ECDSA-AES256-GCM-SHA384'],
  ['TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'],
  ['TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256', 'ECDHE-ECDSA-CHACHA20-POLY1305'],
  ['TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305', 'ECDHE-ECDSA-CHACHA20-POLY1305'],
  ['TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256', 'ECDHE-RSA-CHACHA20-POLY1305'],
  ['TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305', 'ECDHE-RSA-CHACHA20-POLY1305'],
  ['TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA', 'ECDHE-ECDSA-AES128-SHA'],
  ['TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA', 'ECDHE-RSA-AES128-SHA'],
  ['TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA', 'ECDHE-ECDSA-AES256-SHA'],
  ['TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA', 'ECDHE-RSA-AES256-SHA'],
  ['TLS_RSA_WITH_AES_128_GCM_SHA256', 'AES128-GCM-SHA256'],
  ['TLS_RSA_WITH_AES_256_GCM_SHA384', 'AES256-GCM-SHA384'],
  ['TLS_RSA_WITH_AES_128_CBC_SHA', 'AES128-SHA'],
  ['TLS_RSA_WITH_AES_256_CBC_SHA', 'AES256-SHA'],
  ['TLS_AES_128_GCM_SHA256', 'TLS_AES_128_GCM_SHA256'],
  ['TLS_AES_256_GCM_SHA384', 'TLS_AES_256_GCM_SHA384'],
  ['TLS_CHACHA20_POLY1305_SHA256', 'TLS_CHACHA20_POLY1305_SHA256'],
]);

const curves: ReadonlyMap<string, string> = new Map([
  ['CurveP256', 'P-256'],
  ['CurveP384', 'P-384'],
  ['CurveP521', 'P-521'],
  ['X25519', 'X25519'],
]);

/** Headers that may be set; each of them restricts what a page may do in a browser. */
const headerNames: ReadonlySet<string> = new Set([
  'content-security-policy',
  'strict-transport-security',
  'x-content-type-options',
  'x-frame-options',
  'x-xss-protection',
  'referrer-policy',
  'cross-origin-opener-policy',
]);

/** Reads one of the keys of a table, and returns its value. */
function lookUpWord(table: ReadonlyMap<string, string>): Reader<string> {
  return refine(readWord([...table.keys()]), (word) => table.get(word) ?? word);
}

const serverTls: Reader<ServerTlsKeys> = refine(
  record(
    {
      cert: maybeInline,
      cert_file: maybeFile,
      key: maybeInline,
      key_file: maybeFile,
      client_auth_type: optional(readWord(clientAuths), 'NoClientCert'),
      client_ca: maybeInline,
      client_ca_file: maybeFile,
      client_allowed_sans: optional(list(nonEmptyText), [] as readonly string[]),
      min_version: optional(tlsVersion, 'TLSv1.2' as TlsVersion),
      max_version: optional(tlsVersion, undefined),
      cipher_suites: optional(list(lookUpWord(suites)), [] as readonly string[]),
      curve_preferences: optional(list(lookUpWord(curves)), [] as readonly string[]),
      prefer_server_cipher_suites: optional(boolean, true),
    },
    [],
    (given, place) => {
      refuseBoth(given, place, ['cert', 'key', 'client_ca']);
      for (const name of ['cert', 'key']) {
        const isThere = place.find(name) ?? place.find(`${name}_file`);
        if (isThere === undefined) place.report(`expected ${name}_file or ${name}`);
      }
      checkClients(given, place);
      checkVersions(given, place);
      checkAuthorities(given, place, ['client_ca', 'client_ca_file']);
      checkKeyPair(given, place, 'certificate');
    },
  ),
  (given) => ({
    certificate: given.cert ?? given.cert_file ?? emptyText,
    key: given.key ?? given.key_file ?? emptyText,
    clientAuthorities: given.client_ca ?? given.client_ca_file ?? emptyText,
    clientAuth: given.client_auth_type,
    clientNames: given.client_allowed_sans,
    minVersion: given.min_version,
    maxVersion: given.max_version,
    ciphers: given.cipher_suites,
    curves: given.curve_preferences,
    prefersOwnCiphers: given.prefer_server_cipher_suites,
  }),
);

/** Reports client keys that would have no effect, so that nobody relies on them. */
function checkClients(
  given: {
    readonly client_auth_type?: string;
    readonly client_allowed_sans?: readonly string[];
  },
  place: Place,
): void {
  const type = given.client_auth_type ?? 'NoClientCert';
  const isVerified = type.includes('Verify');
  const authorities = place.find('client_ca') ?? place.find('client_ca_file');
  if (authorities !== undefined && !isVerified) {
    place.at('client_auth_type').report('expected a client_auth_type that verifies, for client_ca');
  }
  if (authorities === undefined && isVerified) {
    place.at('client_auth_type').report('expected client_ca_file, which says whom to trust');
  }
  if (given.client_allowed_sans?.length && type !== 'RequireAndVerifyClientCert') {
    const why = 'expected client_auth_type RequireAndVerifyClientCert';
    place.at('client_allowed_sans').report(why);
  }
}

const headerValue: Reader<string> = refine(nonEmptyText, (value, place) =>
  /^[\x20-\x7e]+$/.test(value) ? value : refuse(place, 'printable ASCII'),
);

const headers: Reader<ReadonlyMap<string, string>> = refine(
  readMap(headerValue, (name) =>
    headerNames.has(name.toLowerCase())
      ? undefined
      : `this header cannot be set, expected one of ${[...headerNames].join(', ')}`,
  ),
  (given) => new Map([...given].map(([name, value]) => [name.toLowerCase(), value])),
);

const bcryptForm = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;

/** Reads a bcrypt hash. Messages do not show a wrong value, because it may be a password. */
const passwordHash: Reader<string> = refine(secret, (hash, place) => {
  const cost = Number(bcryptForm.exec(hash)?.[1]);
  if (cost >= 4 && cost <= bcryptCostMax) return hash;
  const why = cost > 0 ? `a cost from 4 to ${bcryptCostMax}` : 'a hash made by bcrypt';
  place.report(`expected ${why}; htpasswd -nBC 10 "" prints one`);
  return invalid;
});

const users: Reader<ReadonlyMap<string, string>> = refine(
  readMap(passwordHash, (name) =>
    // The header has a colon after the name, and no control characters.
    // oxlint-disable-next-line no-control-regex
    name === '' || /[:\x00-\x1f\x7f]/.test(name)
      ? `no client can send the name ${JSON.stringify(name)}`
      : undefined,
  ),
  (given, place) =>
    given.size <= webUsersMax ? given : refuse(place, `at most ${webUsersMax} users`),
);

const tokenHash: Reader<string> = refine(secret, (text, place) => {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return text.toLowerCase();
  place.report('expected the 64 hexadecimal digits of a SHA-256; parcatool token makes one');
  return invalid;
});

const token: Reader<TokenConfig> = record({
  name: required(nonEmptyText),
  sha256: required(tokenHash),
  scopes: required(
    refine(list(readWord(scopes)), (given, place): readonly Scope[] | typeof invalid =>
      given.length > 0 ? given : refuse(place, `some of ${scopes.join(', ')}`),
    ),
  ),
});

const tokens: Reader<readonly TokenConfig[]> = refine(list(token), (given, place) => {
  if (given.length > bearerTokensMax) return refuse(place, `at most ${bearerTokensMax} tokens`);
  for (const name of ['name', 'sha256'] as const) {
    const seen = new Set<string>();
    for (const [i, one] of given.entries()) {
      const at = place.items()?.[i].at(name) ?? place;
      if (seen.has(one[name])) at.report(`another token has the same ${name}`);
      seen.add(one[name]);
    }
  }
  return given;
});

const callerLimit: Reader<CallerLimit> = refine(
  record({
    caller: required(nonEmptyText),
    push_bytes_per_second: optional(byteSize, 0),
    queries_at_once: optional(integer(0, queriesAtOnceMax), 0),
    active_series: optional(integer(0, activeSeriesOfCallerMax), 0),
  }),
  (given) => ({
    caller: given.caller,
    pushBytesPerSecond: given.push_bytes_per_second,
    queriesAtOnce: given.queries_at_once,
    activeSeries: given.active_series,
  }),
);

const callerLimits: Reader<readonly CallerLimit[]> = refine(list(callerLimit), (given, place) => {
  if (given.length > callerLimitsMax) return refuse(place, `at most ${callerLimitsMax} rows`);
  const seen = new Set<string>();
  for (const [i, { caller }] of given.entries()) {
    if (seen.has(caller)) place.items()?.[i].at('caller').report('another row has this caller');
    seen.add(caller);
  }
  return given;
});

const http = record({
  http2: optional(boolean, true),
  headers: optional(headers, new Map<string, string>()),
});

/** Reads a web config file. */
export const webSchema: Reader<WebKeys> = refine(
  record(
    {
      tls_server_config: optional(serverTls, undefined),
      http_server_config: optional(http, undefined),
      basic_auth_users: optional(users, new Map<string, string>()),
      bearer_tokens: optional(tokens, [] as readonly TokenConfig[]),
      caller_limits: optional(callerLimits, [] as readonly CallerLimit[]),
    },
    ['rate_limit'],
    (given, place) => {
      if (given.tls_server_config !== undefined || place.find('tls_server_config')) return;
      if (given.http_server_config?.http2 !== false) return;
      // Without TLS, the client alone chooses the protocol.
      place.at('http_server_config').at('http2').report('has no effect without tls_server_config');
    },
  ),
  (given) => ({
    tls: given.tls_server_config,
    http2: given.http_server_config?.http2 ?? true,
    headers: given.http_server_config?.headers ?? new Map<string, string>(),
    users: given.basic_auth_users,
    tokens: given.bearer_tokens,
    callerLimits: given.caller_limits,
  }),
);
