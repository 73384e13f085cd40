// Answers queries about local files in the browser, without a server.

/** Answers requests like a server. Errors: RpcError; the signal's reason. */
export interface LocalServer {
  /** Calls a method, `package.Service/Method`. */
  call(path: string, message: Uint8Array, signal: AbortSignal): Promise<Uint8Array>;
  /** Requests a path below `/api/v1/`, with parameters. */
  get(path: string, signal: AbortSignal): Promise<Uint8Array>;
}

/** Base URL for queries about files. */
export const localBase = 'files:/';

let server: LocalServer | undefined;

/** Sets the local server. */
export function setLocalServer(next: LocalServer): void {
  server = next;
}

/** Returns the local server for requests below `base`; undefined for the base of a real server. */
export function localServer(base: string): LocalServer | undefined {
  return base === localBase ? server : undefined;
}
