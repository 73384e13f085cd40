// Trailers of gRPC: a status and a percent-encoded message.
import { errorCode, errorMessage } from '../../../base/errors.ts';
import { retryTrailers } from '../call/retry-info.ts';
import { okStatus, wireStatus } from '../call/status.ts';

/**
 * Percent-encodes "%", every character that is not printable ASCII, and spaces at both ends. HTTP/2
 * does not allow such values, and receivers would drop the whole field.
 */
export function encodeStatusMessage(text: string): string {
  return text.toWellFormed().replace(/[^ -$&-~]+|^ +| +$/g, (run) => encodeURIComponent(run));
}

/**
 * Returns the trailers of a call that failed with `error`, or of a successful call if `error` is
 * undefined.
 */
export function statusTrailers(error?: unknown): Record<string, string> {
  if (error === undefined) return { 'grpc-status': String(okStatus.grpc) };
  return {
    'grpc-status': String(wireStatus(errorCode(error)).grpc),
    'grpc-message': encodeStatusMessage(errorMessage(error)),
    ...retryTrailers(error),
  };
}
