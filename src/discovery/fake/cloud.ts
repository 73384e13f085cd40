// A cloud for tests: a local server that answers as its documentation shows.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { TestContext } from 'node:test';
import type { DiscoveryConfig } from '../../config/config.ts';
import { discover, type Rig } from './rig.ts';

export interface Asked {
  readonly method: string;
  /** Path and query, decoded. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An answer: JSON, XML as a text, a status, or an answer with headers. */
export type Answer = object | string | number | { readonly json: object; readonly headers: object };

export interface Cloud {
  readonly url: string;
  readonly asked: readonly Asked[];
  /** Discovers with these lines, with the cloud in place of the real one. */
  discover(lines: readonly string[], environment?: Record<string, string>): Promise<Rig>;
}

/** Starts a cloud that answers by `METHOD /path`, with or without a query. */
export async function startCloud(
  t: TestContext,
  answers: Readonly<Record<string, Answer | ((asked: Asked) => Answer)>>,
  wholeFiles: Readonly<Record<string, string>> = {},
): Promise<Cloud> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      const url = decodeURIComponent((request.url ?? '').replaceAll('+', ' '));
      const { method = '', headers } = request;
      const one = { method, url, headers, body: Buffer.concat(chunks).toString() };
      asked.push(one);
      const found = answers[`${method} ${url}`] ?? answers[`${method} ${url.split('?', 1)[0]}`];
      const answer = typeof found === 'function' ? found(one) : (found ?? 404);
      const hasHeaders = typeof answer === 'object' && 'json' in answer && 'headers' in answer;
      const status = typeof answer === 'number' ? answer : 200;
      response.writeHead(status, hasHeaders ? (answer.headers as Record<string, string>) : {});
      const json = hasHeaders ? answer.json : answer;
      response.end(typeof json === 'string' ? json : JSON.stringify(json));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  t.after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  });
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const change = (config: DiscoveryConfig): DiscoveryConfig =>
    'socketPath' in config ? ({ ...config, url } as DiscoveryConfig) : config;
  return {
    url,
    asked,
    discover: (lines, environment = {}) =>
      discover(t, '/tmp', lines, {
        environment: { HOME: '/none', ...environment },
        wholeFiles,
        change,
      }),
  };
}

/** Labels of a target, each with its prefix. */
export function target(address: string, prefix: string, ...pairs: readonly string[]): string {
  return [`__address__=${address}`, ...pairs.map((pair) => `__meta_${prefix}_${pair}`)].join(' ');
}
