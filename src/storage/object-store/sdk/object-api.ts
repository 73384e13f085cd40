// The calls to a vendor's client that a bucket needs.

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
  /** Joins the first `count` parts into an object. */
  join(count: number, signal: AbortSignal): Promise<void>;
  /** Removes parts that will not become an object, if the vendor keeps such parts. */
  abandon(signal: AbortSignal): Promise<void>;
}

/** An object that is sent as a stream. */
export interface LargeBody {
  readonly bytes: number;
  /** Reads the complete object. The deadline starts again whenever the client takes a piece. */
  read(): AsyncIterable<Uint8Array>;
}

/** Ways to store an object that is too large for one request. */
export type LargeUpload =
  | {
      /** The caller stores parts, and then joins them into an object. */
      readonly kind: 'parts';
      begin(key: string, signal: AbortSignal): Promise<PartUpload>;
    }
  | {
      /** The client sends the object as a stream. */
      readonly kind: 'stream';
      store(key: string, body: LargeBody, signal: AbortSignal): Promise<void>;
    };

/**
 * The calls of a bucket, implemented with a vendor's client. Keys include the prefix. Each call is
 * tried once and rejects with the client's own error, which `describeFailure` reads.
 */
export interface ObjectApi {
  /** Name of the bucket for messages. */
  readonly name: string;
  /** Possible sources of a login, such as keys of the config; for messages. */
  readonly loginSources: string;
  /** Does what must be done before the first call. */
  prepare(signal: AbortSignal): Promise<void>;
  listPage(prefix: string, token: string | undefined, signal: AbortSignal): Promise<ObjectPage>;
  size(key: string, signal: AbortSignal): Promise<number>;
  /** Reads the bytes offset .. offset + length, or as many of them as exist. */
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
