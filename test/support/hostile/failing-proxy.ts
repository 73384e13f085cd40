// A proxy in front of an HTTP server. It throttles on demand, and counts bytes.
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Forwards every request unchanged, with its Host header. */
export interface FailingProxy {
  /** host:port. */
  readonly endpoint: string;
  /** Number of requests of which one gets status 503; 0 = none does. */
  throttleEach: number;
  /** Bytes of objects that were read by range. */
  bytesRead: number;
  close(): void;
}

export async function startFailingProxy(to: string): Promise<FailingProxy> {
  let count = 0;
  const server = createServer((incoming, outgoing) => {
    count += 1;
    if (proxy.throttleEach > 0 && count % proxy.throttleEach === 0) {
      incoming.resume();
      const body =
        '<Error><Code>SlowDown</Code><Message>Reduce your request rate</Message></Error>';
      outgoing.writeHead(503, { 'content-type': 'application/xml' }).end(body);
      return;
    }
    forward(to, incoming, outgoing, (bytes) => {
      if (incoming.headers.range !== undefined) proxy.bytesRead += bytes;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  const proxy: FailingProxy = {
    endpoint: `127.0.0.1:${address.port}`,
    throttleEach: 0,
    bytesRead: 0,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return proxy;
}

function forward(
  to: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  sawBytes: (count: number) => void,
): void {
  const [host, port] = to.split(':');
  const { method, url, headers } = incoming;
  const onward = request({ host, port, method, path: url, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.on('data', (chunk: Buffer) => sawBytes(chunk.length));
    answer.pipe(outgoing);
  });
  onward.on('error', () => outgoing.destroy());
  incoming.pipe(onward);
}
