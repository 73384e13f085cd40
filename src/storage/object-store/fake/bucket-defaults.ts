// Settings of buckets in tests.
import { plainBucketHttp, type S3Bucket } from '../../../config/bucket-config.ts';
import type { LoadSdk } from '../sdk/sdk.ts';

/** Values of a config without the keys. */
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

/** A loader for buckets that need no client of a vendor. */
export const noSdk: LoadSdk = (kind) =>
  Promise.reject(new Error(`the client of ${kind} is not wanted`));
