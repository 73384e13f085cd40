// Vendors of buckets, each with a server that speaks its protocol.
import {
  azuriteAccount,
  azuriteConnection,
  type BucketServer,
  startAzurite,
  startFakeGcs,
} from './bucket-servers.ts';
import { startMinio } from './minio.ts';

/** A vendor. `endpoint` is the host:port at which the profile server reaches the bucket. */
export interface BucketVendor {
  /** Value of `object_storage.bucket.type`. */
  readonly type: string;
  start(): Promise<Pick<BucketServer, 'endpoint' | 'remove'>>;
  /** Returns `object_storage.bucket.config`. */
  config(endpoint: string): object;
  /** Returns environment variables of the profile server. */
  variables(endpoint: string): Readonly<Record<string, string>>;
}

export const gcs: BucketVendor = {
  type: 'GCS',
  start: () => startFakeGcs(),
  config: () => ({ bucket: 'profiles' }),
  variables: (endpoint) => ({ STORAGE_EMULATOR_HOST: `http://${endpoint}` }),
};

export const azure: BucketVendor = {
  type: 'AZURE',
  start: () => startAzurite(),
  config: (endpoint) => ({
    storage_account: azuriteAccount,
    storage_connection_string: azuriteConnection(endpoint),
    container: 'profiles',
  }),
  variables: () => ({}),
};

/** Returns S3, served by one MinIO. */
export function s3(): BucketVendor {
  const keys: Record<string, string> = {};
  return {
    type: 'S3',
    start: async () => {
      const minio = await startMinio();
      const { bucket, accessKey, secretKey } = minio.config;
      Object.assign(keys, { bucket, access_key: accessKey, secret_key: secretKey });
      return minio;
    },
    config: (endpoint) => ({ ...keys, endpoint, insecure: true }),
    variables: () => ({}),
  };
}
