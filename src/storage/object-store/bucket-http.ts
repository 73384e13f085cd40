// The HTTP client of a bucket, with the connections and TLS settings of `http_config`.
import type { Clock } from '../../base/clock.ts';
import type { Files } from '../../base/files.ts';
import type { BucketHttp } from '../../config/bucket-config.ts';
import { plainHttpClient } from '../../config/config.ts';
import { createHttpClient, type HttpClient } from '../../http-client/http-client.ts';

/**
 * Largest number of concurrent requests to one bucket. It is enough for queries, the upload of a
 * block, and the lease.
 */
const connectionsMaxDefault = 16;
/**
 * Time in milliseconds for which an idle connection is kept. Most servers keep it longer; other
 * servers announce a shorter time.
 */
const idleMillisDefault = 4_000;
const connectMillisDefault = 5_000;

/**
 * Creates a client that uses the proxies in the environment, as Thanos does.
 *
 * Errors: AppError 'failed-precondition' when a TLS file cannot be read.
 */
export function openBucketHttp(
  http: BucketHttp,
  { clock, files }: { readonly clock: Clock; readonly files: Pick<Files, 'read'> },
): Promise<HttpClient> {
  const proxy = { kind: 'environment', headers: new Map() } as const;
  return createHttpClient({
    config: { ...plainHttpClient, tls: http.tls, proxy },
    intervalMillis: 0,
    userAgent: 'parca',
    clock,
    files,
    connections: {
      idleMillis: http.idleMillis ?? idleMillisDefault,
      connectMillis: http.connectMillis ?? connectMillisDefault,
      countMax: http.connectionsMax ?? connectionsMaxDefault,
    },
  });
}
