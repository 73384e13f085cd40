// Requests JSON from the server with GET.
import { type Asking, tagHeaders } from './asking.ts';
import { grpcUnavailable, RpcError } from './grpc-web.ts';
import { localServer } from './local.ts';

/**
 * Returns the JSON response of `GET {base}api/v1/{path}`; `base` ends in "/".
 *
 * Errors: RpcError with the server's code; the signal's reason if it is aborted.
 */
export async function getJson(
  base: string,
  path: string,
  parameters: URLSearchParams,
  asking: Asking,
): Promise<unknown> {
  const { signal } = asking;
  const local = localServer(base);
  if (local !== undefined) {
    return JSON.parse(new TextDecoder().decode(await local.get(`${path}?${parameters}`, signal)));
  }
  try {
    const headers = tagHeaders(asking);
    const response = await fetch(`${base}api/v1/${path}?${parameters}`, { signal, headers });
    const json: unknown = await response.json();
    if (response.ok) return json;
    throw toError(json, response.status);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RpcError) throw error;
    throw new RpcError(grpcUnavailable, 'the server cannot be reached', { cause: error });
  }
}

/** Returns the error in a JSON response. */
export function toError(json: unknown, status: number): RpcError {
  const { code, message }: Record<string, unknown> = Object(json);
  if (typeof code === 'number' && typeof message === 'string') return new RpcError(code, message);
  return new RpcError(grpcUnavailable, `the server answered HTTP ${status}`);
}
