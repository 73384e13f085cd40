// The calls of a vendor's client that a bucket needs.

/** One page of a list. */
export interface ObjectPage {
  readonly objects: readonly { readonly key: string; readonly bytes: number }[];
  /** Prefixes of objects in subfolders, each ending in "/". */
  readonly folders: readonly string[];
  /** Token of the next page; undefined on the last page. */
  readonly next: string | undefined;
}

/** Parts of an object that is being uploaded. */
export interface PartUpload {
  store(index: number, bytes: Uint8Array, signal: AbortSignal): Promise<void>;
  /** Makes an object of `count` parts. */
  join(count: number, signal: AbortSignal): Promise<void>;
  /** Removes parts that will not become an object, where the vendor keeps them. */
  abandon(signal: AbortSignal): Promise<void>;
}

/** An object that is sent as a stream. */
export interface LargeBody {
  readonly bytes: number;
  /** Reads the complete object. Each piece that the client takes restarts the deadline. */
  read(): AsyncIterable<Uint8Array>;
}

/** Ways to store an object that is too large for one request. */
export type LargeUpload =
  | {
      /** The caller stores parts, which then become an object. */
      readonly kind: 'parts';
      begin(key: string, signal: AbortSignal): Promise<PartUpload>;
    }
  | {
      /** The client sends a stream. */
      readonly kind: 'stream';
      store(key: string, body: LargeBody, signal: AbortSignal): Promise<void>;
    };

/**
 * A bucket in terms of a vendor's client. Keys include the prefix. Each call is tried once and
 * rejects with the client's own error, which `describeFailure` reads.
 */
export interface ObjectApi {
  /** Name of the bucket for messages. */
  readonly name: string;
  /** Keys of the config and other sources of a login, for messages. */
  readonly loginSources: string;
  /** Makes the preparations that the first call needs. */
  prepare(signal: AbortSignal): Promise<void>;
  listPage(prefix: string, token: string | undefined, signal: AbortSignal): Promise<ObjectPage>;
  size(key: string, signal: AbortSignal): Promise<number>;
  /** Reads bytes offset .. offset + length, or as many of them as there are. */
  read(
    key: string,
    range: { readonly offset: number; readonly length: number },
    signal: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array>>;
  /** Stores an object; with `isNew`, only if there is none with that key. */
  store(key: string, bytes: Uint8Array, isNew: boolean, signal: AbortSignal): Promise<void>;
  readonly large: LargeUpload;
  remove(key: string, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
