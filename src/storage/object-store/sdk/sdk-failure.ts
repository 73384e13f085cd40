// Reads the errors of the vendors' clients. Each client has its own form of errors.
import { errorMessage, networkMessage } from '../../../base/errors.ts';

/** A failed call. */
export interface SdkFailure {
  /** HTTP status; undefined if there was no response. */
  readonly status: number | undefined;
  /** Reason in one line. */
  readonly said: string;
  /** True if credentials are missing or were refused. */
  readonly isLogin: boolean;
  /** True if the bucket itself does not exist. */
  readonly isBucketMissing: boolean;
  /** True if there is no space for the new object. */
  readonly isFull: boolean;
}

/** Maximum number of characters of a server's message that a message of ours quotes. */
const quotedCharactersMax = 300;
/**
 * Matches messages of failed logins. Such errors have no status, or the status of another server.
 */
const loginForms = /credential|authentication(?:required)?error|invalid_grant|invalid_client/i;
const missingForms = /bucket does not exist|NoSuchBucket|ContainerNotFound/;
const fullForms = /StorageFull|QuotaExceeded/;

/** Returns the facts about an error of a client. */
export function describeFailure(error: unknown): SdkFailure {
  const status = readStatus(error);
  const name = readField(error, 'name');
  const code =
    readField(error, 'code') ?? (status !== undefined && isAmazon(error) ? name : undefined);
  const message = readMessage(error);
  const word = typeof code === 'string' ? ` ${code}` : '';
  const line = (message.split('\n', 1)[0] ?? '').slice(0, quotedCharactersMax);
  const isLogin =
    status === 401 || status === 403 || loginForms.test(`${String(name)} ${message.slice(0, 500)}`);
  return {
    status,
    isLogin,
    isBucketMissing: status === 404 && missingForms.test(`${word} ${message}`),
    isFull: status === 507 || (status !== undefined && fullForms.test(word)),
    said:
      status === undefined
        ? isLogin
          ? line
          : networkMessage(error)
        : `it answers ${status}${word}: ${line}`,
  };
}

/** Returns true for an error of Amazon's client. Its name is the code in the answer. */
function isAmazon(error: unknown): boolean {
  return readField(error, '$metadata') !== undefined;
}

/** Returns the HTTP status. It depends on the client and on the failed step which field has it. */
function readStatus(error: unknown): number | undefined {
  const response = readField(error, 'response');
  const found = [
    readField(error, 'statusCode'),
    readField(error, 'code'),
    readField(error, 'status'),
    readField(response, 'status'),
    readField(readField(error, '$metadata'), 'httpStatusCode'),
  ].find((value) => typeof value === 'number' && value >= 300 && value < 600);
  return typeof found === 'number' ? found : undefined;
}

/** Returns the message of an error. Errors of Google's client have a list of messages. */
function readMessage(error: unknown): string {
  const errors = readField(error, 'errors');
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  const inner = readField(first, 'message');
  return typeof inner === 'string' && inner !== '' ? inner : errorMessage(error);
}

function readField(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}
