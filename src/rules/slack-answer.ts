// Reads answers of Slack: its methods report failures with status 200, unlike incoming webhooks.
import { AppError } from '../base/errors.ts';
import { parseJsonBytes } from '../base/text/json.ts';

/** Failures of a message that is refused whenever it is sent. */
const permanent: ReadonlySet<unknown> = new Set([
  'invalid_attachments',
  'invalid_blocks',
  'msg_blocks_too_long',
  'msg_too_long',
  'no_text',
  'too_many_attachments',
]);

/**
 * Returns the reason of a permanent refusal; undefined if the message was accepted. The answer of a
 * webhook is the word "ok".
 *
 * Errors: AppError 'unavailable' if the message may be accepted later, for example after a change
 * of the config.
 */
export function readSlackAnswer(bytes: Uint8Array): string | undefined {
  const { ok, error } = readObject(bytes);
  if (ok !== false) return undefined;
  const why = `Slack answers ${JSON.stringify(error)}`;
  if (permanent.has(error)) return why;
  throw new AppError('unavailable', `cannot send alerts: ${why}`);
}

/** Returns the fields of an answer; none if it is not JSON, as the message was taken then. */
function readObject(bytes: Uint8Array): { readonly ok?: unknown; readonly error?: unknown } {
  if (bytes[0] !== openBrace) return {};
  try {
    return Object(parseJsonBytes(bytes, 'answer of Slack'));
  } catch {
    return {};
  }
}

const openBrace = '{'.charCodeAt(0);
