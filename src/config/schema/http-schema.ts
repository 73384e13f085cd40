// The schema of a job's HTTP client: credentials, TLS, headers and proxies.
import type { CredentialsConfig, HttpClientConfig, ProxyConfig } from '../config.ts';
import type { TlsConfig } from '../text-source.ts';
import type { Place } from './place.ts';
import {
  checkAuthorities,
  checkKeyPair,
  checkVersions,
  emptyText,
  inlineText,
  maybeFile,
  maybeInline,
  refuseBoth,
  textFile,
  tlsVersion,
} from './pem-schema.ts';
import {
  boolean,
  invalid,
  list,
  readMap,
  nonEmptyText,
  optional,
  record,
  refine,
  refuse,
  required,
  secret,
  text,
  type Field,
  type Reader,
} from './read.ts';

type KeysOf<F> = { readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never };

const basicAuth: Reader<CredentialsConfig> = refine(
  record(
    {
      username: maybeInline,
      username_file: maybeFile,
      password: maybeInline,
      password_file: maybeFile,
    },
    [],
    (given, place) => refuseBoth(given, place, ['username', 'password']),
  ),
  (given) => ({
    kind: 'basic',
    username: given.username ?? given.username_file ?? emptyText,
    password: given.password ?? given.password_file ?? emptyText,
  }),
);

const authorization: Reader<CredentialsConfig> = refine(
  record(
    {
      type: optional(nonEmptyText, 'Bearer'),
      credentials: maybeInline,
      credentials_file: maybeFile,
    },
    [],
    (given, place) => {
      refuseBoth(given, place, ['credentials']);
      if (given.type?.toLowerCase() === 'basic') {
        place.report('expected basic_auth instead of authorization with type Basic');
      }
    },
  ),
  ({ type, credentials, credentials_file: fromFile }) => ({
    kind: 'token',
    type,
    token: credentials ?? fromFile ?? emptyText,
  }),
);

const bearer: Reader<CredentialsConfig> = refine(inlineText, (token) => ({
  kind: 'token',
  type: 'Bearer',
  token,
}));

const bearerFile: Reader<CredentialsConfig> = refine(textFile, (token) => ({
  kind: 'token',
  type: 'Bearer',
  token,
}));

/** Schema of `tls_config`. */
export const tls: Reader<TlsConfig> = refine(
  record(
    {
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
    },
    [],
    (given, place) => {
      refuseBoth(given, place, ['ca', 'cert', 'key']);
      const keys = place.entries()?.map(({ key }) => key) ?? [];
      const hasCert = keys.includes('cert') || keys.includes('cert_file');
      if (hasCert !== (keys.includes('key') || keys.includes('key_file'))) {
        place.report('expected both a client certificate and its key, or none of them');
      }
      checkVersions(given, place);
      checkAuthorities(given, place, ['ca', 'ca_file']);
      checkKeyPair(given, place, 'client certificate');
    },
  ),
  (given) => ({
    ca: given.ca ?? given.ca_file,
    cert: given.cert ?? given.cert_file,
    key: given.key ?? given.key_file,
    serverName: given.server_name,
    insecureSkipVerify: given.insecure_skip_verify,
    minVersion: given.min_version,
    maxVersion: given.max_version,
  }),
);

/** Headers that are set by the client itself, or that belong to the connection. */
const reservedHeaders = new Set([
  'authorization',
  'host',
  'content-encoding',
  'content-length',
  'content-type',
  'user-agent',
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'accept',
  'accept-encoding',
]);

