// The Connect protocol for unary methods: POST /package.Service/Method, one message as the body.
// Source: https://connectrpc.com/docs/protocol
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { assert } from '../../../base/assert.ts';
import { errorCode, errorMessage } from '../../../base/errors.ts';
import type { TransportContext } from '../call/call.ts';
import { connectDetails, retryHeaders } from '../call/retry-info.ts';
import { TooLargeError, wireStatus } from '../call/status.ts';
import { isGrpcWeb } from '../grpc/web.ts';
import { answerAsJson } from '../json/gateway.ts';
import { readJsonBody } from '../json/read-json.ts';
import { loadSchema } from '../json/load-schema.ts';
import { pathFields, serveCall, withBody } from '../http/serve-call.ts';

/**
 * Adds one path for all methods, below the prefix. Requests of gRPC-Web have the same path, and are
 * passed to `web`.
 */
export function addConnectRoute(
  app: FastifyInstance,
  transport: TransportContext,
  web: (transport: TransportContext, request: FastifyRequest, reply: FastifyReply) => Promise<void>,
): void {
  app.post('/:service/:method', async (request, reply) => {
    const contentType = request.headers['content-type'] ?? '';
    const { service, method: name } = pathFields(request.params);
    const path = `/${service}/${name}`;
    const isKnown = transport.methodKind(path) === 'unary';
    if (isKnown && contentType !== '' && !isGrpcWeb(contentType) && !isConnect(contentType)) {
      request.raw.resume();
      return reply.code(415).header('accept-post', 'application/json, application/proto').send();
    }
    if (isGrpcWeb(contentType) || !isConnect(contentType) || !isKnown) {
      return web(transport, request, reply);
    }
    const isJson = contentType.startsWith('application/json');
    return serveCall(
      transport,
      { path, endsWithCaller: true },
      request,
      reply,
      async (context) => {
        const method = transport.findMethod(path, request.caller);
        assert(method.kind === 'unary', path);
        return withBody(transport, request, async (body): Promise<Uint8Array | Readable> => {
          if (!isJson) return method.handle(body, context);
          const { jsonTurns, runner } = transport;
          const message = await readJsonBody(path, body, runner.clock, () => context.signal);
          return answerAsJson(await loadSchema(), method, message, context, jsonTurns);
        });
      },
      (answer) =>
        reply
          .type(isJson ? 'application/json' : 'application/proto')
          .send(
            answer instanceof Readable
              ? answer
              : Buffer.from(answer.buffer, answer.byteOffset, answer.length),
          ),
      sendConnectError,
    );
  });
}

function isConnect(contentType: string): boolean {
  return /^application\/(json|proto)(;|$)/.test(contentType);
}

/** Sends an error, with its code in Connect's spelling. */
export function sendConnectError(reply: FastifyReply, error: unknown): FastifyReply {
  const code = errorCode(error);
  const name = code === 'cancelled' ? 'canceled' : code.replaceAll('-', '_');
  const body = { code: name, message: errorMessage(error), details: connectDetails(error) };
  return reply
    .code(error instanceof TooLargeError ? 413 : wireStatus(code).http)
    .headers(retryHeaders(error))
    .type('application/json')
    .send(body);
}
