// Sends messages for one way of delivery.
import type { GroupMessage } from './alert-message.ts';

export interface MessageSender {
  /** True if messages should have a picture. */
  readonly takesPicture: boolean;
  /**
   * Sends a message. Returns the reason of a permanent refusal; undefined if it was accepted.
   *
   * Errors: AppError 'unavailable' if it may be accepted later; errors of the connection.
   */
  send(message: GroupMessage, signal: AbortSignal): Promise<string | undefined>;
  /** Closes all connections. */
  close(): Promise<void>;
}
