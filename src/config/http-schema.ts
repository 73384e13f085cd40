// The schema of the HTTP client keys of a job: credentials and TLS.
import { dirname, resolve } from 'node:path';
import { errorMessage } from '../base/errors.ts';
import { certificateMistake, isKeyOf, keyMistake } from './check-tls.ts';
import {
  type CredentialsConfig,
  type HttpClientConfig,
  type TextSource,
  type TlsConfig,
  type TlsVersion,
  readTextSource,
} from './config.ts';
import type { Place } from './place.ts';
import {
  boolean,
  invalid,
  nonEmptyText,
  oneOf,
  optional,
  record,
  refine,
  secret,
  text,
  type Field,
  type Reader,
} from './read.ts';

type Absent = undefined;

const inline: Reader<TextSource> = refine(secret, (value) => ({ kind: 'inline', text: value }));

/** A file name, relative to the folder of the config file; something is in the file. */
const file: Reader<TextSource> = refine(nonEmptyText, (name, place) => {
  const path = resolve(dirname(place.source.file), name);
  const source: TextSource = { kind: 'file', path };
  place.checkLater(async (files) => {
    try {
      if ((await readTextSource(source, files)) === '') place.report(`${path} is empty`);
    } catch (error) {
      place.report(errorMessage(error));
    }
  });
  return source;
});

const maybeInline: Field<TextSource | Absent> = optional(inline, undefined);
const maybeFile: Field<TextSource | Absent> = optional(file, undefined);

/** Reports a text that is given both itself and by a file. */
function refuseBoth(
  given: Readonly<Record<string, unknown>>,
  place: Place,
  names: readonly string[],
): void {
  for (const name of names) {
    if (given[name] === undefined || given[`${name}_file`] === undefined) continue;
    place.report(`expected only one of ${name} and ${name}_file`);
  }
}

const empty: TextSource = { kind: 'inline', text: '' };

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
    username: given.username ?? given.username_file ?? empty,
    password: given.password ?? given.password_file ?? empty,
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
    token: credentials ?? fromFile ?? empty,
  }),
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

/** Node's. */
const minVersionDefault: TlsVersion = 'TLSv1.2';

const tls: Reader<TlsConfig> = refine(
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
      const { min_version: min, max_version: max } = given;
      if (min !== undefined && max !== undefined && min > max) {
        place.at('min_version').report('min_version is above max_version');
      }
      if (min === undefined && max !== undefined && max < minVersionDefault) {
        place.at('max_version').report('a max_version below TLS12 needs a min_version');
      }
      checkPemLater(given, place);
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

type PemKey = 'ca' | 'ca_file' | 'cert' | 'cert_file' | 'key' | 'key_file';

/** Certificates and keys are what they should be, and belong together. */
function checkPemLater(
  given: { readonly [K in PemKey]?: TextSource | Absent },
  place: Place,
): void {
  place.checkLater(async (files) => {
    /** The text under a key, if it is there and good. */
    const goodText = async (
      name: PemKey,
      mistakeOf: (pem: string) => string | undefined,
    ): Promise<string | undefined> => {
      const source = given[name];
      if (source === undefined) return undefined;
      // That a file cannot be read, or is empty, is said already.
      const pem = await readTextSource(source, files).catch(() => '');
      if (pem === '' && source.kind === 'file') return undefined;
      const mistake = mistakeOf(pem);
      if (mistake === undefined) return pem;
      place.at(name).report(`${source.kind === 'file' ? source.path : 'it'} ${mistake}`);
      return undefined;
    };
    for (const name of ['ca', 'ca_file'] as const) await goodText(name, certificateMistake);
    const cert =
      (await goodText('cert', certificateMistake)) ??
      (await goodText('cert_file', certificateMistake));
    const key = (await goodText('key', keyMistake)) ?? (await goodText('key_file', keyMistake));
    if (cert !== undefined && key !== undefined && !isKeyOf(cert, key)) {
      place.report('the key is not that of the client certificate');
    }
  });
}

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

/** At most one kind of credentials. */
export function checkHttpClient(place: Place): void {
  const kinds = ['basic_auth', 'authorization', 'bearer_token', 'bearer_token_file'];
  const given = place.entries()?.filter((entry) => kinds.includes(entry.key)) ?? [];
  if (given.filter((entry) => !entry.place.isEmpty()).length <= 1) return;
  place.report(
    'expected at most one of basic_auth, authorization, bearer_token and bearer_token_file',
  );
}

/** The HTTP client of a job. */
export function readHttpClient(keys: HttpKeys): HttpClientConfig {
  const credentials =
    keys.basic_auth ?? keys.authorization ?? keys.bearer_token ?? keys.bearer_token_file;
  return { credentials, tls: keys.tls_config };
}
