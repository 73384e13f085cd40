// Serves calls on our own HTTP paths. They are counted and limited like methods, and their errors
// are JSON.
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorCode } from '../../../base/errors.ts';
import { identifySender } from '../../auth/caller-id.ts';
import { Call, type TransportContext } from '../call/call.ts';
import type { CallContext } from '../call/method.ts';
import { decodeMessage, readBody } from '../call/request-body.ts';
import { type ByteLease, findConnection } from '../call/request-memory.ts';
import { retryHeaders } from '../call/retry-info.ts';
import { readRequestOptions, type RequestOptions } from '../call/request-options.ts';
import { errorAnswer } from '../json/gateway.ts';

/**
 * A call on an HTTP path: its name in counters, and whether it ends when its caller disconnects.
 */
export interface HttpMethod {
  /** Path such as `/service/Method`. */
  readonly path: string;
  readonly endsWithCaller: boolean;
}

/**
 * Runs a call and passes its result to `send`, or its error to `fail`. The caller may lower limits
 * by headers and by the parameter `timeout`. If the result is a stream, the call ends when the
 * stream ends.
 */
export async function serveCall<T>(
  transport: TransportContext,
  method: HttpMethod,
  request: FastifyRequest,
  reply: FastifyReply,
  run: (context: CallContext) => Promise<T>,
  send: (answer: T) => FastifyReply,
  fail = sendError,
): Promise<FastifyReply> {
  const { runner, callMillisMax } = transport;
  let options: RequestOptions;
  try {
    options = readRequestOptions(request.headers, request.url);
  } catch (error) {
    return fail(reply, error);
  }
  const unary = { path: method.path, kind: 'unary' } as const;
  const call = new Call(
    runner,
    unary,
    identifySender(request.caller, findConnection(request.raw)),
    callMillisMax,
    options,
  );
  const onClose = (): void => call.cancel();
  let isStreaming = false;
  if (method.endsWithCaller) reply.raw.once('close', onClose);
  try {
    const running = run(call.context);
    const answer = await call.bounded(running).catch((error: unknown) => {
      // If the call was cancelled, its answer may still arrive later, and must be dropped.
      running.then(dropStream, () => undefined);
      throw error;
    });
    if (answer instanceof Readable) {
      // The call ends when the stream closes.
      answer.once('close', () => {
        call.end(answer.errored ?? undefined);
        reply.raw.off('close', onClose);
      });
      isStreaming = true;
    } else call.end();
    return send(answer);
  } catch (error) {
    call.end(error);
    // After a stalled upload, the connection is closed, so that it does not wait for the rest
    // again.
    await transport.refusalWaits.before(error, call.context.caller, reply.raw);
    const hasStalled = errorCode(error) === 'deadline-exceeded' && !request.raw.complete;
    if (hasStalled && request.raw.httpVersionMajor === 1) reply.header('connection', 'close');
    return fail(reply, error);
  } finally {
    if (!isStreaming) reply.raw.off('close', onClose);
  }
}

function dropStream(answer: unknown): void {
  if (answer instanceof Readable) answer.destroy();
}

/**
 * Reads a body and passes it to `run`, together with the number of bytes that were sent. The body
 * counts as used memory of requests until `run` settles.
 *
 * Errors: as in readBody, decodeMessage and `run`.
 */
export async function withBody<T>(
  transport: TransportContext,
  request: FastifyRequest,
  run: (body: Uint8Array, sentBytes: number, lease: ByteLease) => Promise<T>,
): Promise<T> {
  const connection = findConnection(request.raw);
  const { caller } = identifySender(request.caller, connection);
  const lease = transport.memory.lease(connection, caller);
  try {
    const { runner, messageBytesMax, stallMillisMax } = transport;
    const limits = { clock: runner.clock, lease, bytesMax: messageBytesMax, stallMillisMax };
    const sent = await readBody(request.raw, limits);
    const encoding = request.headers['content-encoding'] ?? 'identity';
    const body = await decodeMessage(sent, encoding, messageBytesMax, lease);
    return await run(body, sent.length, lease);
  } finally {
    lease.release();
  }
}

/** Sends an error as JSON. */
export function sendError(reply: FastifyReply, error: unknown): FastifyReply {
  const { status, body } = errorAnswer(error);
  return reply.code(status).headers(retryHeaders(error)).type('application/json').send(body);
}

/** Returns the values of a path's named parts, as the router found them. */
export function pathFields(params: unknown): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(params ?? {})) {
    if (name !== '*' && typeof value === 'string') fields[name] = value;
  }
  return fields;
}
