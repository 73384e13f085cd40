// HTTP discovery: a server answers with a list of targets.
import { AppError } from '../base/errors.ts';
import { inputLimits, inputLimitTable } from '../base/input-limits.ts';
import type { HttpDiscoveryConfig } from '../config/config.ts';
import { createHttpClient, dropBody, type HttpClient, readBody } from '../config/http-client.ts';
import type { Discoverer, DiscoveryContext } from './interface.ts';
import { ListedGroups } from './listed-groups.ts';
import { Refresher } from './refresh.ts';
import { parseTargetList } from './target-list.ts';

/** A list that takes longer has failed. */
const requestMillisMax = 60_000;
const jsonType = /^application\/json(;\s*charset=("utf-8"|utf-8))?$/i;

/** A discoverer of one entry of `http_sd_configs`. */
export function createHttpDiscoverer(
  config: HttpDiscoveryConfig,
  context: DiscoveryContext,
): Discoverer {
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
            ...{ config: config.http, intervalMillis: refreshMillis },
            ...{ userAgent: context.userAgent, files: context.files },
          });
          const text = await fetchList(client, config, signal);
          const listed = parseTargetList(text, 'json', { name: '__meta_url', value: url });
          onUpdate(groups.replace(listed));
        },
      });
      await refresher.run(signal);
      await client?.close();
    },
  };
}

async function fetchList(
  { dispatcher, headers }: HttpClient,
  { url, refreshMillis }: HttpDiscoveryConfig,
  signal: AbortSignal,
): Promise<string> {
  const { origin, pathname, search } = new URL(url);
  const answer = await dispatcher.request({
    origin,
    path: pathname + search,
    method: 'GET',
    headers: {
      ...(await headers()),
      accept: 'application/json',
      'x-prometheus-refresh-interval-seconds': String(refreshMillis / 1000),
    },
    signal: AbortSignal.any([signal, AbortSignal.timeout(requestMillisMax)]),
  });
  const { statusCode, body } = answer;
  // Reading the rest would let a refusal take the connection for as long as it likes.
  const refuse = (why: string, limit?: string): AppError => {
    dropBody(body);
    return new AppError('unavailable', `cannot get list of targets: ${why}`, { limit });
  };
  if (statusCode !== 200) throw refuse(`the answer has status ${statusCode}`);
  const type = answer.headers['content-type'];
  if (typeof type !== 'string' || !jsonType.test(type.trim())) {
    throw refuse(`the answer has content type ${JSON.stringify(type ?? '')}, not application/json`);
  }
  const bytesMax = inputLimits.discoveryBytes;
  const bytes = await readBody(body, bytesMax);
  if (bytes === undefined) {
    const { flag } = inputLimitTable.discoveryBytes;
    throw refuse(`the answer has more than ${bytesMax} bytes`, flag);
  }
  return Buffer.from(bytes).toString();
}
