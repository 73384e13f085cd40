// Methods that a service offers to every transport: an encoded request in, a response out.
import type { Sender } from '../../auth/caller-id.ts';
import type { RequestOptions } from './request-options.ts';

/** Facts about the caller that a method may use. */
export interface CallContext extends RequestOptions, Sender {
  /** Aborted when the caller disconnects, its deadline passes or the server stops. */
  readonly signal: AbortSignal;
}

/** One request, one response. The request is borrowed until the promise settles. */
export interface UnaryMethod {
  /** `/package.Service/Method`. */
  readonly path: string;
  readonly kind: 'unary';
  /**
   * True if the request is not read after its response, so that its memory is released immediately.
   */
  readonly dropsRequest?: boolean;
  handle(request: Uint8Array, context: CallContext): Promise<Uint8Array>;
}

/** A method with any number of requests and responses; only native gRPC can call it. */
export interface StreamMethod {
  readonly path: string;
  readonly kind: 'stream';
  /** True if a request stays in memory until the call ends, or until the next one is requested. */
  readonly keepsRequests: boolean;
  handle(requests: AsyncIterable<Uint8Array>, context: CallContext): AsyncIterable<Uint8Array>;
}

export type Method = UnaryMethod | StreamMethod;

/** Methods by path. */
export type MethodTable = ReadonlyMap<string, Method>;

/** Indexes methods by path. */
export function methodTable(methods: Iterable<Method>): MethodTable {
  const table = new Map<string, Method>();
  for (const method of methods) table.set(method.path, method);
  return table;
}

/**
 * Returns the method path at the end of a URL path, without the prefix: as in Parca, the UI calls
 * `/prefix/api/parca.query.v1alpha1.QueryService/Query`. A path with fewer than two parts is
 * returned unchanged.
 */
export function methodPath(urlPath: string): string {
  const query = urlPath.indexOf('?');
  const path = query === -1 ? urlPath : urlPath.slice(0, query);
  const last = path.lastIndexOf('/');
  const before = last > 0 ? path.lastIndexOf('/', last - 1) : -1;
  return before <= 0 ? path : path.slice(before);
}
