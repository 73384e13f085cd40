// gRPC-Web without a library: unary calls with fetch. A frame is a flag byte, a big-endian length
// and a body.
//
// Protocol: https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-WEB.md
import { type Asking, tagHeaders } from './asking.ts';
import { localServer } from './local.ts';
import { decode, encode, type MessageCodec } from './protobuf.ts';

const frameHeaderBytes = 5;
const trailerFlag = 0x80;

/** gRPC codes that the page distinguishes. */
export const grpcInvalidArgument = 3;
export const grpcNotFound = 5;
export const grpcUnavailable = 14;
export const grpcUnauthenticated = 16;

/** A failed call: an error from the server, or an unreachable server. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  /** gRPC status code; 14 (unavailable) if the server cannot be reached. */
  readonly code: number;

  constructor(code: number, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** A unary method: its path, request and response. */
export interface Method<Request, Response> {
  /** Path as `package.Service/Method`. */
  readonly path: string;
  readonly request: MessageCodec<Request>;
  readonly response: MessageCodec<Response>;
}

/**
 * Calls a method below `base` (which ends in "/").
 *
 * Errors: RpcError with the server's code; the signal's reason if it is aborted.
 */
export async function call<Request, Response>(
  base: string,
  method: Method<Request, Response>,
  request: Request,
  asking: Asking,
): Promise<Response> {
  const encoded = encode(method.request, request);
  const local = localServer(base);
  if (local !== undefined) {
    return decode(method.response, await local.call(method.path, encoded, asking.signal));
  }
  const body = frame(0, encoded);
  const answer = await post(`${base}api/${method.path}`, body, asking);
  const { message, trailers } = readFrames(new Uint8Array(await answer.arrayBuffer()));
  const status = trailers.get('grpc-status') ?? answer.headers.get('grpc-status');
  if (status !== undefined && status !== null && status !== '0') {
    const text = trailers.get('grpc-message') ?? answer.headers.get('grpc-message') ?? '';
    throw new RpcError(Number(status), decodeGrpcMessage(text) || `gRPC status ${status}`);
  }
  if (!answer.ok || message === undefined) {
    throw new RpcError(grpcUnavailable, `the server answered HTTP ${answer.status}`);
  }
  return decode(method.response, message);
}

async function post(url: string, body: Uint8Array<ArrayBuffer>, asking: Asking): Promise<Response> {
  const { signal } = asking;
  const headers = { 'content-type': 'application/grpc-web+proto', 'x-grpc-web': '1' };
  try {
    return await fetch(url, {
      method: 'POST',
      headers: { ...headers, ...tagHeaders(asking) },
      body,
      signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    throw new RpcError(grpcUnavailable, 'the server cannot be reached', { cause: error });
  }
}

/** Wraps a body in a frame. */
export function frame(flag: number, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(frameHeaderBytes + body.length);
  const view = new DataView(out.buffer);
  view.setUint8(0, flag);
  view.setUint32(1, body.length);
  out.set(body, frameHeaderBytes);
  return out;
}

/** Parses a response. A body that is not gRPC-Web has neither message nor trailers. */
export function readFrames(bytes: Uint8Array): {
  readonly message: Uint8Array | undefined;
  readonly trailers: ReadonlyMap<string, string>;
} {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let message: Uint8Array | undefined;
  let trailers: ReadonlyMap<string, string> = new Map();
  let offset = 0;
  while (offset + frameHeaderBytes <= bytes.length) {
    const flag = view.getUint8(offset);
    const end = offset + frameHeaderBytes + view.getUint32(offset + 1);
    if (end > bytes.length) break;
    const body = bytes.subarray(offset + frameHeaderBytes, end);
    if ((flag & trailerFlag) === 0) message = body;
    else trailers = parseTrailers(body);
    offset = end;
  }
  return { message, trailers };
}

function parseTrailers(body: Uint8Array): ReadonlyMap<string, string> {
  const trailers = new Map<string, string>();
  for (const line of new TextDecoder().decode(body).split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) trailers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  return trailers;
}

/** Decodes `grpc-message`, which is percent-encoded UTF-8; other strings are returned unchanged. */
function decodeGrpcMessage(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
