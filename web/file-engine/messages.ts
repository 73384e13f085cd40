// Messages between the page and the worker that answers questions about files.

/** A file that the page got. */
export interface FileContent {
  /** Name in the label `file`; no other open file has it. */
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Time of profiles that do not say it, in milliseconds since the epoch. */
  readonly modifiedMillis: number;
}

/** A profile type that a file has. */
export interface FileType {
  /** Its text, for queries. */
  readonly type: string;
  /** Earliest and latest time of its profiles, in milliseconds since the epoch. */
  readonly fromMillis: number;
  readonly toMillis: number;
}

/** Content of an open file. */
export interface OpenedFile {
  readonly name: string;
  readonly format: string;
  readonly byteCount: number;
  readonly types: readonly FileType[];
  /** Says what of the file could not be read; "" for nothing. */
  readonly note: string;
}

/**
 * A request; its id is the caller's own, and no other request under way has it. `call` names a
 * method as `package.Service/Method`; `get` a path below `/api/v1/`, with its parameters.
 */
export type FileRequest = { readonly id: number } & (
  | { readonly kind: 'open'; readonly file: FileContent }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'call'; readonly path: string; readonly message: Uint8Array }
  | { readonly kind: 'get'; readonly path: string }
  | { readonly kind: 'cancel' }
);

/** Asks to serve requests of another port, too, which is transferred. */
export interface ConnectRequest {
  readonly kind: 'connect';
  readonly port: MessagePort;
}

/** An answer: what a request asked for, or the reason why there is none. Codes are gRPC's. */
export type FileReply = { readonly id: number } & (
  | { readonly kind: 'opened'; readonly file: OpenedFile }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly code: number; readonly message: string }
);
