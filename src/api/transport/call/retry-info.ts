// Tells callers after which time they may repeat a refused request, in the form of each protocol.
// Source: google/rpc/error_details.proto; gRPC proposal A6 for `grpc-retry-pushback-ms`.
import { ProtobufWriter } from '../../../formats/protobuf-writer.ts';
import { AppError, errorCode, errorMessage } from '../../../base/errors.ts';
import { wireStatus } from './status.ts';

const typeName = 'google.rpc.RetryInfo';
const typeUrl = `type.googleapis.com/${typeName}`;

/**
 * Returns the time after which to retry, in milliseconds; undefined for an error that a retry would
 * repeat.
 */
function retryMillis(error: unknown): number | undefined {
  return error instanceof AppError ? error.retryAfterMillis : undefined;
}

/** Returns the headers of an HTTP answer. */
export function retryHeaders(error: unknown): Record<string, string> {
  const millis = retryMillis(error);
  return millis === undefined ? {} : { 'retry-after': String(Math.ceil(millis / 1000)) };
}

/**
 * Returns the trailers of a gRPC answer. OTLP's exporters read the first one, gRPC libraries read
 * the second one.
 */
export function retryTrailers(error: unknown): Record<string, string> {
  const millis = retryMillis(error);
  if (millis === undefined) return {};
  const status = new ProtobufWriter();
  status.uint(1, wireStatus(errorCode(error)).grpc);
  status.bytesField(2, Buffer.from(errorMessage(error)));
  const any = status.begin(3);
  status.bytesField(1, Buffer.from(typeUrl));
  status.bytesField(2, encodeRetryInfo(millis));
  status.end(any);
  return {
    'grpc-status-details-bin': unpaddedBase64(status.finish()),
    'grpc-retry-pushback-ms': String(millis),
  };
}

/** Returns the details of an error in grpc-gateway's JSON. */
export function jsonDetails(error: unknown): object[] {
  const millis = retryMillis(error);
  return millis === undefined ? [] : [{ '@type': typeUrl, retryDelay: `${millis / 1000}s` }];
}

/** Returns the details of an error in Connect's JSON. */
export function connectDetails(error: unknown): object[] {
  const millis = retryMillis(error);
  if (millis === undefined) return [];
  return [{ type: typeName, value: unpaddedBase64(encodeRetryInfo(millis)) }];
}

function encodeRetryInfo(millis: number): Uint8Array {
  const info = new ProtobufWriter();
  const delay = info.begin(1);
  info.uint(1, Math.floor(millis / 1000));
  info.uint(2, (millis % 1000) * 1_000_000);
  info.end(delay);
  return info.finish();
}

function unpaddedBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('=', '');
}
