// Messages between the page and the worker that answers queries about files.

/** A file to open. */
export interface FileContent {
  /** Value of the label `file`; unique among open files. */
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Time for profiles without a time, in milliseconds since the epoch. */
  readonly modifiedMillis: number;
}

/** A profile type in a file. */
export interface FileType {
  /** Type as a string, as in queries. */
  readonly type: string;
  /** Earliest and latest time of the profiles, in milliseconds since the epoch. */
  readonly fromMillis: number;
  readonly toMillis: number;
}

/** Content of an open file. */
export interface OpenedFile {
  readonly name: string;
  readonly format: string;
  readonly byteCount: number;
  readonly types: readonly FileType[];
  /** Describes the content that could not be read; "" if everything was read. */
  readonly note: string;
}

/**
 * A request; the caller chooses an id that is unique among running requests. `call` is a method as
 * `package.Service/Method`; `get` is a path below `/api/v1/` with parameters.
 */
export type FileRequest = { readonly id: number } & (
  | { readonly kind: 'open'; readonly file: FileContent }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'call'; readonly path: string; readonly message: Uint8Array }
  | { readonly kind: 'get'; readonly path: string }
  | { readonly kind: 'cancel' }
);

/** Tells the worker to serve another port, which is transferred with the message. */
export interface ConnectRequest {
  readonly kind: 'connect';
  readonly port: MessagePort;
}

/** Result of a request, or the reason of its failure. Codes are gRPC codes. */
export type FileReply = { readonly id: number } & (
  | { readonly kind: 'opened'; readonly file: OpenedFile }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly code: number; readonly message: string }
);
