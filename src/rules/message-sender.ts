// The interface of a sender, which sends messages as a webhook, to Slack or by e-mail.
import type { GroupMessage } from './alert-message.ts';

export interface MessageSender {
  /** True if messages should have a picture. */
  readonly takesPicture: boolean;
  /**
   * Sends a message. Returns the reason for a permanent refusal; undefined if it was accepted.
   *
   * Errors: AppError 'unavailable' if it may be accepted later; errors of the connection.
   */
  send(message: GroupMessage, signal: AbortSignal): Promise<string | undefined>;
  /** Closes all connections. */
  close(): Promise<void>;
}
