// A proxy in front of a server. The proxy sees all requests, and may refuse some of them.
import { createServer, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import type { TestContext } from 'node:test';

/** A response to send instead of the server's response. */
export interface Refusal {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface FrontServer {
  /** host:port. */
  readonly endpoint: string;
  /** The server's responses, in order. */
  readonly answers: readonly IncomingMessage[];
}

/** Starts a server that forwards requests unless `refuse` returns a response. */
export async function startFront(
  t: TestContext,
  target: string,
  refuse: (asked: IncomingMessage) => Refusal | undefined,
): Promise<FrontServer> {
  const [host, port] = target.split(':');
  const answers: IncomingMessage[] = [];
  const server = createServer((asked, answer) => {
    const refusal = refuse(asked);
    if (refusal !== undefined) {
      asked.resume();
      asked.once('end', () => {
        answer.writeHead(refusal.status, { ...refusal.headers }).end(refusal.text);
      });
      return;
    }
    const { method, url, headers } = asked;
    const path = url?.replace(/^http:\/\/[^/]+/, '');
    const passed = request({ host, port, method, path, headers, agent: false });
    passed.once('response', (got) => {
      answers.push(got);
      answer.writeHead(got.statusCode ?? 500, got.headers);
      got.pipe(answer);
    });
    passed.once('error', () => answer.destroy());
    asked.pipe(passed);
  });
  // The server is also a proxy, and sees the requests in a tunnel without TLS.
  server.on('connect', (_, socket) => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    server.emit('connection', socket);
  });
  return { endpoint: await listen(t, server), answers };
}

/** Starts a proxy that connects every host name to one address, as an HTTP proxy does for TLS. */
export async function startTunnel(
  t: TestContext,
  target: string,
): Promise<{ readonly endpoint: string; readonly hosts: readonly string[] }> {
  const [host, port] = target.split(':');
  const hosts: string[] = [];
  const server = createServer();
  server.on('connect', (asked, socket) => {
    hosts.push(asked.url ?? '');
    const there = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      there.pipe(socket);
      socket.pipe(there);
    });
    there.on('error', () => socket.destroy());
    socket.on('error', () => there.destroy());
  });
  return { endpoint: await listen(t, server), hosts };
}

async function listen(t: TestContext, server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}
