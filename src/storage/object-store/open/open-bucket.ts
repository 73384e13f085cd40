// Opens the bucket of the `object_storage` section of the config.
import type { Clock } from '../../../base/clock.ts';
import type { Files } from '../../../base/files.ts';
import type { Random } from '../../../base/random.ts';
import type { ObjectStorageConfig, S3Bucket } from '../../../config/bucket-config.ts';
import type { Bucket } from '../bucket.ts';
import { openBucketHttp } from '../bucket-http.ts';
import { createFilesystemBucket } from '../filesystem-bucket.ts';
import { createS3Bucket } from '../s3/s3-bucket.ts';
import { encryptionHeaders } from '../s3/s3-encryption.ts';
import { openS3Keys } from '../s3/s3-keys.ts';
import { s3Place } from '../s3/s3-place.ts';
import type { LoadSdk } from '../sdk/sdk.ts';

/** The process's environment variables. */
type Environment = Readonly<Record<string, string | undefined>>;

export interface OpenBucketOptions {
  readonly config: ObjectStorageConfig;
  readonly files: Files;
  readonly clock: Clock;
  readonly random: Random;
  readonly environment: Environment;
  /** Loads the client of a vendor, which is installed only where a bucket needs it. */
  readonly loadSdk: LoadSdk;
}

/**
 * Creates the client of a bucket, without sending a request.
 *
 * Errors: AppError 'invalid-argument' for impossible addresses and prefixes; 'failed-precondition'
 * if files of keys or certificates cannot be read, or the vendor's client is not installed.
 */
export async function openBucket(options: OpenBucketOptions): Promise<Bucket> {
  const { prefix, bucket } = options.config;
  if (bucket.type === 'FILESYSTEM') {
    return createFilesystemBucket({ files: options.files, directory: bucket.directory, prefix });
  }
  if (bucket.type === 'S3') return openS3(bucket, prefix, options);
  // Loaded only for a bucket of this kind.
  if (bucket.type === 'GCS') {
    const { openGcsBucket } = await import('../sdk/gcs-bucket.ts');
    return openGcsBucket(bucket, prefix, options);
  }
  const { openAzureBucket } = await import('../sdk/azure-bucket.ts');
  return openAzureBucket(bucket, prefix, options);
}

async function openS3(
  bucket: S3Bucket,
  prefix: string,
  options: OpenBucketOptions,
): Promise<Bucket> {
  const { files, clock, random } = options;
  const place = s3Place(bucket);
  return createS3Bucket({
    place,
    prefix,
    settings: bucket,
    encryption: await encryptionHeaders(bucket.encryption, files),
    keys: openS3Keys(bucket, place.region, options),
    http: await openBucketHttp(bucket.http, options),
    answerMillis: bucket.http.answerMillis,
    clock,
    random,
  });
}
