// What blocks keep in memory of their files, bounded in bytes: the least recently used goes first.

/** Values of all blocks of a store. One thread only. */
export class BlockCache {
  /** Bytes that are kept now. */
  usedBytes = 0;
  readonly #bytesMax: number;
  /** In the order of their last use. */
  readonly #used = new Set<Cached<unknown>>();

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Counts a value that was loaded, and drops others when there are too many. */
  add(cached: Cached<unknown>, bytes: number): void {
    this.#used.add(cached);
    this.usedBytes += bytes;
    for (const oldest of this.#used) {
      if (this.usedBytes <= this.#bytesMax || oldest === cached) break;
      oldest.drop();
    }
  }

  touch(cached: Cached<unknown>): void {
    this.#used.delete(cached);
    this.#used.add(cached);
  }

  remove(cached: Cached<unknown>, bytes: number): void {
    if (this.#used.delete(cached)) this.usedBytes -= bytes;
  }
}

/** One value that is loaded when it is asked for, and again after the cache dropped it. */
export class Cached<T> {
  readonly #cache: BlockCache;
  readonly #load: () => Promise<{ readonly value: T; readonly bytes: number }>;
  readonly #onDrop: () => void;
  #held: { readonly value: T; readonly bytes: number } | undefined;
  #loading: Promise<T> | undefined;

  /** `load` says how many bytes of memory the value takes, about; `onDrop` hears of its end. */
  constructor(
    cache: BlockCache,
    load: () => Promise<{ readonly value: T; readonly bytes: number }>,
    onDrop: () => void = () => undefined,
  ) {
    this.#cache = cache;
    this.#load = load;
    this.#onDrop = onDrop;
  }

  /** The value: at once when it is in memory. Loads that run at the same time are shared. */
  get(): T | Promise<T> {
    if (this.#held !== undefined) {
      this.#cache.touch(this);
      return this.#held.value;
    }
    this.#loading ??= this.#loadNow();
    return this.#loading;
  }

  /** Forgets the value; those who use it keep it. */
  drop(): void {
    if (this.#held !== undefined) this.#cache.remove(this, this.#held.bytes);
    this.#held = undefined;
    this.#onDrop();
  }

  async #loadNow(): Promise<T> {
    try {
      const held = await this.#load();
      this.#held = held;
      this.#cache.add(this, held.bytes);
      return held.value;
    } finally {
      this.#loading = undefined;
    }
  }
}
