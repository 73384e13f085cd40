// The few calls that a bucket makes of a vendor's client.

/** One page of a list. */
export interface ObjectPage {
  readonly objects: readonly { readonly key: string; readonly bytes: number }[];
  /** Prefixes of deeper objects, each with "/" at its end. */
  readonly folders: readonly string[];
  /** Token of the next page; undefined after the last one. */
  readonly next: string | undefined;
}

/** Ways to store an object that is too large for one request. */
export type LargeUpload =
  | {
      /** The caller stores parts, which then become an object. */
      readonly kind: 'parts';
      store(key: string, index: number, bytes: Uint8Array, signal: AbortSignal): Promise<void>;
      join(key: string, count: number, signal: AbortSignal): Promise<void>;
    }
  | {
      /** The client sends parts of a stream, and sends one again if it has to. */
      readonly kind: 'stream';
      store(key: string, pieces: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void>;
    };

/**
 * A bucket as a vendor's client has it. Keys are whole keys. Each call is tried once and rejects
 * with the client's own error; `describeFailure` reads those.
 */
export interface ObjectApi {
  /** Name of the bucket for messages. */
  readonly name: string;
  /** Does what has to be done before the first call. */
  prepare(signal: AbortSignal): Promise<void>;
  listPage(prefix: string, token: string | undefined, signal: AbortSignal): Promise<ObjectPage>;
  size(key: string, signal: AbortSignal): Promise<number>;
  /** Reads bytes offset .. offset + length, or what there is of them. */
  read(
    key: string,
    range: { readonly offset: number; readonly length: number },
    signal: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array>>;
  /** Stores an object; with `isNew`, only if there is none of that key. */
  store(key: string, bytes: Uint8Array, isNew: boolean, signal: AbortSignal): Promise<void>;
  readonly large: LargeUpload;
  remove(key: string, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
