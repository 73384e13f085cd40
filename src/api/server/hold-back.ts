// Delays refusals of the gate, which are sent before the request's body is read.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { identifySender } from '../auth/caller-id.ts';
import type { TransportContext } from '../transport/call/call.ts';
import { readInTurns } from '../transport/call/connection-turns.ts';
import { findConnection } from '../transport/call/request-memory.ts';
import { httpUploadBytes } from '../limits.ts';

/**
 * Waits before a refusal if its caller was refused often. Meanwhile, an HTTP/1.1 body is not read,
 * and only a few of its bytes are in buffers. An HTTP/2 body is read and dropped, because otherwise
 * up to a full window of it would stay in memory.
 */
export async function holdBack(
  { memory, refusalWaits }: TransportContext,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { raw } = request;
  const connection = findConnection(raw);
  const { caller } = identifySender(undefined, connection);
  const waiting = refusalWaits.before(error, caller, reply.raw);
  if (waiting === undefined) return;
  const lease = memory.lease(connection, caller);
  try {
    if (raw.httpVersionMajor === 2) readInTurns(raw);
    else if (hasBody(request)) lease.take(httpUploadBytes);
    await waiting;
  } catch {
    // There is no memory left for waiting requests, so the refusal is sent immediately.
    return;
  } finally {
    lease.release();
  }
}

/** Returns true if a request of HTTP/1.1 has a body. */
export function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
