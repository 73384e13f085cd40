// The sender of messages that each way of a receiver has.
import type { GroupMessage } from './alert-message.ts';

export interface MessageSender {
  /**
   * Sends a message. Returns why it was refused for good; undefined if it was taken.
   *
   * Errors: AppError 'unavailable' if it may be accepted later; those of the connection.
   */
  send(message: GroupMessage, signal: AbortSignal): Promise<string | undefined>;
  /** Drops all connections. */
  close(): Promise<void>;
}
