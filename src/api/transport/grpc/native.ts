// Native gRPC on one HTTP/2 stream.
//
// This file does its own framing instead of using grpc-js, because agents push one unary call per
// profile. CPU time of the server per call, with counters and deadlines (bench/transport.bench.ts):
// 117-171 us for 41 KB, where grpc-js takes 199-350 us; 1.4-2.2 ms for 1 MB, where it takes 2.6-3.7
// ms; the same time for 1 KB. grpc-js also cannot enlarge the upload window of a server, so remote
// agents would send at most 64 KB in each round trip.
import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import { releaseMemory } from '../../../base/bytes.ts';
import { runAs } from '../../../base/current-caller.ts';
import { AppError } from '../../../base/errors.ts';
import { beginWork, endWork } from '../../../base/work.ts';
import { type Caller, whoIs } from '../../auth/caller.ts';
import { identifySender } from '../../auth/caller-id.ts';
import { Call, type TransportContext } from '../call/call.ts';
import { readInTurns } from '../call/connection-turns.ts';
import { type Method, methodPath, type StreamMethod, type UnaryMethod } from '../call/method.ts';
import { decodeMessage, drainBody, ignoreError } from '../call/request-body.ts';
import type { ByteLease } from '../call/request-memory.ts';
import { readRequestOptions, type RequestOptions } from '../call/request-options.ts';
import { statusTrailers } from './headers.ts';
import { type Frame, frameMessage, framePrefix, FrameReader } from './message-frames.ts';
import { readMessages } from './message-queue.ts';

const contentType = 'application/grpc+proto';
/** Largest message that is copied into one buffer with its prefix, which saves a write. */
const copiedMessageBytesMax = 65_536;
/**
 * Longest duration of a stream in milliseconds: nearly the longest timer of Node, which is 24 days.
 */
const streamMillisMax = 2 ** 31 - 1_000;

/** Serves one call; never rejects. The port handles errors of the HTTP/2 stream. */
export async function serveGrpc(
  transport: TransportContext,
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
): Promise<void> {
  let method: Method;
  let options: RequestOptions;
  let caller: Caller;
  try {
    const found = transport.gate.identify(headers, stream.session);
    // Only the check of a new password takes a promise. Pushes continue immediately.
    caller = found instanceof Promise ? await found : found;
    method = transport.findMethod(methodPath(headers[':path'] ?? ''), caller);
    options = readRequestOptions(headers);
  } catch (error) {
    transport.gate.refuse(error, headers, stream.session, headers[':path'] ?? '');
    // Reads and drops the rest of the request, which would otherwise stay in memory up to the size
    // of the window.
    readInTurns(stream);
    const { caller: address } = identifySender(undefined, stream.session);
    await transport.refusalWaits.before(error, address, stream);
    endWithStatus(stream, error);
    return;
  }
  // Streams such as Health/Watch may stay open forever; only their caller ends them.
  const limitMillis = method.kind === 'unary' ? transport.callMillisMax : streamMillisMax;
  const call = new Call(
    transport.runner,
    method,
    identifySender(caller, stream.session),
    limitMillis,
    options,
  );
  const work = beginWork(() => `${method.path} by ${whoIs(caller, call.context.peer)}`);
  await runAs(call.context.caller, () => serveCall(transport, stream, method, call, headers));
  endWork(work);
}

/** Serves a call that has begun; never rejects. */
async function serveCall(
  transport: TransportContext,
  stream: ServerHttp2Stream,
  method: Method,
  call: Call,
  headers: IncomingHttpHeaders,
): Promise<void> {
  const onClose = (): void => call.cancel();
  stream.once('close', onClose);
  const lease = transport.memory.lease(stream.session ?? stream, call.context.caller);
  try {
    const encoding = headerText(headers['grpc-encoding']) ?? 'identity';
    if (method.kind === 'unary') await serveUnary(transport, stream, method, call, lease, encoding);
    else await serveStream(transport, stream, method, call, lease, encoding);
    call.end();
  } catch (error) {
    call.end(error);
    lease.release();
    await transport.refusalWaits.before(error, call.context.caller, stream);
    endWithStatus(stream, error);
  } finally {
    stream.off('close', onClose);
    lease.release();
  }
}

