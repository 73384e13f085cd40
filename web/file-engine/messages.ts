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
  /** Its string form, for queries. */
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
  /** Describes what of the file could not be read; "" if all of it could. */
  readonly note: string;
}

/**
 * A request; its id is the caller's own, and unique among running requests. `call` names a method
 * as `package.Service/Method`; `get` a path below `/api/v1/`, with its parameters.
 */
export type FileRequest = { readonly id: number } & (
  | { readonly kind: 'open'; readonly file: FileContent }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'call'; readonly path: string; readonly message: Uint8Array }
  | { readonly kind: 'get'; readonly path: string }
  | { readonly kind: 'cancel' }
);

/** Requests that the worker also serves another port, which is transferred. */
export interface ConnectRequest {
  readonly kind: 'connect';
  readonly port: MessagePort;
}

/** An answer: the requested result, or the reason why there is none. Codes are gRPC's. */
export type FileReply = { readonly id: number } & (
  | { readonly kind: 'opened'; readonly file: OpenedFile }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly code: number; readonly message: string }
);
