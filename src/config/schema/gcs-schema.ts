// The schema of a bucket of Google Cloud Storage.
import { errorMessage } from '../../base/errors.ts';
import type { GcsBucket } from '../bucket-config.ts';
import type { TextSource } from '../text-source.ts';
import { bucketHttp } from './bucket-http-schema.ts';
import {
  boolean,
  integer,
  invalid,
  nonEmptyText,
  optional,
  type Reader,
  record,
  refine,
  required,
  secret,
} from './read.ts';
import { bucketAttemptsMax } from './s3-schema.ts';

const partBytesMax = 1_073_741_824;
const connectionsMax = 1_000;

/**
 * Reads the content of a key file, or of a file for another kind of login, which has the same form.
 */
const serviceAccount: Reader<TextSource | undefined> = refine(secret, (content, place) => {
  if (content.trim() === '') return undefined;
  try {
    const parsed: unknown = JSON.parse(content);
    if (typeof parsed === 'object' && parsed !== null && 'type' in parsed) {
      return { kind: 'inline', text: content };
    }
    place.report('expected the content of a key file of Google, which has a "type"');
  } catch (error) {
    // The parser's message may quote the secret, so only the position is taken from it.
    const at = /position \d+/.exec(errorMessage(error))?.[0] ?? 'some position';
    place.report(`expected the content of a key file of Google: it is not JSON at ${at}`);
  }
  return invalid;
});

const grpc: Reader<boolean> = refine(boolean, (isOn, place) => {
  if (isOn) place.warn('use_grpc has no effect: the bucket is asked by HTTP, with the same result');
  return isOn;
});

export const gcs: Reader<GcsBucket> = refine(
  record(
    {
      bucket: required(nonEmptyText),
      service_account: optional(serviceAccount, undefined),
      use_grpc: optional(grpc, false),
      grpc_conn_pool_size: optional(integer(0, connectionsMax), 0),
      chunk_size_bytes: optional(integer(0, partBytesMax), 0),
      max_retries: optional(integer(0, bucketAttemptsMax), 0),
      http_config: bucketHttp,
    },
    [],
    (given, place) => {
      if (given.http_config?.tls === undefined) return;
      place
        .at('http_config')
        .report(
          "Google's client takes certificates from the system and from NODE_EXTRA_CA_CERTS only",
        );
    },
  ),
  (given) => ({
    type: 'GCS',
    bucket: given.bucket,
    serviceAccount: given.service_account,
    partBytes: given.chunk_size_bytes,
    attemptsMax: given.max_retries,
    http: given.http_config,
  }),
);
