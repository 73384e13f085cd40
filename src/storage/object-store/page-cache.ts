// A cache of recently read pages of objects, in memory and on the disk. docs/format/cache.md has
// the layout of its files.
import { crc32c } from '../../base/crc32c.ts';
import { errorMessage } from '../../base/errors.ts';
import type { Files } from '../../base/files.ts';
import { freeDiskBytesMin } from '../../base/limits.ts';
import { freeDiskShareMin, objectPageMemoryBytesMax, objectPagesPendingMax } from '../limits.ts';
import type { Logger } from '../../base/logger.ts';
import type { Metrics } from '../../base/metrics.ts';
import { temporaryPath } from '../../base/durable-files.ts';
import { LeastRecent } from '../../base/least-recent.ts';

interface PageCacheOptions {
  readonly files: Files;
  /** Folder of the cache; created if missing. Its content may be removed at any time. */
  readonly directory: string;
  /** Size limit on the disk in bytes; 0 = in memory only. */
  readonly bytesMax: number;
  readonly memoryBytesMax?: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

const checksumBytes = 4;
const namePattern = /^([A-Za-z0-9-]+)\.(\d{1,10})\.(\d{1,10})\.page$/;

/** Opens the cache. It begins with the pages that earlier processes left in its directory. */
export async function openPageCache(options: PageCacheOptions): Promise<PageCache> {
  const { files, directory, bytesMax } = options;
  const cache = new PageCache(options);
  await files.makeDirectory(directory);
  for (const name of await files.listFiles(directory)) {
    const bytes = Number(namePattern.exec(name)?.[3] ?? 0);
    if (bytes === 0 || bytesMax === 0) await files.remove(`${directory}/${name}`);
    else await cache.adopt(name, bytes + checksumBytes);
  }
  return cache;
}

/**
 * Pages by object and page number. Objects never change, so a page is never stale. Methods never
 * fail: a page that cannot be read or written counts as not cached.
 */
export class PageCache {
  readonly #options: PageCacheOptions;
  readonly #memory: LeastRecent<Uint8Array>;
  readonly #onDisk: LeastRecent<number>;
  /** Settles with the last write or removal. Writes and removals run one after another. */
  #queue: Promise<void> = Promise.resolve();
  #pending = 0;
  #hasWarned = false;
  readonly #failures;

  constructor(options: PageCacheOptions) {
    this.#options = options;
    const { bytesMax, memoryBytesMax = objectPageMemoryBytesMax, metrics } = options;
    this.#memory = new LeastRecent(memoryBytesMax, (page) => page.length);
    this.#onDisk = new LeastRecent(bytesMax, (bytes) => bytes);
    metrics.observedGauge(
      'parca_storage_object_cache_bytes',
      'Bytes of objects that are cached on the disk.',
      () => this.#onDisk.weight,
    );
    this.#failures = metrics.counter(
      'parca_storage_object_cache_failures_total',
      'Pages that could not be written to the cache, or were damaged in it.',
    );
  }

  /** Adds an existing file as a page. Then removes pages while the cache is above its limit. */
  async adopt(fileName: string, bytes: number): Promise<void> {
    const { files } = this.#options;
    for (const [name] of this.#onDisk.put(fileName, bytes))
      await files.remove(this.#filePath(name));
  }

  /**
   * Returns a page of `bytes` bytes; undefined if it is not cached. Callers share the page and must
   * not change it.
   */
  async get(object: string, page: number, bytes: number): Promise<Uint8Array | undefined> {
    const name = fileName(object, page, bytes);
    const held = this.#memory.get(name);
    if (held !== undefined) return held;
    if (this.#onDisk.get(name) === undefined) return undefined;
    const read = await this.#readFile(name, bytes);
    if (read !== undefined) {
      this.#memory.put(name, read);
      return read;
    }
    this.#onDisk.remove(name);
    this.#failures.add();
    return undefined;
  }

  /** Adds a page, which the caller must not change afterwards. */
  put(object: string, page: number, bytes: Uint8Array): void {
    const name = fileName(object, page, bytes.length);
    this.#memory.put(name, bytes);
    const isTooMuch = bytes.length + checksumBytes > this.#options.bytesMax;
    if (isTooMuch || this.#pending >= objectPagesPendingMax || this.#onDisk.get(name)) return;
    this.#pending += 1;
    this.#later(async () => {
      this.#pending -= 1;
      if (!(await this.#hasRoom())) return;
      await this.#writeFile(name, bytes);
      await this.adopt(name, bytes.length + checksumBytes);
    });
  }

  /** Drops the pages of an object that is no longer needed. */
  forget(object: string): void {
    const isOfIt = (name: string): boolean => name.startsWith(`${object}.`);
    for (const name of this.#memory.names().filter(isOfIt)) this.#memory.remove(name);
    this.#later(async () => {
      for (const name of this.#onDisk.names().filter(isOfIt)) {
        this.#onDisk.remove(name);
        await this.#options.files.remove(this.#filePath(name));
      }
    });
  }

  /** Resolves when all pages are written. */
  async close(): Promise<void> {
    await this.#queue;
  }

  /**
   * Returns true if the disk has enough space, so that the cache does not make it too full for
   * other writes.
   */
  async #hasRoom(): Promise<boolean> {
    const { files, directory } = this.#options;
    const share = (await files.totalBytes(directory)) * freeDiskShareMin;
    return (await files.freeBytes(directory)) > 2 * Math.max(freeDiskBytesMin, share);
  }

  #later(work: () => Promise<void>): void {
    this.#queue = this.#queue.then(work).catch((error: unknown) => {
      this.#failures.add();
      if (this.#hasWarned) return;
      this.#hasWarned = true;
      this.#options.logger.warn('cannot keep the cache of objects', { error: errorMessage(error) });
    });
  }

  async #writeFile(name: string, bytes: Uint8Array): Promise<void> {
    const { files } = this.#options;
    const path = this.#filePath(name);
    const file = await files.open(temporaryPath(path), { create: true });
    try {
      await file.truncate(0);
      const checksum = new Uint8Array(checksumBytes);
      new DataView(checksum.buffer).setUint32(0, computeChecksum(name, bytes), true);
      await file.append(bytes);
      await file.append(checksum);
    } finally {
      await file.close();
    }
    await files.rename(temporaryPath(path), path);
  }

  /** Returns a page from its file; undefined if the file is incomplete or damaged. */
  async #readFile(name: string, bytes: number): Promise<Uint8Array | undefined> {
    try {
      const content = new Uint8Array(bytes + checksumBytes);
      const file = await this.#options.files.open(this.#filePath(name), { create: false });
      const count = await file.read(content, 0).finally(() => file.close());
      const page = content.subarray(0, bytes);
      const checksum = new DataView(content.buffer).getUint32(bytes, true);
      return count === content.length && checksum === computeChecksum(name, page)
        ? page
        : undefined;
    } catch {
      // Somebody may have emptied the folder. The page is then fetched again.
      return undefined;
    }
  }

  #filePath(name: string): string {
    return `${this.#options.directory}/${name}`;
  }
}

function fileName(object: string, page: number, bytes: number): string {
  return `${object}.${page}.${bytes}.page`;
}

/**
 * Returns the checksum of a page. It depends on the name, so that a file with the name of another
 * page is noticed.
 */
function computeChecksum(name: string, bytes: Uint8Array): number {
  return crc32c(bytes, 0, bytes.length, crc32c(new TextEncoder().encode(name)));
}