async function serveUnary(
  transport: TransportContext,
  stream: ServerHttp2Stream,
  method: UnaryMethod,
  call: Call,
  lease: ByteLease,
  encoding: string,
): Promise<void> {
  const reader = new FrameReader(transport.messageBytesMax);
  const frames: Frame[] = [];
  const take = (chunk: Uint8Array): void => {
    reader.push(chunk);
    const next = reader.next();
    if (!next) return;
    if (frames.length > 0) {
      throw new AppError('invalid-argument', 'unary call with several messages');
    }
    frames.push(next);
  };
  const { clock } = transport.runner;
  const bytesMax = transport.messageBytesMax + 5;
  const stallMillisMax = transport.stallMillisMax;
  const draining = drainBody(stream, { clock, lease, bytesMax, stallMillisMax }, take);
  draining.catch(() => reader.clear());
  await call.bounded(draining);
  const frame = frames.pop();
  if (!frame || reader.isPartial) {
    reader.clear();
    throw new AppError('invalid-argument', 'unary call without one whole message');
  }
  if (frame.copied !== undefined) await call.bounded(frame.copied);
  const request = frame.compressed
    ? await decodeMessage(frame.bytes, encoding, transport.messageBytesMax, lease)
    : frame.bytes;
  const response = await call.bounded(method.handle(request, call.context));
  if (method.dropsRequest === true && frame.isJoined) releaseMemory(frame.bytes);
  respondMessage(stream, response);
}

function respondMessage(stream: ServerHttp2Stream, message: Uint8Array): void {
  if (stream.destroyed || stream.closed) return;
  stream.respond({ ':status': 200, 'content-type': contentType }, { waitForTrailers: true });
  stream.once('wantTrailers', () => sendTrailers(stream));
  if (message.length <= copiedMessageBytesMax) {
    stream.end(frameMessage(message));
    return;
  }
  stream.write(framePrefix(message.length));
  stream.end(message);
}

async function serveStream(
  transport: TransportContext,
  stream: ServerHttp2Stream,
  method: StreamMethod,
  call: Call,
  lease: ByteLease,
  encoding: string,
): Promise<void> {
  const requests = readMessages(stream, {
    lease,
    messageBytesMax: transport.messageBytesMax,
    encoding,
    keepsMessages: method.keepsRequests,
  });
  let error: unknown;
  stream.respond({ ':status': 200, 'content-type': contentType }, { waitForTrailers: true });
  stream.once('wantTrailers', () => sendTrailers(stream, error));
  const responses = method.handle(requests, call.context)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await call.bounded(responses.next());
      if (next.done === true) break;
      if (!stream.write(frameMessage(next.value))) await call.bounded(drained(stream));
    }
  } catch (caught) {
    error = caught;
    throw caught;
  } finally {
    // A method that still waits for its answer to be sent must release its memory, too.
    responses.return?.(undefined).catch(ignoreError);
    if (!stream.destroyed) stream.end();
  }
}

function drained(stream: ServerHttp2Stream): Promise<void> {
  return new Promise((resolve) => stream.once('drain', resolve));
}

/** Ends a call before anything was sent: sends only trailers, and stops the upload. */
function endWithStatus(stream: ServerHttp2Stream, error: unknown): void {
  if (stream.destroyed || stream.closed || stream.headersSent) return;
  const headers = { ':status': 200, 'content-type': contentType, ...statusTrailers(error) };
  stream.respond(headers, { endStream: true });
  stream.resume();
  if (!stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
}

function sendTrailers(stream: ServerHttp2Stream, error?: unknown): void {
  if (!stream.destroyed) stream.sendTrailers(statusTrailers(error));
}

function headerText(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

/** Returns true if a request is native gRPC. Content types of gRPC-Web begin in the same way. */
export function isNativeGrpc(headers: IncomingHttpHeaders): boolean {
  const type = headers['content-type'];
  if (type === undefined || !type.startsWith('application/grpc')) return false;
  return type.length === 16 || type[16] === '+' || type[16] === ';';
}
