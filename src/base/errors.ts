// The typed errors of the domain. `src/api` alone maps their codes to gRPC and HTTP statuses.

/** The kind of a failure, independent of any protocol. */
export type ErrorCode =
  | 'invalid-argument'
  | 'not-found'
  | 'already-exists'
  | 'failed-precondition'
  | 'aborted'
  | 'out-of-range'
  | 'resource-exhausted'
  | 'deadline-exceeded'
  | 'cancelled'
  | 'unimplemented'
  | 'unavailable'
  | 'data-loss'
  | 'internal';

/**
 * An expected failure: bad input, or an environment that does not cooperate.
 *
 * The message says "cannot <verb> <noun>: <why>" (or Parca's own text where clients know it),
 * in lower case, with the offending value and the limit it met.
 */
export class AppError extends Error {
  override readonly name: string = 'AppError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** The code of an error, 'internal' for anything that is not an AppError. */
export function errorCode(error: unknown): ErrorCode {
  return error instanceof AppError ? error.code : 'internal';
}

/** The message of anything that was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
