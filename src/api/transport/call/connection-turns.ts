// Limits how many bytes of HTTP/2 connections are read in one turn of the event loop, because each
// of many connections may deliver 2 MiB in a turn. A paused stream would still receive its full
// window, so the whole connection stops reading. The caller's data then waits in the kernel.
import { Http2ServerRequest, type Http2Session, type ServerHttp2Stream } from 'node:http2';
import type { Readable } from 'node:stream';
import { inLaterTurn, isTurnSpent } from './body-turns.ts';

/**
 * Bytes that a connection may deliver before it stops, counted in turns that had already read
 * enough. Small requests therefore continue.
 */
const lateBytesMax = 65_536;

/** Connections that have stopped. */
const stopped = new WeakSet<Http2Session>();
/**
 * Bytes that each connection has delivered since its last stop, in turns that had already read
 * enough.
 */
const lateBytes = new WeakMap<Http2Session, number>();

/**
 * Counts the bytes that arrive on an HTTP/2 stream, and stops its connection when the turn has read
 * enough. The listener makes the stream flow even if nobody else reads it. Other kinds of streams
 * are not changed.
 */
export function readInTurns(readable: Readable): void {
  if (findSession(readable) !== undefined) readable.on('data', countChunk);
}

/**
 * Counts a chunk of the stream `this`. It is not a closure, for the same reason as `ignoreError`.
 */
function countChunk(this: Readable, { length }: Uint8Array): void {
  if (!isTurnSpent(length)) return;
  const session = findSession(this);
  if (session !== undefined) stopWhenLate(session, length);
}

function findSession(readable: Readable): Http2Session | undefined {
  const given = readable as Readable | Http2ServerRequest | ServerHttp2Stream;
  if (given instanceof Http2ServerRequest) return given.stream.session;
  return 'session' in given ? given.session : undefined;
}

function stopWhenLate(session: Http2Session, length: number): void {
  if (stopped.has(session)) return;
  const bytes = (lateBytes.get(session) ?? 0) + length;
  lateBytes.set(session, bytes);
  if (bytes < lateBytesMax) return;
  const handle = findHandle(session);
  if (handle === undefined) return;
  lateBytes.delete(session);
  stopped.add(session);
  handle.readStop();
  inLaterTurn(() => {
    stopped.delete(session);
    if (!session.destroyed) handle.readStart();
  });
}

/** The methods of a socket's handle that start and stop reading. */
interface ReadHandle {
  readStop(): unknown;
  readStart(): unknown;
}

/** Returns the handle of a session's socket. Node has no public method that stops reading. */
function findHandle(session: Http2Session): ReadHandle | undefined {
  if (session.destroyed) return undefined;
  const { _handle: handle } = session.socket as Http2Session['socket'] & {
    readonly _handle?: ReadHandle | null;
  };
  return typeof handle?.readStop === 'function' ? handle : undefined;
}
