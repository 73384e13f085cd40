// Answers queries about files, which no server has, in this browser.

/** Answers like a server. Errors: RpcError; the signal's reason. */
export interface LocalServer {
  /** Calls a method, `package.Service/Method`. */
  call(path: string, message: Uint8Array, signal: AbortSignal): Promise<Uint8Array>;
  /** Gets a path below `/api/v1/`, with its parameters. */
  get(path: string, signal: AbortSignal): Promise<Uint8Array>;
}

/** Base address of questions about files. */
export const localBase = 'files:/';

let server: LocalServer | undefined;

/** Sets what answers from now on. */
export function setLocalServer(next: LocalServer): void {
  server = next;
}

/** Returns the local answerer for requests below `base`; undefined for a server's base. */
export function localServer(base: string): LocalServer | undefined {
  return base === localBase ? server : undefined;
}
