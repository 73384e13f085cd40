// The cache of values read from blocks, limited in bytes. The least recently used values are
// dropped first.
import { Flight } from '../../base/flight.ts';

/** Cache that all blocks of a store share, in one thread. */
export class BlockCache {
  /** Number of bytes in the cache. */
  usedBytes = 0;
  readonly #bytesMax: number;
  /** Values in the order of their last use. */
  readonly #used = new Set<Cached<unknown>>();

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Adds a loaded value, and drops other values while the cache is too large. */
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

/** A value that is loaded on demand, and again after the cache has dropped it. */
export class Cached<T> {
  readonly #cache: BlockCache;
  readonly #load: (signal: AbortSignal) => Promise<{ readonly value: T; readonly bytes: number }>;
  readonly #onDrop: () => void;
  #held: { readonly value: T; readonly bytes: number } | undefined;
  #loading: Flight<T> | undefined;

  /**
   * Creates a value. `load` returns it with its approximate memory; the signal of `load` is aborted
   * when nobody waits for the value any longer. `onDrop` is called when the value is dropped.
   */
  constructor(
    cache: BlockCache,
    load: (signal: AbortSignal) => Promise<{ readonly value: T; readonly bytes: number }>,
    onDrop: () => void = () => undefined,
  ) {
    this.#cache = cache;
    this.#load = load;
    this.#onDrop = onDrop;
  }

  /**
   * Returns the value, synchronously if it is in memory. Concurrent callers share a load. The load
   * is aborted when the signals of all these callers are aborted.
   */
  get(signal?: AbortSignal): T | Promise<T> {
    if (this.#held !== undefined) {
      this.#cache.touch(this);
      return this.#held.value;
    }
    return this.#join(signal);
  }

  /** Drops the value from the cache; callers that already have it may keep using it. */
  drop(): void {
    if (this.#held !== undefined) this.#cache.remove(this, this.#held.bytes);
    this.#held = undefined;
    this.#onDrop();
  }

  async #join(signal: AbortSignal | undefined): Promise<T> {
    signal?.throwIfAborted();
    if (this.#loading === undefined || this.#loading.isEnded) this.#loading = this.#begin();
    return this.#loading.join(signal);
  }

  #begin(): Flight<T> {
    const loading = new Flight(async (signal) => {
      const held = await this.#load(signal);
      // This load was aborted, and another caller may already be waiting for a later load.
      if (signal.aborted) return held.value;
      this.#held = held;
      this.#cache.add(this, held.bytes);
      return held.value;
    });
    const forget = (): void => {
      if (this.#loading === loading) this.#loading = undefined;
    };
    loading.work.then(forget, forget);
    return loading;
  }
}
