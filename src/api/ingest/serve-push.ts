// Serves pushes over plain HTTP: reads a body within the limits of all requests.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TransportContext } from '../transport/call/call.ts';
import type { CallContext } from '../transport/call/method.ts';
import { unpackInPool } from '../../formats/unpack.ts';
import { serveCall, withBody } from '../transport/http/serve-call.ts';

/**
 * The body of a push. It is decompressed according to `content-encoding`. If the content is
 * compressed as well, only its first bytes are decompressed.
 */
export interface PushedBody {
  readonly body: Uint8Array;
  readonly contentType: string;
  readonly context: CallContext;
}

/**
 * Reads the body of a push, passes it to `run`, and passes the result to `send`; errors are sent as
 * JSON. An import is aborted when its caller disconnects, but a write that has begun is finished.
 * `name` is used in counters.
 */
export function servePush<T>(
  transport: TransportContext,
  name: string,
  request: FastifyRequest,
  reply: FastifyReply,
  run: (pushed: PushedBody) => Promise<T>,
  send: (answer: T) => FastifyReply,
): Promise<FastifyReply> {
  const method = { path: `/parca.http.v1.Push/${name}`, endsWithCaller: true };
  const contentType = request.headers['content-type'] ?? '';
  return serveCall(
    transport,
    method,
    request,
    reply,
    (context) =>
      withBody(transport, request, async (given, sentBytes, lease) => {
        const body = await unpackInPool(given, { what: 'cannot read profile', sentBytes });
        if (body !== given) lease.take(body.length);
        return run({ body, contentType, context });
      }),
    send,
  );
}
