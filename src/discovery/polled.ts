// The part that all APIs share that are asked for everything, again and again.
import { AppError } from '../base/errors.ts';
import type { ApiDiscoveryConfig } from '../config/config.ts';
import { createHttpClient, type HttpClient } from '../config/http-client.ts';
import { getText } from './get.ts';
import type { Discoverer, DiscoveryContext, TargetGroup } from './interface.ts';
import { Refresher } from './refresh.ts';

/** Pairs of a query; a name may have several values. */
export type Query = readonly (readonly [name: string, value: string])[];

/**
 * Asks the API for JSON; `path` begins with a slash.
 *
 * Errors: those of getText; AppError 'unavailable' for an answer that is not JSON.
 */
export type Ask = (path: string, query?: Query) => Promise<unknown>;

/** A discoverer that finds all groups at once; groups that are no longer found are gone. */
export function createPolledDiscoverer(
  config: ApiDiscoveryConfig,
  context: DiscoveryContext,
  find: (ask: Ask) => Promise<readonly TargetGroup[]>,
): Discoverer {
  const { kind, url, socketPath, refreshMillis } = config;
  return {
    async run(signal, onUpdate) {
      let client: HttpClient | undefined;
      let known: readonly TargetGroup[] = [];
      const refresher = new Refresher({
        ...{ context, mechanism: kind, intervalMillis: refreshMillis },
        about: { url: socketPath === '' ? url : socketPath },
        refresh: async () => {
          client ??= await createHttpClient({
            ...{ config: config.http, intervalMillis: refreshMillis, socketPath },
            ...{ userAgent: context.userAgent, files: context.files },
          });
          const found = await find(askWith(client, url, signal));
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

function askWith(client: HttpClient, base: string, signal: AbortSignal): Ask {
  return async (path, query = []) => {
    const url = new URL(base.replace(/\/$/, '') + path);
    for (const [name, value] of query) url.searchParams.append(name, value);
    const text = await getText({ client, url: url.href, headers: {}, signal, what: path });
    try {
      return JSON.parse(text) as unknown;
    } catch (error) {
      const why = `cannot get ${path}: the answer is not JSON`;
      throw new AppError('unavailable', why, { cause: error });
    }
  };
}
