// Settings of buckets in tests, and the clients of their vendors.
import { createRequire } from 'node:module';
import { plainBucketHttp, type S3Bucket } from '../../../config/bucket-config.ts';
import type { LoadSdk } from '../sdk/sdk.ts';

/** Default values of an S3 bucket in the config, without access keys. */
export const s3Defaults: Omit<S3Bucket, 'bucket' | 'endpoint'> = {
  type: 'S3',
  region: '',
  accessKey: '',
  secretKey: '',
  sessionToken: '',
  stsUrl: '',
  insecure: false,
  lookup: 'auto',
  encryption: undefined,
  partBytes: undefined,
  hasParts: true,
  listVersion: 'v2',
  objectHeaders: new Map(),
  sendsMd5: false,
  attemptsMax: 0,
  http: plainBucketHttp,
};

/**
 * Loads the client of a vendor from the checkout, into which the set-up of the tests has installed
 * it.
 */
export const loadTestSdk: LoadSdk = async (kind, packageName) => {
  const folder = new URL(`../../../../sdk/${kind}/package.json`, import.meta.url);
  return createRequire(folder)(packageName) as unknown;
};
