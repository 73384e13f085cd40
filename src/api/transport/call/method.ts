// Methods that a service offers to every transport: they take an encoded request and return an
// encoded response.
import type { Sender } from '../../auth/caller-id.ts';
import type { RequestOptions } from './request-options.ts';

/** Facts about the caller that a method may use. */
export interface CallContext extends RequestOptions, Sender {
  /** Aborted when the caller disconnects, when its deadline passes, or when the server stops. */
  readonly signal: AbortSignal;
}

/** A method with one request and one response. It may use the request until the promise settles. */
export interface UnaryMethod {
  /** `/package.Service/Method`. */
  readonly path: string;
  readonly kind: 'unary';
  /**
   * True if the method does not read the request after it has responded, so that its memory can be
   * released immediately.
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
