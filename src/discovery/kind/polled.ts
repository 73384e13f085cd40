// Code that all discoverers that poll an API share.
import { createHttpClient, type HttpClient } from '../../http-client/http-client.ts';
import { createSend, getJson, type Query, type Send } from '../../http-client/send.ts';
import type { Discoverer, DiscoveryContext, TargetGroup } from '../interface.ts';
import { Refresher } from './refresh.ts';
import type { ApiSettings } from './settings.ts';

/** An API that is polled. */
export interface Api {
  /**
   * Requests JSON from the API. `path` begins with a slash and is appended to the configured
   * address; `hints` explain status codes in errors.
   *
   * Errors: as in getJson.
   */
  readonly ask: (
    path: string,
    query?: Query,
    hints?: ReadonlyMap<number, string>,
  ) => Promise<unknown>;
  readonly send: Send;
}
export type Ask = Api['ask'];

/**
 * Creates a discoverer that finds all groups at each poll; groups that are no longer found are
 * removed.
 */
export function createPolledDiscoverer(
  config: ApiSettings & { readonly kind: string },
  context: DiscoveryContext,
  find: (api: Api) => Promise<readonly TargetGroup[]>,
): Discoverer {
  const { kind, url, socketPath, refreshMillis } = config;
  return {
    async run(signal, onUpdate) {
      let client: HttpClient | undefined;
      let known: readonly TargetGroup[] = [];
      const refresher = new Refresher({
        context,
        mechanism: kind,
        intervalMillis: refreshMillis,
        about: { url: socketPath === '' ? url : socketPath },
        refresh: async () => {
          client ??= await createHttpClient({
            config: config.http,
            intervalMillis: refreshMillis,
            socketPath,
            userAgent: context.userAgent,
            files: context.files,
            clock: context.clock,
          });
          const found = await find(openApi(client, url, signal));
          const sources = new Set(found.map(({ source }) => source));
          const gone = known.filter(({ source }) => !sources.has(source));
          onUpdate([...found, ...gone.map((group) => ({ ...group, targets: [] }))]);
          known = found;
        },
      });
      await refresher.run(signal);
      await client?.close();
    },
  };
}

function openApi(client: HttpClient, base: string, signal: AbortSignal): Api {
  const send = createSend(client, signal);
  return {
    send,
    ask: (path, query = [], hints = new Map()) =>
      getJson(send, { url: base.replace(/\/$/, '') + path, query, hints }),
  };
}
