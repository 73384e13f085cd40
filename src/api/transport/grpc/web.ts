// gRPC-Web in its binary and its text form, over HTTP/1.1 and HTTP/2. It serves unary calls, each
// in one framed body.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '../../../base/errors.ts';
import { finishPausing, Pacer, type Steps, stoppablePacer } from '../../../base/pacer.ts';
import type { Call, TransportContext } from '../call/call.ts';
import { runHttpCall } from '../call/http-call.ts';
import { methodPath } from '../call/method.ts';
import type { Caller } from '../../auth/caller.ts';
import { decodeMessage, readBody } from '../call/request-body.ts';
import type { ByteLease } from '../call/request-memory.ts';
import { readRequestOptions } from '../call/request-options.ts';
import { statusTrailers } from './headers.ts';
import { frameMessage, framePrefixBytes, FrameReader, trailersFlag } from './message-frames.ts';

/** Returns true if a content type is one of gRPC-Web's four content types. */
export function isGrpcWeb(contentType: string | undefined): boolean {
  return (
    contentType !== undefined && /^application\/grpc-web(-text)?(\+proto)?(;|$)/.test(contentType)
  );
}

/**
 * Serves one call and ends the response; never rejects. Errors are sent as trailers in the body.
 */
export async function serveGrpcWeb(
  transport: TransportContext,
  request: IncomingMessage,
  response: ServerResponse,
  caller: Caller,
): Promise<void> {
  const reply = (message: Uint8Array | undefined, error?: unknown): void =>
    endWebCall(request, response, message, error);
  try {
    const path = methodPath(request.url ?? '');
    const method = transport.findMethod(path, caller);
    if (method.kind !== 'unary') throw new AppError('unimplemented', `unknown method ${path}`);
    const options = readRequestOptions(request.headers);
    await runHttpCall(
      transport,
      request,
      response,
      caller,
      method,
      options,
      async (call, lease) => {
        const message = await readRequest(transport, request, call, lease);
        reply(await call.bounded(method.handle(message, call.context)));
      },
      (error) => reply(undefined, error),
    );
  } catch (error) {
    request.resume();
    reply(undefined, error);
  }
}

/** Ends a response with a message or an error. */
export function endWebCall(
  request: IncomingMessage,
  response: ServerResponse,
  message: Uint8Array | undefined,
  error: unknown,
): void {
  const frames = message ? [frameMessage(message)] : [];
  frames.push(trailersFrame(error));
  const body = isTextCall(request)
    ? Buffer.from(frames.map((frame) => frame.toString('base64')).join(''))
    : Buffer.concat(frames);
  // The rest of a refused upload is not read, so the connection cannot be reused.
  if (!request.complete && request.httpVersionMajor === 1)
    response.setHeader('connection', 'close');
  const contentType = request.headers['content-type'] ?? '';
  const headers = { 'content-type': contentType, 'cache-control': 'no-store' };
  response.writeHead(200, { ...headers, 'content-length': body.length });
  response.end(body);
}

function isTextCall({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('application/grpc-web-text') === true;
}

async function readRequest(
  transport: TransportContext,
  request: IncomingMessage,
  call: Call,
  lease: ByteLease,
): Promise<Uint8Array> {
  const isText = isTextCall(request);
  const { messageBytesMax, stallMillisMax, runner } = transport;
  const framed = messageBytesMax + framePrefixBytes;
  const bytesMax = isText ? Math.ceil(framed / 3) * 4 : framed;
  const body = await call.bounded(
    readBody(request, { clock: runner.clock, lease, bytesMax, stallMillisMax }),
  );
  const reader = new FrameReader(messageBytesMax);
  const pacer = stoppablePacer(new Pacer(runner.clock), call.context.signal);
  reader.push(isText ? await finishPausing(decodeBase64Groups(body), pacer) : body);
  const frame = reader.next();
  if (!frame || reader.isPartial) {
    throw new AppError('invalid-argument', 'unary call without one whole message');
  }
  if (!frame.compressed) return frame.bytes;
  const encoding = request.headers['grpc-encoding'];
  const name = typeof encoding === 'string' ? encoding : 'identity';
  return decodeMessage(frame.bytes, name, messageBytesMax, lease);
}

/** Value of each character of base64 and base64url; -1 for other characters, which are skipped. */
const digits64 = new Int8Array(256).fill(-1);
for (const digits of ['ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', '-_']) {
  for (let i = 0; i < digits.length; i += 1) {
    digits64[digits.charCodeAt(i)] = digits.length === 64 ? i : 62 + i;
  }
}
const equalsSign = 0x3d;

/** Number of characters that are decoded between two pauses. */
const base64StepCharacters = 65_536;

/** Decodes base64 in steps. The text may consist of several padded strings. */
export function* decodeBase64Groups(text: Buffer): Steps<Buffer> {
  const padding = text.indexOf(equalsSign);
  const isPiece = padding === -1 || padding >= text.length - 2;
  if (isPiece && text.length <= base64StepCharacters)
    return Buffer.from(text.toString('latin1'), 'base64');
  // All strings are decoded into one buffer. A string may have only two characters, and a buffer
  // for each string would use up all memory.
  const output = Buffer.allocUnsafe(Math.ceil((text.length * 3) / 4));
  const state: Base64State = { length: 0, bits: 0, bitCount: 0 };
  for (let from = 0; from < text.length; from += base64StepCharacters) {
    if (from > 0) yield;
    decodeCharacters(text.subarray(from, from + base64StepCharacters), output, state);
  }
  return output.subarray(0, state.length);
}

/**
 * State of decoding: the number of decoded bytes, and the bits that wait for the next character.
 */
interface Base64State {
  length: number;
  bits: number;
  bitCount: number;
}

function decodeCharacters(text: Buffer, output: Buffer, state: Base64State): void {
  let { length, bits, bitCount } = state;
  for (let i = 0; i < text.length; i += 1) {
    const digit = digits64[text[i]];
    if (digit === -1) {
      if (text[i] === equalsSign) bitCount = 0;
      continue;
    }
    bits = ((bits << 6) | digit) & 0xffff;
    bitCount += 6;
    if (bitCount < 8) continue;
    bitCount -= 8;
    output[length] = bits >> bitCount;
    length += 1;
  }
  state.length = length;
  state.bits = bits;
  state.bitCount = bitCount;
}

function trailersFrame(error: unknown): Buffer {
  const lines = Object.entries(statusTrailers(error)).map(
    ([name, value]) => `${name}:${value}\r\n`,
  );
  return frameMessage(Buffer.from(lines.join(''), 'latin1'), trailersFlag);
}
