// Questions that this browser answers itself: about files, which no server has.

/** Answers like a server. Errors: RpcError; the signal's reason. */
export interface LocalServer {
  /** A method, as `package.Service/Method`. */
  call(path: string, message: Uint8Array, signal: AbortSignal): Promise<Uint8Array>;
  /** A path below `/api/v1/`, with its parameters. */
  get(path: string, signal: AbortSignal): Promise<Uint8Array>;
}

/** Base address of questions about files. */
export const localBase = 'files:/';

let server: LocalServer | undefined;

/** Sets what answers from now on. */
export function setLocalServer(next: LocalServer): void {
  server = next;
}

/** Returns what answers questions below `base` here; undefined for a server's base. */
export function localServer(base: string): LocalServer | undefined {
  return base === localBase ? server : undefined;
}
