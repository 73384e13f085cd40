// The address of an S3 bucket: the server, the region, and where requests name the bucket.
import { AppError } from '../../../base/errors.ts';
import { s3BucketMistake, s3EndpointMistake } from '../../../config/s3-names.ts';

/** Address of a bucket in requests. */
export interface S3Place {
  /** Name for messages. */
  readonly name: string;
  /** Scheme, host and port of the server, without the bucket. */
  readonly origin: string;
  /** True if requests name the bucket in the host, false if they name it in the path. */
  readonly isBucketInHost: boolean;
  /** Region for which requests are signed, until the server names another region. */
  readonly region: string;
}

export interface S3PlaceOptions {
  readonly bucket: string;
  /** `host` or `host:port`. */
  readonly endpoint: string;
  /** Region. If it is "", the region in the endpoint is used, or us-east-1 if there is none. */
  readonly region: string;
  readonly insecure: boolean;
  readonly lookup: 'auto' | 'virtual-hosted' | 'path';
}

const defaultRegion = 'us-east-1';

/**
 * Returns the address of a bucket.
 *
 * Errors: AppError 'invalid-argument' if the endpoint is not a host, or if S3 does not allow the
 * bucket name.
 */
export function s3Place(options: S3PlaceOptions): S3Place {
  const { bucket, endpoint } = options;
  const endpointMistake = s3EndpointMistake(endpoint);
  if (endpointMistake !== undefined) {
    throw bad(`endpoint ${JSON.stringify(endpoint)}`, endpointMistake);
  }
  const bucketMistake = s3BucketMistake(bucket);
  if (bucketMistake !== undefined)
    throw bad(`bucket name ${JSON.stringify(bucket)}`, bucketMistake);
  return {
    name: `${bucket} at ${endpoint}`,
    origin: `${options.insecure ? 'http' : 'https'}://${endpoint}`,
    isBucketInHost: isBucketInHost(options),
    region: options.region === '' ? guessRegion(endpoint) : options.region,
  };
}

/**
 * Returns true if requests name the bucket in the host. By default, this is done for Amazon and
 * Google, unless the name has dots that break TLS.
 */
function isBucketInHost({ bucket, endpoint, insecure, lookup }: S3PlaceOptions): boolean {
  if (lookup !== 'auto') return lookup === 'virtual-hosted';
  if (!insecure && bucket.includes('.')) return false;
  return /(^|\.)(amazonaws\.com(\.cn)?|storage\.googleapis\.com|aliyuncs\.com)(:|$)/.test(endpoint);
}

function guessRegion(endpoint: string): string {
  return /^s3[.-](?:dualstack\.)?([a-z]+(?:-[a-z]+)+-\d)\./.exec(endpoint)?.[1] ?? defaultRegion;
}

function bad(what: string, why: string): AppError {
  return new AppError('invalid-argument', `cannot use S3 ${what}: ${why}`);
}
