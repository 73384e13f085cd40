// Makes the sender of messages for one way of a receiver.
import { type AlertWay, plainHttpClient } from '../config/config.ts';
import { readTextSource } from '../config/text-source.ts';
import type { DiscoveryContext } from '../discovery/interface.ts';
import { type GroupMessage, slackBody, webhookBody } from './alert-message.ts';
import { sendMillisMax } from './limits.ts';
import { createPostClient, postJson } from './post-json.ts';

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

/**
 * Makes the sender of a webhook or of a Slack channel.
 *
 * Errors: AppError 'failed-precondition' if a file of its config cannot be read.
 */
export async function createSender(
  way: AlertWay,
  context: DiscoveryContext,
): Promise<MessageSender> {
  const client = await createPostClient(way.http ?? plainHttpClient, context);
  return {
    send: async (message, signal) => {
      const body = way.kind === 'slack' ? slackBody(message, way.channel) : webhookBody(message);
      const url = await readTextSource(way.url, context.files);
      const ended = AbortSignal.any([signal, AbortSignal.timeout(sendMillisMax)]);
      return postJson(client, url, body, ended);
    },
    close: () => client.close(),
  };
}
