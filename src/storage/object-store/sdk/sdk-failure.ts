// Errors of the vendors' clients, each of which has a form of its own.
import { errorMessage, networkMessage } from '../../../base/errors.ts';

/** A failed call. */
export interface SdkFailure {
  /** Status of the answer; undefined if there was none. */
  readonly status: number | undefined;
  /** Reason in one line. */
  readonly said: string;
  /** True if there is no login, or it was refused. */
  readonly isLogin: boolean;
  /** True if the bucket itself does not exist. */
  readonly isBucketMissing: boolean;
}

/** Characters of a refusal that are quoted. */
const quotedCharactersMax = 300;
/** Errors of logins: they have no status, or that of another server. */
const loginForms = /credential|authentication(?:required)?error|invalid_grant|invalid_client/i;
const missingForms = /bucket does not exist|ContainerNotFound/;

/** Returns what an error of a client says. */
export function describeFailure(error: unknown): SdkFailure {
  const status = statusOf(error);
  const code = fieldOf(error, 'code');
  const name = fieldOf(error, 'name');
  const message = messageOf(error);
  const word = typeof code === 'string' ? ` ${code}` : '';
  const line = (message.split('\n', 1)[0] ?? '').slice(0, quotedCharactersMax);
  const isLogin =
    status === 401 || status === 403 || loginForms.test(`${String(name)} ${message.slice(0, 500)}`);
  return {
    status,
    isLogin,
    isBucketMissing: status === 404 && missingForms.test(`${word} ${message}`),
    said:
      status === undefined
        ? isLogin
          ? line
          : networkMessage(error)
        : `it answers ${status}${word}: ${line}`,
  };
}

/** The field differs by the client, and by its part that failed. */
function statusOf(error: unknown): number | undefined {
  const response = fieldOf(error, 'response');
  const found = [
    fieldOf(error, 'statusCode'),
    fieldOf(error, 'code'),
    fieldOf(error, 'status'),
    fieldOf(response, 'status'),
  ].find((value) => typeof value === 'number' && value >= 300 && value < 600);
  return typeof found === 'number' ? found : undefined;
}

/** Returns the message; Google's client hides several in a list. */
function messageOf(error: unknown): string {
  const errors = fieldOf(error, 'errors');
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  const inner = fieldOf(first, 'message');
  return typeof inner === 'string' && inner !== '' ? inner : errorMessage(error);
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}
