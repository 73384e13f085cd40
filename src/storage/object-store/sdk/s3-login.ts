// Keys of an S3 bucket: configured keys, or the keys that Amazon's tools would find.
import type { S3Bucket } from '../../../config/bucket-config.ts';
import type { S3Transport } from './s3-transport.ts';
import type { LoadSdk } from './sdk.ts';

/** Types of `@aws-sdk/credential-providers` that this file uses. */
interface ProvidersSdk {
  fromNodeProviderChain(options: object): S3KeysSource;
}

/** Keys in the form that the client expects. */
export interface S3Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Function that returns the keys of a bucket, which may change. */
export type S3KeysSource = () => Promise<S3Keys>;

/**
 * Returns a function that creates a new source of keys. It returns the keys of the configuration,
 * if there are any. Otherwise it finds keys in environment variables, in a profile of the shared
 * files, or with a web identity (EKS), the container (ECS, EKS Pod Identity), or the role of the
 * machine (EC2). The client keeps the keys until shortly before they expire.
 *
 * Errors: as in `loadSdk`.
 */
export async function openS3Login(
  { accessKey, secretKey, sessionToken, stsUrl }: S3Bucket,
  region: string,
  transport: S3Transport,
  loadSdk: LoadSdk,
): Promise<() => S3KeysSource> {
  if (accessKey !== '') {
    const keys = { accessKeyId: accessKey, secretAccessKey: secretKey };
    const all = sessionToken === '' ? keys : { ...keys, sessionToken };
    return () => async () => all;
  }
  const sdk = (await loadSdk('s3', '@aws-sdk/credential-providers')) as ProvidersSdk;
  const clientConfig = {
    region,
    endpoint: stsUrl === '' ? undefined : stsUrl,
    requestHandler: transport,
  };
  return () => sdk.fromNodeProviderChain({ clientConfig });
}
