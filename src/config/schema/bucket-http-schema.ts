// The schema of a bucket's `http_config`: settings of connections and TLS, with the keys of Thanos.
import { type BucketHttp, plainBucketHttp } from '../bucket-config.ts';
import { tls } from './http-schema.ts';
import {
  boolean,
  duration,
  type Field,
  integer,
  optional,
  record,
  refine,
  type Reader,
} from './read.ts';

const connectionsMax = 10_000;

const maybeDuration = optional(duration, undefined);
const maybeCount = optional(integer(0, connectionsMax), undefined);

/**
 * Keys that have no effect here, because answers are never compressed and there are few idle
 * connections.
 */
const needless = {
  expect_continue_timeout: maybeDuration,
  max_idle_conns: maybeCount,
  max_idle_conns_per_host: maybeCount,
  disable_compression: optional(boolean, false),
};

const httpConfig: Reader<BucketHttp> = refine(
  record({
    ...needless,
    idle_conn_timeout: maybeDuration,
    response_header_timeout: maybeDuration,
    tls_handshake_timeout: maybeDuration,
    max_conns_per_host: maybeCount,
    insecure_skip_verify: optional(boolean, false),
    tls_config: optional(tls, undefined),
  }),
  (given) => ({
    tls: given.insecure_skip_verify ? withoutChecks(given.tls_config) : given.tls_config,
    idleMillis: positive(given.idle_conn_timeout),
    answerMillis: positive(given.response_header_timeout),
    connectMillis: positive(given.tls_handshake_timeout),
    connectionsMax: positive(given.max_conns_per_host),
  }),
);

/** Schema of `http_config`. */
export const bucketHttp: Field<BucketHttp> = optional(httpConfig, plainBucketHttp);

function withoutChecks(given: BucketHttp['tls']): BucketHttp['tls'] {
  const plain = {
    ca: undefined,
    cert: undefined,
    key: undefined,
    serverName: '',
    minVersion: undefined,
    maxVersion: undefined,
  };
  return { ...plain, ...given, insecureSkipVerify: true };
}

/** Returns the value; undefined for 0, which means "no limit". */
function positive(value: number | undefined): number | undefined {
  return value === 0 ? undefined : value;
}
