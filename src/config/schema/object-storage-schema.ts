// The schema of `object_storage`, with those providers and keys of Thanos that are supported.
import type { FilesystemBucket, ObjectStorageConfig } from '../bucket-config.ts';
import { azure } from './azure-schema.ts';
import { gcs } from './gcs-schema.ts';
import type { Place } from './place.ts';
import {
  nonEmptyText,
  optional,
  record,
  refine,
  required,
  invalid,
  text,
  type Reader,
} from './read.ts';
import { s3 } from './s3-schema.ts';

const filesystem: Reader<FilesystemBucket> = refine(
  record({ directory: required(nonEmptyText) }),
  ({ directory }) => ({ type: 'FILESYSTEM', directory }),
);

type ProviderReader = Reader<ObjectStorageConfig['bucket']>;
const providers: ReadonlyMap<string, ProviderReader> = new Map<string, ProviderReader>([
  ['FILESYSTEM', filesystem],
  ['S3', s3],
  ['GCS', gcs],
  ['AZURE', azure],
]);

/**
 * Providers that Thanos supports and this server does not support yet. Most of them can also be
 * used as S3.
 */
const providersNotYet = 'SWIFT COS ALIYUNOSS BOS OCI OBS'.split(' ');

const providerName: Reader<string> = refine(text, (name, place) => {
  const upper = name.toUpperCase();
  if (providers.has(upper)) return upper;
  const why = providersNotYet.includes(upper) ? 'is not supported yet' : 'is unknown';
  place.report(`provider ${upper} ${why}, expected one of ${[...providers.keys()].join(', ')}`);
  return invalid;
});

/** Accepts any map; it is read later, when its `type` is known. */
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

/** Schema of `object_storage`. */
export const objectStorage: Reader<ObjectStorageConfig> = refine(
  record({ bucket: required(bucket) }),
  (storage) => storage.bucket,
);
