// The headers of gRPC: statuses, timeouts, percent-encoded messages.
import { AppError, errorCode, errorMessage } from '../../base/errors.ts';
import { okStatus, wireStatus } from '../call/status.ts';

const unitMillis: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1_000,
  m: 1,
  u: 1e-3,
  n: 1e-6,
};

/**
 * Milliseconds of a `grpc-timeout` header, undefined when there is none.
 *
 * Errors: AppError 'invalid-argument' when it is malformed.
 */
export function parseTimeout(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const match = /^(\d{1,8})([HMSmun])$/.exec(header);
  if (!match) {
    throw new AppError('invalid-argument', `cannot parse grpc-timeout ${JSON.stringify(header)}`);
  }
  return Number(match[1]) * unitMillis[match[2]];
}

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
