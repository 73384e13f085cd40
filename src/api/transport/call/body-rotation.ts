// Limits how many unfinished bodies of HTTP/1.1 are read at the same time. The event loop handles
// all sockets that have data, or that their callers have closed, in one turn, and each of them
// takes up to 0.2 ms. Callers that sent a few bytes at once, 2,000 of them, held up the server for
// 0.2 s, and again when they left. So of many bodies only a few are read at a time, and the bytes
// of the others wait in the kernel.
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Clock, Timer } from '../../../base/clock.ts';

/** Maximum number of unfinished bodies that are all read at the same time. */
export const bodiesReadFreelyMax = 64;
/** Number of bodies that are read at the same time if there are more. */
const bodiesReadAtOnce = 32;
/** Time for which each of them is read. A round over 2,000 bodies takes 0.3 s. */
const readMillis = 5;

/** A body that is not complete yet. */
interface Body {
  readonly request: IncomingMessage;
  readonly clock: Clock;
  isStopped: boolean;
}

/** Unfinished bodies, those that wait longest first. */
const bodies = new Set<Body>();
/** Bodies that are read until the next step. */
const reading = new Set<Body>();
let timer: Timer | undefined;

/**
 * Reads a body in turns with others while there are many. Returns a function to call at the end of
 * the body. Streams that are not HTTP/1.1 are not changed.
 */
export function readInRotation(readable: Readable, clock: Clock): () => void {
  if (!isHttp1(readable)) return ignoreEnd;
  const body = { request: readable, clock, isStopped: false };
  bodies.add(body);
  reading.add(body);
  if (bodies.size > bodiesReadFreelyMax) timer ??= clock.setTimer(readMillis, takeStep);
  return () => {
    bodies.delete(body);
    reading.delete(body);
    if (body.isStopped) start(body);
  };
}

/** Stops the bodies that are being read, and reads the next ones. */
function takeStep(): void {
  timer = undefined;
  const areMany = bodies.size > bodiesReadFreelyMax;
  if (areMany) for (const body of reading) stop(body);
  const count = areMany ? bodiesReadAtOnce : bodies.size;
  for (const body of bodies) {
    if (reading.size >= count) break;
    reading.add(body);
    if (body.isStopped) start(body);
    if (areMany) timer ??= body.clock.setTimer(readMillis, takeStep);
  }
}

/** Stops the stream and its socket: the stream alone would still take 64 KiB. */
function stop(body: Body): void {
  reading.delete(body);
  bodies.delete(body);
  bodies.add(body);
  body.isStopped = true;
  body.request.pause();
  body.request.socket.pause();
}

/** Continues the stream, which continues its socket only if it has read something before. */
function start(body: Body): void {
  body.isStopped = false;
  body.request.resume();
  body.request.socket.resume();
}

function ignoreEnd(): void {}

function isHttp1(readable: Readable): readable is IncomingMessage {
  return 'socket' in readable && 'httpVersionMajor' in readable && readable.httpVersionMajor === 1;
}
