// Opens the bucket that the `object_storage` section of the config describes.
import type { Clock } from '../../../base/clock.ts';
import type { Files } from '../../../base/files.ts';
import type { Random } from '../../../base/random.ts';
import type { ObjectStorageConfig } from '../../../config/bucket-config.ts';
import type { Bucket } from '../bucket.ts';
import { createFilesystemBucket } from '../filesystem-bucket.ts';
import type { LoadSdk } from '../sdk/sdk.ts';

export interface OpenBucketOptions {
  readonly config: ObjectStorageConfig;
  readonly files: Files;
  readonly clock: Clock;
  readonly random: Random;
  /** Loads the client of a vendor. Such a client is installed only if a bucket needs it. */
  readonly loadSdk: LoadSdk;
}

/**
 * Creates the client of a bucket, without sending a request.
 *
 * Errors: AppError 'invalid-argument' for invalid addresses and prefixes; 'failed-precondition' if
 * a file with a key or a certificate cannot be read, or the vendor's client is not installed.
 */
export async function openBucket(options: OpenBucketOptions): Promise<Bucket> {
  const { prefix, bucket } = options.config;
  if (bucket.type === 'FILESYSTEM') {
    return createFilesystemBucket({ files: options.files, directory: bucket.directory, prefix });
  }
  // Only the client of the configured vendor is loaded.
  if (bucket.type === 'S3') {
    const { openS3Bucket } = await import('../sdk/s3-bucket.ts');
    return openS3Bucket(bucket, prefix, options);
  }
  if (bucket.type === 'GCS') {
    const { openGcsBucket } = await import('../sdk/gcs-bucket.ts');
    return openGcsBucket(bucket, prefix, options);
  }
  const { openAzureBucket } = await import('../sdk/azure-bucket.ts');
  return openAzureBucket(bucket, prefix, options);
}
