// Creates the sender for a receiver: webhook, Slack channel or e-mail.
import { type AlertReceiver, plainHttpClient, type WebReceiver } from '../config/config.ts';
import { readTextSource } from '../config/text-source.ts';
import type { DiscoveryContext } from '../discovery/interface.ts';
import { type GroupMessage, slackBody, webhookBody } from './alert-message.ts';
import { pictureUrl } from './alert-picture.ts';
import { sendMillisMax } from './limits.ts';
import { createMailSender } from './mail-sender.ts';
import type { MessageSender } from './message-sender.ts';
import { createPostClient, postJson } from './post-json.ts';
import { readSlackAnswer } from './slack-answer.ts';

/**
 * Creates a sender for a webhook, a Slack channel or e-mail.
 *
 * Errors: AppError 'failed-precondition' if a file in its config cannot be read.
 */
export async function createSender(
  way: AlertReceiver,
  context: DiscoveryContext,
): Promise<MessageSender> {
  if (way.kind === 'email') return createMailSender(way, context);
  return createPostSender(way, context);
}

async function createPostSender(
  way: WebReceiver,
  context: DiscoveryContext,
): Promise<MessageSender> {
  const client = await createPostClient(way.http ?? plainHttpClient, context);
  return {
    takesPicture: false,
    send: async (message, signal) => {
      const body = formatMessage(way, message);
      const url = await readTextSource(way.url, context.files);
      const ended = AbortSignal.any([signal, AbortSignal.timeout(sendMillisMax)]);
      const readAnswer = way.kind === 'slack' ? readSlackAnswer : undefined;
      return postJson(client, url, body, { signal: ended, clock: context.clock, readAnswer });
    },
    close: () => client.close(),
  };
}

/** Returns the body of a message, with addresses of pictures that the receiver may fetch. */
function formatMessage(way: WebReceiver, message: GroupMessage): string {
  const { alerts, externalUrl } = message;
  if (way.kind === 'slack') {
    return slackBody(
      message,
      way.channel,
      way.sendsPicture ? pictureUrl(alerts, externalUrl) : undefined,
    );
  }
  if (!way.sendsPicture) return webhookBody(message);
  return webhookBody(message, (alert) => pictureUrl([alert], externalUrl));
}
