// Opens the bucket that `object_storage` of the configuration names.
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Files } from '../../base/files.ts';
import type { Random } from '../../base/random.ts';
import type { ObjectStorageConfig, S3Bucket } from '../../config/config.ts';
import type { Bucket } from './bucket.ts';
import { createFilesystemBucket } from './filesystem-bucket.ts';
import { createS3Bucket } from './s3-bucket.ts';
import type { AwsCredentials } from '../../base/node/aws-signature.ts';

/** The process's environment variables. */
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Makes the client of a bucket, without sending a request.
 *
 * Errors: AppError 'invalid-argument' for impossible addresses and prefixes,
 * 'failed-precondition' when there are no credentials.
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
  const credentials = credentialsOf(bucket, options.environment);
  return createS3Bucket({ place: bucket, prefix, credentials, clock, random });
}

/** Returns the credentials of the configuration, else of the environment, as in Thanos. */
function credentialsOf(bucket: S3Bucket, environment: Environment): AwsCredentials {
  const { accessKey, secretKey, sessionToken } = bucket;
  if (accessKey !== '' && secretKey !== '') return { accessKey, secretKey, sessionToken };
  const found = {
    accessKey: environment['AWS_ACCESS_KEY_ID'] ?? '',
    secretKey: environment['AWS_SECRET_ACCESS_KEY'] ?? '',
    sessionToken: environment['AWS_SESSION_TOKEN'] ?? '',
  };
  if (accessKey === '' && secretKey === '' && found.accessKey !== '' && found.secretKey !== '') {
    return found;
  }
  throw new AppError(
    'failed-precondition',
    `cannot open bucket ${bucket.bucket}: set access_key and secret_key, or ` +
      'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment',
  );
}
