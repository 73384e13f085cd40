// Opens the bucket that `object_storage` of the configuration names.
import type { Clock } from '../../base/clock.ts';
import type { Files } from '../../base/files.ts';
import type { Random } from '../../base/random.ts';
import type { ObjectStorageConfig } from '../../config/config.ts';
import type { Bucket } from './bucket.ts';
import { createFilesystemBucket } from './filesystem-bucket.ts';
import { createS3Bucket } from './s3-bucket.ts';
import { openS3Keys } from './s3-keys.ts';
import { s3Place } from './s3-place.ts';

/** The process's environment variables. */
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Makes the client of a bucket, without sending a request.
 *
 * Errors: AppError 'invalid-argument' for impossible addresses and prefixes.
 */
export function openBucket(options: {
  readonly config: ObjectStorageConfig;
  readonly files: Files;
  readonly clock: Clock;
  readonly random: Random;
  readonly environment: Environment;
}): Bucket {
  const { files, clock, random } = options;
  const { bucket, prefix } = options.config;
  if (bucket.type === 'FILESYSTEM') {
    return createFilesystemBucket({ files, directory: bucket.directory, prefix });
  }
  const place = s3Place(bucket);
  const keys = openS3Keys(bucket, place.region, options);
  return createS3Bucket({ place, prefix, keys, clock, random });
}
