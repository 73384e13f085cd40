// The schema of the HTTP client keys of a job: credentials and TLS.
import { dirname, resolve } from 'node:path';
import type { CredentialsConfig, HttpClientConfig, TextSource, TlsConfig } from './config.ts';
import type { Place } from './place.ts';
import { boolean, invalid, nonEmptyText, oneOf, optional, record, refine } from './read.ts';
import { secret, text } from './read.ts';
import type { Field, Reader } from './read.ts';

type Absent = undefined;

const inline: Reader<TextSource> = refine(secret, (value) => ({ kind: 'inline', text: value }));

/** A file name, relative to the folder of the config file. */
const file: Reader<TextSource> = refine(nonEmptyText, (path, place) => ({
  kind: 'file',
  path: resolve(dirname(place.source.file), path),
}));

const maybeInline: Field<TextSource | Absent> = optional(inline, undefined);
const maybeFile: Field<TextSource | Absent> = optional(file, undefined);

/** The one of two that is given; both is a mistake. */
function either(
  place: Place,
  name: string,
  given: TextSource | Absent,
  fromFile: TextSource | Absent,
): TextSource | Absent {
  if (given !== undefined && fromFile !== undefined) {
    place.report(`expected only one of ${name} and ${name}_file`);
  }
  return given ?? fromFile;
}

const empty: TextSource = { kind: 'inline', text: '' };

const basicAuth: Reader<CredentialsConfig> = refine(
  record({
    username: maybeInline,
    username_file: maybeFile,
    password: maybeInline,
    password_file: maybeFile,
  }),
  (given, place) => ({
    kind: 'basic',
    username: either(place, 'username', given.username, given.username_file) ?? empty,
    password: either(place, 'password', given.password, given.password_file) ?? empty,
  }),
);

const authorization: Reader<CredentialsConfig> = refine(
  record({
    type: optional(nonEmptyText, 'Bearer'),
    credentials: maybeInline,
    credentials_file: maybeFile,
  }),
  ({ type, credentials, credentials_file }, place) => {
    if (type.toLowerCase() === 'basic') {
      place.report('expected basic_auth instead of authorization with type Basic');
    }
    const token = either(place, 'credentials', credentials, credentials_file) ?? empty;
    return { kind: 'token', type, token };
  },
);

const bearer: Reader<CredentialsConfig> = refine(inline, (token) => ({
  kind: 'token',
  type: 'Bearer',
  token,
}));

const bearerFile: Reader<CredentialsConfig> = refine(file, (token) => ({
  kind: 'token',
  type: 'Bearer',
  token,
}));

const tlsVersions = {
  TLS10: 'TLSv1',
  TLS11: 'TLSv1.1',
  TLS12: 'TLSv1.2',
  TLS13: 'TLSv1.3',
} as const;

const tlsVersion = refine(
  oneOf(['TLS10', 'TLS11', 'TLS12', 'TLS13']),
  (version) => tlsVersions[version],
);

const tls: Reader<TlsConfig> = refine(
  record({
    ca: maybeInline,
    ca_file: maybeFile,
    cert: maybeInline,
    cert_file: maybeFile,
    key: maybeInline,
    key_file: maybeFile,
    server_name: optional(text, ''),
    insecure_skip_verify: optional(boolean, false),
    min_version: optional(tlsVersion, undefined),
    max_version: optional(tlsVersion, undefined),
  }),
  (given, place) => {
    const cert = either(place, 'cert', given.cert, given.cert_file);
    const key = either(place, 'key', given.key, given.key_file);
    if ((cert === undefined) !== (key === undefined)) {
      place.report('expected both a client certificate and its key, or none of them');
    }
    return {
      ca: either(place, 'ca', given.ca, given.ca_file),
      cert,
      key,
      serverName: given.server_name,
      insecureSkipVerify: given.insecure_skip_verify,
      minVersion: given.min_version,
      maxVersion: given.max_version,
    };
  },
);

/** A switch that Prometheus has and that is always off here. */
function neverOn(why: string): Reader<false> {
  return refine(boolean, (isOn, place) => {
    if (!isOn) return false;
    place.report(`expected false: ${why}`);
    return invalid;
  });
}

/** HTTP client keys as fields of a job. */
export const httpFields = {
  basic_auth: optional(basicAuth, undefined),
  authorization: optional(authorization, undefined),
  bearer_token: optional(bearer, undefined),
  bearer_token_file: optional(bearerFile, undefined),
  tls_config: optional(tls, undefined),
  follow_redirects: optional(neverOn('redirects are never followed'), false),
  enable_http2: optional(neverOn('HTTP/2 to targets is not supported yet'), false),
};

/** HTTP client keys of Prometheus without a meaning here. */
export const httpNotSupported = [
  'oauth2',
  'proxy_url',
  'no_proxy',
  'proxy_from_environment',
  'proxy_connect_header',
  'http_headers',
];

type HttpKeys = {
  readonly [K in keyof typeof httpFields]: (typeof httpFields)[K] extends Field<infer T>
    ? T
    : never;
};

/** The HTTP client of a job; at most one kind of credentials. */
export function readHttpClient(keys: HttpKeys, place: Place): HttpClientConfig {
  const given = [keys.basic_auth, keys.authorization, keys.bearer_token, keys.bearer_token_file];
  const credentials = given.filter((it) => it !== undefined);
  if (credentials.length > 1) {
    place.report(
      'expected at most one of basic_auth, authorization, bearer_token and bearer_token_file',
    );
  }
  return { credentials: credentials[0], tls: keys.tls_config };
}
