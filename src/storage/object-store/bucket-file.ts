// An object of a bucket as a read-only file, read by pages through a cache.
import { objectPageBytes, objectPagesPerRequestMax } from '../../base/limits.ts';
import type { ReadableFile } from '../block/block-file.ts';
import type { PageCache } from './page-cache.ts';
import type { RangeReader } from './range-reader.ts';

interface BucketFileOptions {
  /** Key of the object in the bucket. */
  readonly key: string;
  /** Name of the object in the cache, of letters, digits and hyphens. An object never changes. */
  readonly name: string;
  readonly bytes: number;
  readonly reader: Pick<RangeReader, 'read'>;
  readonly cache: PageCache;
}

/**
 * Reads whole pages; adjacent pages by one request. Readers of the same page share a request.
 *
 * Errors of `read`: those of Bucket.readRange.
 */
export class BucketFile implements ReadableFile {
  readonly #options: BucketFileOptions;
  /** Pages that are being fetched. */
  readonly #fetching = new Map<number, Promise<Uint8Array>>();

  constructor(options: BucketFileOptions) {
    this.#options = options;
  }

  async read(into: Uint8Array, offset: number): Promise<number> {
    const end = Math.min(offset + into.length, this.#options.bytes);
    let at = offset;
    while (at < end) {
      const first = Math.floor(at / objectPageBytes);
      const last = Math.floor((end - 1) / objectPageBytes);
      const pages = await this.#pages(first, Math.min(last, first + objectPagesPerRequestMax - 1));
      for (const [i, page] of pages.entries()) {
        const start = (first + i) * objectPageBytes;
        const part = page.subarray(at - start, Math.min(page.length, end - start));
        into.set(part, at - offset);
        at += part.length;
      }
    }
    return Math.max(0, at - offset);
  }

  size(): Promise<number> {
    return Promise.resolve(this.#options.bytes);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async #pages(first: number, last: number): Promise<Uint8Array[]> {
    const { cache, name } = this.#options;
    const numbers = Array.from({ length: last - first + 1 }, (_, i) => first + i);
    const found = await Promise.all(
      numbers.map(
        (page) => this.#fetching.get(page) ?? cache.get(name, page, this.#pageBytes(page)),
      ),
    );
    // There must be no await between the look-ups above and the requests below.
    for (let i = 0; i < numbers.length; i += 1) {
      const isMissing = (at: number): boolean =>
        at < numbers.length && found[at] === undefined && !this.#fetching.has(numbers[at]);
      if (!isMissing(i)) continue;
      let end = i + 1;
      while (isMissing(end)) end += 1;
      this.#fetch(numbers[i], numbers[end - 1]);
    }
    return Promise.all(numbers.map(async (page, i) => found[i] ?? (await this.#fetched(page))));
  }

  #fetched(page: number): Promise<Uint8Array> {
    const promise = this.#fetching.get(page);
    return promise ?? Promise.reject(new Error(`BUG: page ${page} is not on its way`));
  }

  /** Fetches adjacent pages by one request. */
  #fetch(first: number, last: number): void {
    const { key, reader } = this.#options;
    const start = first * objectPageBytes;
    const whole = reader.read(key, start, last * objectPageBytes + this.#pageBytes(last) - start);
    for (let page = first; page <= last; page += 1) {
      const one = this.#keep(whole, page, (page - first) * objectPageBytes);
      // Readers that wait for the page get the error.
      one.catch(() => undefined);
      this.#fetching.set(page, one);
    }
  }

  async #keep(whole: Promise<Uint8Array>, page: number, from: number): Promise<Uint8Array> {
    try {
      // A copy, so that a cached page does not keep its neighbours in memory.
      const bytes = (await whole).slice(from, from + this.#pageBytes(page));
      this.#options.cache.put(this.#options.name, page, bytes);
      return bytes;
    } finally {
      this.#fetching.delete(page);
    }
  }

  #pageBytes(page: number): number {
    return Math.min(objectPageBytes, this.#options.bytes - page * objectPageBytes);
  }
}
