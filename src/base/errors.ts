// The typed errors of the domain. Only `src/api` maps their codes to gRPC and HTTP statuses.
import { connectionFault } from './connection-fault.ts';

/** The kind of a failure, independent of any protocol. */
export type ErrorCode =
  | 'invalid-argument'
  | 'unauthenticated'
  | 'permission-denied'
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

/** Optional fields of an AppError. */
export interface AppErrorOptions {
  readonly cause?: unknown;
  readonly retryAfterMillis?: number | undefined;
  readonly limit?: string | undefined;
}

/**
 * An expected failure: bad input, or a failing environment.
 *
 * The message says "cannot <verb> <noun>: <why>" (or uses Parca's wording if clients know it), in
 * lower case, with the wrong value and the limit.
 */
export class AppError extends Error {
  override readonly name: string = 'AppError';
  readonly code: ErrorCode;
  /** Time after which the same request may succeed; undefined if it never will. */
  readonly retryAfterMillis: number | undefined;
  /** Flag of the limit that was reached, without its dashes; undefined if the limit has no flag. */
  readonly limit: string | undefined;

  constructor(code: ErrorCode, message: string, options?: AppErrorOptions) {
    super(message, options);
    this.code = code;
    this.retryAfterMillis = options?.retryAfterMillis;
    this.limit = options?.limit;
  }
}

/** Returns the reason why a signal was aborted. */
export function abortReason(signal: AbortSignal): AppError {
  const { reason }: { reason: unknown } = signal;
  return reason instanceof AppError ? reason : new AppError('cancelled', 'it was cancelled');
}

/** Returns the code of an error, 'internal' unless it is an AppError. */
export function errorCode(error: unknown): ErrorCode {
  return error instanceof AppError ? error.code : 'internal';
}

/** Returns the message of any thrown value. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Returns the message of a network error, without OpenSSL's prefix. If a host has several
 * addresses, Node nests the error of each address.
 */
export function networkMessage(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.map(networkMessage).join('; ');
  }
  const message = errorMessage(error);
  return connectionFault(message)?.text ?? (message || 'the connection failed');
}
