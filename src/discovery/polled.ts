// The common part of all discoverers that poll an API.
import { AppError } from '../base/errors.ts';
import type { ApiDiscoveryConfig } from '../config/config.ts';
import { createHttpClient, type HttpClient } from '../config/http-client.ts';
import { send, type Answer } from './send.ts';
import type { Discoverer, DiscoveryContext, TargetGroup } from './interface.ts';
import { Refresher } from './refresh.ts';

/** Pairs of a query; a name may have several values. */
export type Query = readonly (readonly [name: string, value: string])[];

/** An API that is polled. */
export interface Api {
  /**
   * Asks for JSON below the address of the config; `path` begins with a slash.
   *
   * Errors: those of getJson.
   */
  readonly ask: (path: string, query?: Query) => Promise<unknown>;
  /**
   * Sends any request.
   *
   * Errors: those of `send.ts`.
   */
  readonly send: (request: ApiRequest) => Promise<Answer>;
}
export type Ask = Api['ask'];
export type Send = Api['send'];

export interface ApiRequest {
  readonly url: string;
  readonly query?: Query;
  /** Text to send. */
  readonly body?: string;
  /** Method; by default POST with a body, and GET without one. */
  readonly method?: 'PUT';
  /** Names are in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A discoverer that finds all groups at once; groups that are no longer found are gone. */
export function createPolledDiscoverer(
  config: ApiDiscoveryConfig,
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
          const found = await find(apiOf(client, url, signal));
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

/**
 * Returns the JSON of an answer.
 *
 * Errors: those of `send`; AppError 'unavailable' for an answer that is not JSON.
 */
export async function getJson(send: Send, request: ApiRequest): Promise<unknown> {
  const { text } = await send(request);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const why = `cannot get ${new URL(request.url).pathname}: the answer is not JSON`;
    throw new AppError('unavailable', why, { cause: error });
  }
}

function apiOf(client: HttpClient, base: string, signal: AbortSignal): Api {
  const sendOne: Send = ({ url, query = [], body, method, headers = {} }) => {
    const whole = new URL(url);
    for (const [name, value] of query) whole.searchParams.append(name, value);
    return send({
      client,
      signal,
      url: whole.href,
      headers,
      what: whole.pathname,
      ...(body === undefined ? {} : { body }),
      ...(method === undefined ? {} : { method }),
    });
  };
  return {
    send: sendOne,
    ask: (path, query = []) => getJson(sendOne, { url: base.replace(/\/$/, '') + path, query }),
  };
}
