// Sends JSON to the server's own paths, with POST and DELETE.
import { grpcUnavailable, RpcError } from './grpc-web.ts';
import { toError } from './json.ts';
import { localServer } from './local.ts';

const grpcPermissionDenied = 7;
const grpcUnimplemented = 12;
/** gRPC codes of a server that does not let this user write, or that does not store anything. */
const refusedCodes: ReadonlySet<number> = new Set([grpcPermissionDenied, grpcUnimplemented]);

/**
 * Sends `value` to `{base}api/v1/{path}`, and returns the response; undefined if it has no body.
 *
 * Errors: RpcError with the server's code.
 */
export async function sendJson(
  base: string,
  method: 'POST' | 'DELETE',
  path: string,
  value?: unknown,
): Promise<unknown> {
  if (localServer(base) !== undefined) {
    throw new RpcError(grpcUnimplemented, 'files of this browser are on no server');
  }
  let response: Response;
  try {
    response = await fetch(`${base}api/v1/${path}`, {
      method,
      ...(value === undefined
        ? {}
        : { body: JSON.stringify(value), headers: { 'content-type': 'application/json' } }),
    });
  } catch (error) {
    throw new RpcError(grpcUnavailable, 'the server cannot be reached', { cause: error });
  }
  if (!response.ok) throw toError(await response.json(), response.status);
  return response.status === 204 ? undefined : response.json();
}

/** Returns true if a change was refused permanently, so that only the browser can store it. */
export function isNotKept(error: unknown): boolean {
  return error instanceof RpcError && refusedCodes.has(error.code);
}
