// Makes the sender of messages for one way of a receiver.
import { type AlertWay, plainHttpClient, type PostWay } from '../config/config.ts';
import { readTextSource } from '../config/text-source.ts';
import type { DiscoveryContext } from '../discovery/interface.ts';
import { slackBody, webhookBody } from './alert-message.ts';
import { sendMillisMax } from './limits.ts';
import { createMailSender } from './mail-sender.ts';
import type { MessageSender } from './message-sender.ts';
import { createPostClient, postJson } from './post-json.ts';

/**
 * Makes the sender of a webhook, of a Slack channel or of e-mails.
 *
 * Errors: AppError 'failed-precondition' if a file of its config cannot be read.
 */
export async function createSender(
  way: AlertWay,
  context: DiscoveryContext,
): Promise<MessageSender> {
  if (way.kind === 'email') return createMailSender(way, context);
  return createPostSender(way, context);
}

async function createPostSender(way: PostWay, context: DiscoveryContext): Promise<MessageSender> {
  const client = await createPostClient(way.http ?? plainHttpClient, context);
  return {
    send: async (message, signal) => {
      const body = way.kind === 'slack' ? slackBody(message, way.channel) : webhookBody(message);
      const url = await readTextSource(way.url, context.files);
      const ended = AbortSignal.any([signal, AbortSignal.timeout(sendMillisMax)]);
      return postJson(client, url, body, { signal: ended, clock: context.clock });
    },
    close: () => client.close(),
  };
}
