// HTTP discovery: requests a list of targets from a server.
import { httpUrl } from '../config/schema/http-schema.ts';
import { optional, positiveDuration, required } from '../config/schema/read.ts';
import { createHttpClient, type HttpClient } from '../http-client/http-client.ts';
import { createSend, type Send } from '../http-client/send.ts';
import { defineDiscovery, type SettingsOf } from './kind/define.ts';
import { ListedGroups } from './kind/listed-groups.ts';
import { Refresher } from './kind/refresh.ts';
import { httpSettings } from './kind/settings.ts';
import { parseTargetList } from './target-list.ts';

const jsonType = /^application\/json(;\s*charset=("utf-8"|utf-8))?$/i;

const schema = httpSettings({
  url: required(httpUrl),
  refresh_interval: optional(positiveDuration, 60_000),
});

type Config = SettingsOf<typeof schema>;

/** Finds targets in the JSON list of a server. */
export const http = defineDiscovery({
  kind: 'http',
  schema,
  discover(config, context) {
    const { url, refreshMillis } = config;
    const groups = new ListedGroups(url);
    return {
      async run(signal, onUpdate) {
        let client: HttpClient | undefined;
        const refresher = new Refresher({
          context,
          mechanism: 'http',
          about: { url },
          intervalMillis: refreshMillis,
          refresh: async () => {
            client ??= await createHttpClient({
              config: config.http,
              intervalMillis: refreshMillis,
              userAgent: context.userAgent,
              files: context.files,
              clock: context.clock,
            });
            const text = await fetchList(createSend(client, signal), config);
            const listed = parseTargetList(text, 'json', { name: '__meta_url', value: url });
            onUpdate(groups.replace(listed));
          },
        });
        await refresher.run(signal);
        await client?.close();
      },
    };
  },
});

async function fetchList(send: Send, { url, refreshMillis }: Config): Promise<string> {
  const { text } = await send({
    url,
    what: 'list of targets',
    headers: { 'x-prometheus-refresh-interval-seconds': String(refreshMillis / 1000) },
    typeMistake: (type) =>
      jsonType.test(type)
        ? undefined
        : `the answer has content type ${JSON.stringify(type)}, not application/json`,
  });
  return text;
}
