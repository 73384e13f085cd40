// An object of a bucket as a read-only file. It is read in pages, through a cache.
import { Flight } from '../../base/flight.ts';
import { objectPageBytes, objectPagesPerRequestMax } from '../../base/limits.ts';
import type { ReadableFile } from '../block/block-file.ts';
import type { PageCache } from './page-cache.ts';
import type { RangeReader } from './range-reader.ts';

interface BucketFileOptions {
  /** Key of the object in the bucket. */
  readonly key: string;
  /**
   * Name of the object in the cache. It consists of letters, digits and hyphens. An object never
   * changes.
   */
  readonly name: string;
  readonly bytes: number;
  readonly reader: Pick<RangeReader, 'read'>;
  readonly cache: PageCache;
}

/** A request for adjacent pages, starting with page `first`. */
interface PageRequest {
  readonly first: number;
  readonly pages: Flight<readonly Uint8Array[]>;
}

/**
 * Reads whole pages, and adjacent pages with one request. Readers of the same page share a request.
 * It is aborted when the signals of all these readers are aborted.
 *
 * Errors of `read`: those of Bucket.readRange.
 */
export class BucketFile implements ReadableFile {
  readonly #options: BucketFileOptions;
  /** Running requests, by the pages that they fetch. */
  readonly #fetching = new Map<number, PageRequest>();

  constructor(options: BucketFileOptions) {
    this.#options = options;
  }

  async read(into: Uint8Array, offset: number, signal?: AbortSignal): Promise<number> {
    const end = Math.min(offset + into.length, this.#options.bytes);
    let at = offset;
    while (at < end) {
      const first = Math.floor(at / objectPageBytes);
      const last = Math.floor((end - 1) / objectPageBytes);
      const lastNow = Math.min(last, first + objectPagesPerRequestMax - 1);
      const pages = await this.#pages(first, lastNow, signal);
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

  async #pages(
    first: number,
    last: number,
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array[]> {
    const { cache, name } = this.#options;
    const numbers = Array.from({ length: last - first + 1 }, (_, i) => first + i);
    const found = await Promise.all(
      numbers.map(
        (page) => this.#fetched(page, signal) ?? cache.get(name, page, this.#pageBytes(page)),
      ),
    );
    signal?.throwIfAborted();
    // There must be no await between the check for running requests and the new requests below.
    for (let i = 0; i < numbers.length; i += 1) {
      const isMissing = (at: number): boolean =>
        at < numbers.length && found[at] === undefined && !this.#isFetching(numbers[at]);
      if (!isMissing(i)) continue;
      let end = i + 1;
      while (isMissing(end)) end += 1;
      this.#fetch(numbers[i], numbers[end - 1]);
    }
    return Promise.all(
      numbers.map(async (page, i) => {
        const bytes = found[i] ?? (await this.#fetched(page, signal));
        if (bytes === undefined) throw new Error(`BUG: page ${page} is not on its way`);
        return bytes;
      }),
    );
  }

  #isFetching(page: number): boolean {
    return this.#fetching.get(page)?.pages.isEnded === false;
  }

  /** Waits for a page that is being fetched. Returns undefined if no request fetches it. */
  #fetched(page: number, signal: AbortSignal | undefined): Promise<Uint8Array> | undefined {
    const request = this.#fetching.get(page);
    if (request === undefined || request.pages.isEnded) return undefined;
    return request.pages.join(signal).then((pages) => pages[page - request.first]);
  }

  /** Fetches adjacent pages with one request. */
  #fetch(first: number, last: number): void {
    const pages = new Flight((signal) => this.#request(first, last, signal));
    const request: PageRequest = { first, pages };
    for (let page = first; page <= last; page += 1) this.#fetching.set(page, request);
    const forget = (): void => {
      for (let page = first; page <= last; page += 1) {
        if (this.#fetching.get(page) === request) this.#fetching.delete(page);
      }
    };
    pages.work.then(forget, forget);
  }

  async #request(first: number, last: number, signal: AbortSignal): Promise<Uint8Array[]> {
    const { cache, key, name, reader } = this.#options;
    const start = first * objectPageBytes;
    const length = last * objectPageBytes + this.#pageBytes(last) - start;
    const whole = await reader.read(key, start, length, signal);
    return Array.from({ length: last - first + 1 }, (_, i) => {
      const page = first + i;
      // The page is copied, because a view of it would keep the neighbouring pages in memory.
      const bytes = whole.slice(i * objectPageBytes, i * objectPageBytes + this.#pageBytes(page));
      cache.put(name, page, bytes);
      return bytes;
    });
  }

  #pageBytes(page: number): number {
    return Math.min(objectPageBytes, this.#options.bytes - page * objectPageBytes);
  }
}
