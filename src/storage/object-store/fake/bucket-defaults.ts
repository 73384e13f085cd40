// Settings of buckets in tests.
import { plainBucketHttp, type S3Bucket } from '../../../config/bucket-config.ts';
import type { LoadSdk } from '../sdk/sdk.ts';

/** Default values of the config, without the keys. */
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

/** Stands for the loader of vendors' clients in tests that need none. */
export const noSdk: LoadSdk = (kind) =>
  Promise.reject(new Error(`the client of ${kind} is not wanted`));
