// gRPC and HTTP statuses of error codes.
import { AppError, type ErrorCode } from '../../../base/errors.ts';

/** An error code as clients see it. */
export interface WireStatus {
  /** Number of google.rpc.Code. */
  readonly grpc: number;
  /** Name in the `grpc_code` label of metrics. */
  readonly name: string;
  /** HTTP status, as grpc-gateway maps it. */
  readonly http: number;
}

const statuses: Readonly<Record<ErrorCode, WireStatus>> = {
  cancelled: { grpc: 1, name: 'Canceled', http: 499 },
  'invalid-argument': { grpc: 3, name: 'InvalidArgument', http: 400 },
  'deadline-exceeded': { grpc: 4, name: 'DeadlineExceeded', http: 504 },
  unauthenticated: { grpc: 16, name: 'Unauthenticated', http: 401 },
  'permission-denied': { grpc: 7, name: 'PermissionDenied', http: 403 },
  'not-found': { grpc: 5, name: 'NotFound', http: 404 },
  'already-exists': { grpc: 6, name: 'AlreadyExists', http: 409 },
  'resource-exhausted': { grpc: 8, name: 'ResourceExhausted', http: 429 },
  'failed-precondition': { grpc: 9, name: 'FailedPrecondition', http: 400 },
  aborted: { grpc: 10, name: 'Aborted', http: 409 },
  'out-of-range': { grpc: 11, name: 'OutOfRange', http: 400 },
  unimplemented: { grpc: 12, name: 'Unimplemented', http: 501 },
  internal: { grpc: 13, name: 'Internal', http: 500 },
  unavailable: { grpc: 14, name: 'Unavailable', http: 503 },
  'data-loss': { grpc: 15, name: 'DataLoss', http: 500 },
};

/** Status of a success. */
export const okStatus: WireStatus = { grpc: 0, name: 'OK', http: 200 };

/** Returns the status of a failure. */
export function wireStatus(code: ErrorCode): WireStatus {
  return statuses[code];
}

/** Name of the flag that limits the size of a body or message. */
export const requestSizeFlag = 'http-max-request-size';

/** Error for a body or message that exceeds the server's limit, before or after decompression. */
export class TooLargeError extends AppError {
  override readonly name = 'TooLargeError';

  constructor(message: string, limit = requestSizeFlag) {
    super('resource-exhausted', message, { limit });
  }
}
