// The trailers of gRPC: statuses and percent-encoded messages.
import { errorCode, errorMessage } from '../../base/errors.ts';
import { okStatus, wireStatus } from '../call/status.ts';

/** Percent-encodes what is not printable ASCII, and "%". */
export function encodeStatusMessage(text: string): string {
  return text.toWellFormed().replace(/[^ -$&-~]+/g, (run) => encodeURIComponent(run));
}

/** The trailers of a call that ended with `error`, or well when it is undefined. */
export function statusTrailers(error?: unknown): Record<string, string> {
  if (error === undefined) return { 'grpc-status': String(okStatus.grpc) };
  return {
    'grpc-status': String(wireStatus(errorCode(error)).grpc),
    'grpc-message': encodeStatusMessage(errorMessage(error)),
  };
}
