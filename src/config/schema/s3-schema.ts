// The schema of a bucket of S3.
import { resolve, dirname } from 'node:path';
import type { S3Bucket, S3Encryption } from '../bucket-config.ts';
import { s3BucketMistake, s3EndpointMistake } from '../s3-names.ts';
import { bucketHttp } from './bucket-http-schema.ts';
import { httpUrl } from './http-schema.ts';
import type { Place } from './place.ts';
import {
  boolean,
  integer,
  invalid,
  readMap,
  named,
  readWord,
  optional,
  type Reader,
  record,
  refine,
  required,
  secret,
  text,
} from './read.ts';

const mebi = 1_048_576;
/** Smallest part of an upload in bytes, as in S3; only the last part may be smaller. */
const partBytesMin = 5 * mebi;
/** Largest part of an upload in bytes; a whole part is held in memory. */
const partBytesMax = 1_024 * mebi;
/** Maximum number of attempts that a config may set for a request. */
export const bucketAttemptsMax = 100;

const noPairs: ReadonlyMap<string, string> = new Map();

/** Keys of each type of encryption, in addition to `type`. */
const encryptionKeys = {
  'SSE-S3': [],
  'SSE-KMS': ['kms_key_id', 'kms_encryption_context'],
  'SSE-C': ['encryption_key'],
} as const;

const encryption: Reader<S3Encryption> = refine(
  record(
    {
      type: required(readWord(['SSE-S3', 'SSE-KMS', 'SSE-C'])),
      kms_key_id: optional(text, ''),
      kms_encryption_context: optional(readMap(text), noPairs),
      encryption_key: optional(text, ''),
    },
    [],
    (given, place) => {
      const { type } = given;
      if (type === undefined) return;
      const [needed] = encryptionKeys[type];
      if (needed !== undefined && given[needed] === '') place.report(`${type} needs ${needed}`);
    },
  ),
  (given, place) => {
    if (given.type === 'SSE-S3') return { kind: given.type };
    if (given.type === 'SSE-KMS') {
      const { kms_key_id: keyId, kms_encryption_context: context } = given;
      return { kind: given.type, keyId, context };
    }
    const keyFile = resolve(dirname(place.source.file), given.encryption_key);
    return { kind: given.type, keyFile };
  },
);

/** Refuses signatures of version 2. Regions that Amazon added since 2014 do not accept them. */
const signatureVersion2: Reader<boolean> = refine(boolean, (isOn, place) => {
  if (!isOn) return isOn;
  place.report('expected false: requests are signed by signature version 4 only');
  return invalid;
});

const trace = refine(record({ enable: optional(boolean, false) }), ({ enable }, place) => {
  if (enable) place.warn('requests are not traced: the metrics and the log say which fail');
  return enable;
});

export const s3: Reader<S3Bucket> = refine(
  record(
    {
      bucket: required(named('S3 bucket', s3BucketMistake)),
      endpoint: required(named('S3 endpoint', s3EndpointMistake)),
      region: optional(text, ''),
      access_key: optional(secret, ''),
      secret_key: optional(secret, ''),
      session_token: optional(secret, ''),
      aws_sdk_auth: optional(boolean, false),
      sts_endpoint: optional(httpUrl, ''),
      insecure: optional(boolean, false),
      bucket_lookup_type: optional(readWord(['auto', 'virtual-hosted', 'path']), 'auto'),
      sse_config: optional(encryption, undefined),
      part_size: optional(integer(partBytesMin, partBytesMax), undefined),
      disable_multipart: optional(boolean, false),
      list_objects_version: optional(readWord(['', 'v1', 'v2']), 'v2'),
      put_user_metadata: optional(readMap(text, metadataMistake), noPairs),
      send_content_md5: optional(boolean, false),
      max_retries: optional(integer(0, bucketAttemptsMax), 0),
      http_config: bucketHttp,
      // This key has no effect, because the endpoint is used as the config states it.
      disable_dualstack: optional(boolean, false),
      signature_version2: optional(signatureVersion2, false),
      trace: optional(trace, false),
    },
    [],
    checkKeys,
  ),
  (given) => ({
    type: 'S3',
    bucket: given.bucket,
    endpoint: given.endpoint,
    region: given.region,
    accessKey: given.access_key,
    secretKey: given.secret_key,
    sessionToken: given.session_token,
    stsUrl: given.sts_endpoint,
    insecure: given.insecure,
    lookup: given.bucket_lookup_type,
    encryption: given.sse_config,
    partBytes: given.part_size,
    hasParts: !given.disable_multipart,
    listVersion: given.list_objects_version === 'v1' ? 'v1' : 'v2',
    objectHeaders: objectHeaders(given.put_user_metadata),
    sendsMd5: given.send_content_md5,
    attemptsMax: given.max_retries,
    http: given.http_config,
  }),
);

function checkKeys(
  given: { readonly access_key?: string; secret_key?: string; aws_sdk_auth?: boolean },
  place: Place,
): void {
  const { access_key: accessKey = '', secret_key: secretKey = '' } = given;
  if ((accessKey === '') !== (secretKey === '')) {
    place.report('expected both access_key and secret_key, or none of them');
  }
  // If the config has no keys, the machine's credentials are used anyway.
  if (given.aws_sdk_auth === true && accessKey !== '') {
    place.report('expected only one of aws_sdk_auth and access_key');
  }
}

function metadataMistake(name: string): string | undefined {
  if (/^[!#$%&'*+\-.^_`|~\w]+$/.test(name)) return undefined;
  return `${JSON.stringify(name)} is not the name of a header`;
}

/**
 * Returns the headers for metadata, as in Thanos. A name that begins with X-Amz- is a header, such
 * as X-Amz-Storage-Class; any other name is the name of metadata.
 */
function objectHeaders(given: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const pairs = [...given].map(([name, value]): [string, string] => {
    const lower = name.toLowerCase();
    return [lower.startsWith('x-amz-') ? lower : `x-amz-meta-${lower}`, value];
  });
  return new Map(pairs);
}
