// The bucket for blocks, as in the config file, with one type for each provider and Thanos' keys.
import type { TextSource, TlsConfig } from './text-source.ts';

/** The bucket for blocks. */
export interface ObjectStorageConfig {
  /** Prefix of every key in the bucket. */
  readonly prefix: string;
  readonly bucket: FilesystemBucket | S3Bucket | GcsBucket | AzureBucket;
}

export interface FilesystemBucket {
  readonly type: 'FILESYSTEM';
  /**
   * Path of the folder: absolute, or relative to the working directory of the process, as in Parca.
   */
  readonly directory: string;
}

/** Connections to a bucket; undefined = the default of the client. */
export interface BucketHttp {
  readonly tls: TlsConfig | undefined;
  /** Time after which a connection without requests is closed. */
  readonly idleMillis: number | undefined;
  /** Longest time from a request to the first byte of its answer. */
  readonly answerMillis: number | undefined;
  readonly connectMillis: number | undefined;
  readonly connectionsMax: number | undefined;
}

/** Connections with default settings. */
export const plainBucketHttp: BucketHttp = {
  tls: undefined,
  idleMillis: undefined,
  answerMillis: undefined,
  connectMillis: undefined,
  connectionsMax: undefined,
};

export interface S3Bucket {
  readonly type: 'S3';
  readonly bucket: string;
  readonly endpoint: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly sessionToken: string;
  /** Address of STS, which gives keys for a web identity; "" = Amazon's address. */
  readonly stsUrl: string;
  /** True for plain HTTP. */
  readonly insecure: boolean;
  readonly lookup: 'auto' | 'virtual-hosted' | 'path';
  /** Encryption to request from the server; undefined = the default of the server. */
  readonly encryption: S3Encryption | undefined;
  /** Bytes of a part of an upload; undefined = the default. */
  readonly partBytes: number | undefined;
  /** False if objects of any size are sent in one request. */
  readonly hasParts: boolean;
  readonly listVersion: 'v1' | 'v2';
  /** Headers of every stored object: its metadata and storage class. */
  readonly objectHeaders: ReadonlyMap<string, string>;
  /** True if each body is sent with its MD5, which buckets with locked objects require. */
  readonly sendsMd5: boolean;
  /** Number of attempts for a request; 0 = the default. */
  readonly attemptsMax: number;
  readonly http: BucketHttp;
}

export type S3Encryption =
  | { readonly kind: 'SSE-S3' }
  | {
      readonly kind: 'SSE-KMS';
      readonly keyId: string;
      readonly context: ReadonlyMap<string, string>;
    }
  /** The file has the 32 bytes of the key. */
  | { readonly kind: 'SSE-C'; readonly keyFile: string };

export interface GcsBucket {
  readonly type: 'GCS';
  readonly bucket: string;
  /** JSON of a key or of another login; undefined = the login that Google's tools would find. */
  readonly serviceAccount: TextSource | undefined;
  /** Bytes of a part of an upload; 0 = the default. */
  readonly partBytes: number;
  readonly attemptsMax: number;
  readonly http: BucketHttp;
}

export interface AzureBucket {
  readonly type: 'AZURE';
  readonly account: string;
  readonly container: string;
  /** Domain of the service. */
  readonly endpoint: string;
  readonly login: AzureBucketLogin;
  /** True if a missing container is created. */
  readonly createsContainer: boolean;
  readonly attemptsMax: number;
  /** Longest time of an attempt; 0 = the default. */
  readonly attemptMillisMax: number;
  readonly http: BucketHttp;
}

export type AzureBucketLogin =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'connection-string'; readonly text: string }
  | {
      readonly kind: 'secret';
      readonly tenantId: string;
      readonly clientId: string;
      readonly secret: string;
    }
  | { readonly kind: 'user-assigned'; readonly clientId: string }
  /**
   * The login that Azure's tools would find: variables, a workload identity, or the machine's
   * identity.
   */
  | { readonly kind: 'default' };
