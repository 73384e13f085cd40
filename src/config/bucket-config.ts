// The bucket for blocks in the config file. Each provider has a type; the keys are those of Thanos.
import type { TextSource, TlsConfig } from './text-source.ts';

/** The bucket for blocks. */
export interface ObjectStorageConfig {
  /** Prefix of all keys in the bucket. */
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

/** Settings of connections to a bucket; undefined = the client's default. */
export interface BucketHttp {
  readonly tls: TlsConfig | undefined;
  /** Time after which a connection without requests is closed. */
  readonly idleMillis: number | undefined;
  /** Longest time from a request to the first byte of its answer. */
  readonly answerMillis: number | undefined;
  readonly connectMillis: number | undefined;
  readonly connectionsMax: number | undefined;
}

/** Settings of connections that are all defaults. */
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
  /** Address of STS, which exchanges a web identity for keys; "" = Amazon's address. */
  readonly stsUrl: string;
  /** True if the endpoint speaks HTTP without TLS. */
  readonly insecure: boolean;
  readonly lookup: 'auto' | 'virtual-hosted' | 'path';
  /** Encryption that the server is asked to use; undefined = the server's default. */
  readonly encryption: S3Encryption | undefined;
  /** Size of a part of an upload, in bytes; undefined = the default. */
  readonly partBytes: number | undefined;
  /** False if objects of any size are sent in one request. */
  readonly hasParts: boolean;
  readonly listVersion: 'v1' | 'v2';
  /** Headers with which every object is stored: its metadata and storage class. */
  readonly objectHeaders: ReadonlyMap<string, string>;
  /** True if each body is sent with its MD5, which buckets with locked objects require. */
  readonly sendsMd5: boolean;
  /** Maximum number of attempts for a request; 0 = the default. */
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
  /** The file contains the key, which is 32 bytes long. */
  | { readonly kind: 'SSE-C'; readonly keyFile: string };

export interface GcsBucket {
  readonly type: 'GCS';
  readonly bucket: string;
  /**
   * JSON of a service account key or of another login; undefined = the login that Google's tools
   * would find.
   */
  readonly serviceAccount: TextSource | undefined;
  /** Size of a part of an upload, in bytes; 0 = the default. */
  readonly partBytes: number;
  readonly attemptsMax: number;
  readonly http: BucketHttp;
}

export interface AzureBucket {
  readonly type: 'AZURE';
  readonly account: string;
  readonly container: string;
  /** Domain name of the storage service. */
  readonly endpoint: string;
  readonly login: AzureBucketLogin;
  /** True if the container is created when it is missing. */
  readonly createsContainer: boolean;
  readonly attemptsMax: number;
  /** Longest duration of an attempt, in milliseconds; 0 = the default. */
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
   * The login that Azure's tools would find: environment variables, a workload identity, or the
   * identity of the machine.
   */
  | { readonly kind: 'default' };
