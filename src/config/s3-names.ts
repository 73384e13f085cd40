// Checks endpoints and bucket names of S3, both for the config file and for the client.

/** Returns why a string is not an endpoint; undefined if it is valid. */
export function s3EndpointMistake(endpoint: string): string | undefined {
  if (/^([a-z0-9.-]+|\[[0-9a-f:]+\])(:\d{1,5})?$/i.test(endpoint)) return undefined;
  return 'expected host or host:port, without a scheme or path';
}

/** Returns why a string is not the name of a bucket; undefined if it is valid. */
export function s3BucketMistake(bucket: string): string | undefined {
  const isGood = /^[a-z0-9][\w.-]{1,61}[a-z0-9]$/i.test(bucket) && !bucket.includes('..');
  return isGood ? undefined : 'S3 does not allow it';
}
