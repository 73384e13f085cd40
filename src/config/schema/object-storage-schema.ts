// The schema of `object_storage`: the providers and keys of Thanos that are supported.
import type { FilesystemBucket, ObjectStorageConfig, S3Bucket } from '../config.ts';
import { httpUrl } from './http-schema.ts';
import {
  boolean,
  nonEmptyText,
  oneOf,
  optional,
  record,
  refine,
  required,
  invalid,
  secret,
  text,
  type Reader,
} from './read.ts';
import type { Place } from './place.ts';
import { s3BucketMistake, s3EndpointMistake } from '../s3-names.ts';

const filesystem: Reader<FilesystemBucket> = refine(
  record({ directory: required(nonEmptyText) }),
  ({ directory }) => ({ type: 'FILESYSTEM', directory }),
);

function named(what: string, findMistake: (name: string) => string | undefined): Reader<string> {
  return refine(nonEmptyText, (name, place) => {
    const mistake = findMistake(name);
    if (mistake === undefined) return name;
    place.report(`cannot use S3 ${what} ${JSON.stringify(name)}: ${mistake}`);
    return invalid;
  });
}

const s3: Reader<S3Bucket> = refine(
  record(
    {
      bucket: required(named('bucket', s3BucketMistake)),
      endpoint: required(named('endpoint', s3EndpointMistake)),
      region: optional(text, ''),
      access_key: optional(secret, ''),
      secret_key: optional(secret, ''),
      session_token: optional(secret, ''),
      aws_sdk_auth: optional(boolean, false),
      sts_endpoint: optional(httpUrl, ''),
      insecure: optional(boolean, false),
      bucket_lookup_type: optional(oneOf(['auto', 'virtual-hosted', 'path']), 'auto'),
    },
    [
      'disable_dualstack',
      'disable_multipart',
      'http_config',
      'list_objects_version',
      'max_retries',
      'part_size',
      'put_user_metadata',
      'send_content_md5',
      'signature_version2',
      'sse_config',
      'trace',
    ],
    (given, place) => {
      const { access_key: accessKey = '', secret_key: secretKey = '' } = given;
      if ((accessKey === '') !== (secretKey === '')) {
        place.report('expected both access_key and secret_key, or none of them');
      }
      // Keys of the machine are used wherever the configuration has none.
      if (given.aws_sdk_auth === true && accessKey !== '') {
        place.report('expected only one of aws_sdk_auth and access_key');
      }
    },
  ),
  (s3Config) => ({
    type: 'S3',
    bucket: s3Config.bucket,
    endpoint: s3Config.endpoint,
    region: s3Config.region,
    accessKey: s3Config.access_key,
    secretKey: s3Config.secret_key,
    sessionToken: s3Config.session_token,
    stsUrl: s3Config.sts_endpoint,
    insecure: s3Config.insecure,
    lookup: s3Config.bucket_lookup_type,
  }),
);

const providers: ReadonlyMap<string, Reader<FilesystemBucket | S3Bucket>> = new Map<
  string,
  Reader<FilesystemBucket | S3Bucket>
>([
  ['FILESYSTEM', filesystem],
  ['S3', s3],
]);

const providersNotYet = 'GCS AZURE SWIFT COS ALIYUNOSS BOS OCI OBS'.split(' ');

const providerName: Reader<string> = refine(text, (name, place) => {
  const upper = name.toUpperCase();
  if (providers.has(upper)) return upper;
  const why = providersNotYet.includes(upper) ? 'is not supported yet' : 'is unknown';
  place.report(`provider ${upper} ${why}, expected one of ${[...providers.keys()].join(', ')}`);
  return invalid;
});

/** Accepts any map: the keys that are allowed depend on `type`. */
const laterRead: Reader<Place> = (place) => place;

const bucket: Reader<ObjectStorageConfig> = refine(
  record({
    type: required(providerName),
    config: required(laterRead),
    prefix: optional(text, ''),
  }),
  ({ type, config, prefix }) => {
    const provider = providers.get(type)?.(config) ?? invalid;
    return provider === invalid ? invalid : { prefix, bucket: provider };
  },
);

/** `object_storage`. */
export const objectStorage: Reader<ObjectStorageConfig> = refine(
  record({ bucket: required(bucket) }),
  (storage) => storage.bucket,
);
