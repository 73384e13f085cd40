// A target for tests: an HTTP server on loopback that can misbehave.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A running server. */
export interface TargetServer {
  /** `127.0.0.1:port`. */
  readonly address: string;
  /** Path and query of every request so far. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** Starts a server with one handler for each path. It responds to other paths with 404. */
export async function startTargetServer(
  handlers: Readonly<Record<string, Handler>>,
): Promise<TargetServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const url = request.url ?? '';
    requests.push(url);
    const handler = handlers[url.split('?', 1)[0]];
    if (handler !== undefined) return handler(request, response);
    response.writeHead(404, { 'content-type': 'text/plain' });
    return response.end('404 page not found\n');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = listeningOn(server.address());
  return {
    address: `127.0.0.1:${port}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

function listeningOn(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('BUG: no TCP port');
  return address;
}

/** Answers with a body. */
export function answer(
  body: Uint8Array | string,
  headers: Readonly<Record<string, string>> = {},
  status = 200,
): Handler {
  return (_request, response) => {
    response.writeHead(status, headers);
    response.end(body);
  };
}

/** Accepts the request and never responds. */
export const hang: Handler = () => undefined;

/** Sends one byte every few milliseconds, without end. */
export const drip: Handler = (_request, response) => {
  response.writeHead(200);
  const timer = setInterval(() => void response.write('x'), 5);
  response.on('close', () => void clearInterval(timer));
};