function headerMistake(name: string): string | undefined {
  if (!/^[!#$%&'*+\-.^_`|~\w]+$/.test(name))
    return `${JSON.stringify(name)} is not the name of a header`;
  return reservedHeaders.has(name.toLowerCase()) ? `header ${name} cannot be set here` : undefined;
}

const headerValues = refine(
  record({
    values: optional(list(inlineText), []),
    secrets: optional(list(inlineText), []),
    files: optional(list(textFile), []),
  }),
  ({ values, secrets, files }) => [...values, ...secrets, ...files],
);

const noHeaders: HttpClientConfig['headers'] = new Map();

const proxyUrl = refine(secret, (url, place) => {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  // The message does not quote the URL, because it may contain a password.
  place.report('expected the URL of a proxy that begins with http:// or https://');
  return invalid;
});

const proxyFields = {
  proxy_url: optional(proxyUrl, ''),
  no_proxy: optional(text, ''),
  proxy_from_environment: optional(boolean, false),
  proxy_connect_header: optional(readMap(list(inlineText), proxyHeaderMistake), noHeaders),
};
type ProxyKeys = KeysOf<typeof proxyFields>;

function proxyHeaderMistake(name: string): string | undefined {
  return /^[!#$%&'*+\-.^_`|~\w]+$/.test(name)
    ? undefined
    : `${JSON.stringify(name)} is not the name of a header`;
}

function checkProxy(place: Place): void {
  const stringUnder = (key: string): string => place.find(key)?.scalar()?.text ?? '';
  const isFromEnvironment = stringUnder('proxy_from_environment') === 'true';
  if (isFromEnvironment && stringUnder('proxy_url') !== '') {
    place.report('expected only one of proxy_url and proxy_from_environment');
  }
  for (const key of ['no_proxy', 'proxy_connect_header']) {
    const given = place.find(key);
    if (given === undefined || given.isEmpty() || stringUnder('proxy_url') !== '') continue;
    if (key === 'proxy_connect_header' && isFromEnvironment) continue;
    given.report(`${key} needs proxy_url`);
  }
}

function readProxy(keys: ProxyKeys): ProxyConfig | undefined {
  const { proxy_url: url, no_proxy: noProxy, proxy_connect_header: headers } = keys;
  if (keys.proxy_from_environment) return { kind: 'environment', headers };
  return url === '' ? undefined : { kind: 'url', url, noProxy, headers };
}

/** A URL without credentials. */
export const httpUrl: Reader<string> = refine(nonEmptyText, (url, place) => {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    return refuse(place, 'a URL that begins with http:// or https://');
  }
  if (parsed.username === '' && parsed.password === '') return url;
  place.report('expected basic_auth instead of a user name in the URL');
  return invalid;
});

const noParams: ReadonlyMap<string, string> = new Map();

const oauth2: Reader<CredentialsConfig> = refine(
  record(
    {
      client_id: required(nonEmptyText),
      client_secret: maybeInline,
      client_secret_file: maybeFile,
      scopes: optional(list(nonEmptyText), []),
      token_url: required(httpUrl),
      endpoint_params: optional(readMap(secret), noParams),
      tls_config: optional(tls, undefined),
      ...proxyFields,
    },
    [
      'client_certificate_key',
      'client_certificate_key_file',
      'client_certificate_key_id',
      'grant_type',
      'signature_algorithm',
      'iss',
      'audience',
      'claims',
    ],
    (given, place) => {
      refuseBoth(given, place, ['client_secret']);
      checkProxy(place);
    },
  ),
  (given) => ({
    kind: 'oauth2',
    clientId: given.client_id,
    clientSecret: given.client_secret ?? given.client_secret_file ?? emptyText,
    scopes: given.scopes,
    tokenUrl: given.token_url,
    endpointParams: given.endpoint_params,
    tls: given.tls_config,
    proxy: readProxy(given),
  }),
);

/**
 * Reads a setting of Prometheus that this server supports only if it is off; `why` is the reason.
 */
export function alwaysOff(why: string): Reader<false> {
  return refine(boolean, (isOn, place) => {
    if (!isOn) return false;
    place.report(`expected false: ${why}`);
    return invalid;
  });
}

/** HTTP client keys as fields of a job's schema. */
export const httpFields = {
  basic_auth: optional(basicAuth, undefined),
  authorization: optional(authorization, undefined),
  bearer_token: optional(bearer, undefined),
  bearer_token_file: optional(bearerFile, undefined),
  oauth2: optional(oauth2, undefined),
  tls_config: optional(tls, undefined),
  follow_redirects: optional(boolean, false),
  http_headers: optional(readMap(headerValues, headerMistake), noHeaders),
  enable_http2: optional(boolean, false),
  ...proxyFields,
};

/** Keys for credentials, at most one of which may be set. */
export const credentialKeys: readonly string[] = [
  'basic_auth',
  'authorization',
  'oauth2',
  'bearer_token',
  'bearer_token_file',
];

type HttpKeys = KeysOf<typeof httpFields>;

/** Refuses several kinds of credentials, and several kinds of proxies. */
export function checkHttpClient(place: Place): void {
  const given = place.entries()?.filter((entry) => credentialKeys.includes(entry.key)) ?? [];
  if (given.filter((entry) => !entry.place.isEmpty()).length > 1) {
    const [last, ...others] = credentialKeys.toReversed();
    place.report(`expected at most one of ${others.reverse().join(', ')} and ${last}`);
  }
  checkProxy(place);
}

/** Returns the HTTP client of a job. */
export function readHttpClient(keys: HttpKeys): HttpClientConfig {
  const { basic_auth: basic, bearer_token: token, bearer_token_file: tokenFile } = keys;
  return {
    credentials: basic ?? keys.authorization ?? keys.oauth2 ?? token ?? tokenFile,
    tls: keys.tls_config,
    followRedirects: keys.follow_redirects,
    http2: keys.enable_http2,
    headers: keys.http_headers,
    proxy: readProxy(keys),
  };
}
