// Requests that wait to be sent, oldest first. They are in memory, and are written to the disk
// while the server is unavailable.
//
// A file `<number>.request` contains one request: 8 bytes of magic, its length and its CRC-32C as
// uint32 little-endian, and then the request. A file with such a name is complete, because it is
// written under another name, flushed, and renamed. The bytes of a request never change, so that a
// server can recognize a request that it has already stored.
import { join } from 'node:path';
import { crc32c } from '../base/crc32c.ts';
import { errorMessage } from '../base/errors.ts';
import type { Files } from '../base/files.ts';
import type { Logger } from '../base/logger.ts';

/** A request that waits. */
export interface QueuedRequest {
  readonly number: number;
  readonly bytes: Uint8Array;
}

export interface QueueOptions {
  readonly files: Files;
  /** Folder of the queue; "" = memory only. */
  readonly directory: string;
  readonly memoryBytesMax: number;
  readonly diskBytesMax: number;
  readonly logger: Logger;
}

/** Sizes for the status page and for metrics. */
export interface QueueState {
  readonly requests: number;
  readonly memoryBytes: number;
  readonly diskBytes: number;
  /** Number of requests that were dropped since the start. */
  readonly droppedRequests: number;
}

interface Entry {
  readonly number: number;
  readonly size: number;
  /** Bytes of the request; undefined if it is on the disk. */
  bytes: Uint8Array | undefined;
}

const magic = new TextEncoder().encode('PARCAWR1');
const headerBytes = 16;
const suffix = '.request';

/** A queue of limited size. When the limit is exceeded, the oldest request is dropped. */
export class RequestQueue {
  readonly #options: QueueOptions;
  readonly #entries: Entry[];
  #nextNumber: number;
  #lock: { release(): Promise<void> } | undefined;
  #droppedCount = 0;
  /** Number of the request that is being sent, which must not be dropped; -1 = none. */
  #sending = -1;
  /** Resolves after all changes of files, which are made one by one. */
  #changes: Promise<unknown> = Promise.resolve();
  #hasWarned = false;

  private constructor(
    options: QueueOptions,
    entries: Entry[],
    lock: { release(): Promise<void> } | undefined,
  ) {
    this.#options = options;
    this.#entries = entries;
    this.#nextNumber = (entries.at(-1)?.number ?? 0) + 1;
    this.#lock = lock;
  }

  /**
   * Opens the queue, with the requests that an earlier process has left in it. If the directory is
   * not writable, a warning is logged and the queue is only in memory.
   *
   * Errors: AppError 'failed-precondition' when another process uses the directory.
   */
  static async open(options: QueueOptions): Promise<RequestQueue> {
    const { files, directory, logger } = options;
    if (directory === '') return new RequestQueue(options, [], undefined);
    try {
      await files.makeDirectory(directory);
      await files.checkWritable(directory);
    } catch (error) {
      logger.warn('requests are queued only in memory', { reason: errorMessage(error) });
      return new RequestQueue({ ...options, directory: '' }, [], undefined);
    }
    const lock = await files.lock(join(directory, 'lock'));
    const entries: Entry[] = [];
    for (const name of await files.listFiles(directory)) {
      const path = join(directory, name);
      if (name.endsWith('.new')) await files.remove(path);
      if (!/^\d{12}\.request$/.test(name)) continue;
      const size = await fileSize(files, path);
      entries.push({ number: Number(name.slice(0, 12)), size, bytes: undefined });
    }
    return new RequestQueue(options, entries, lock);
  }

  state(): QueueState {
    let memoryBytes = 0;
    let diskBytes = 0;
    for (const { size, bytes } of this.#entries) {
      if (bytes === undefined) diskBytes += size;
      else memoryBytes += size;
    }
    return {
      requests: this.#entries.length,
      memoryBytes,
      diskBytes,
      droppedRequests: this.#droppedCount,
    };
  }

  /** Adds a request. Ownership: the queue keeps `bytes`. */
  push(bytes: Uint8Array): void {
    this.#entries.push({ number: this.#nextNumber, size: bytes.length, bytes });
    this.#nextNumber += 1;
    const { directory, memoryBytesMax } = this.#options;
    const hasDisk = directory !== '';
    if (hasDisk && this.state().memoryBytes > memoryBytesMax) void this.saveAll();
    // While requests are being written to the disk, up to twice the limit may be in memory.
    const bytesMax = hasDisk ? 2 * memoryBytesMax : memoryBytesMax;
    this.#dropOldest((entry) => entry.bytes !== undefined, bytesMax);
  }

  /**
   * Returns the oldest request, which stays in the queue until `remove`; undefined if the queue is
   * empty.
   */
  async first(): Promise<QueuedRequest | undefined> {
    for (;;) {
      const [entry] = this.#entries;
      if (entry === undefined) return undefined;
      this.#sending = entry.number;
      const bytes = entry.bytes ?? (await this.#read(entry));
      if (bytes !== undefined) return { number: entry.number, bytes };
      this.#drop(entry);
    }
  }

  /** Removes a request that the server has stored, or has refused for good. */
  async remove({ number }: QueuedRequest): Promise<void> {
    this.#sending = -1;
    const entry = this.#entries.find((one) => one.number === number);
    if (entry !== undefined) await this.#forget(entry);
  }

  /** Writes all requests to the disk. If that fails, they stay in memory. */
  saveAll(): Promise<void> {
    return this.#change(async () => {
      if (this.#options.directory === '') return;
      for (const entry of Array.from(this.#entries)) {
        if (entry.bytes === undefined || !this.#entries.includes(entry)) continue;
        try {
          await this.#write(entry.number, entry.bytes);
          entry.bytes = undefined;
          if (this.#hasWarned) this.#options.logger.info('requests are put on the disk again');
          this.#hasWarned = false;
        } catch (error) {
          // Removes the incomplete file, which would otherwise keep the disk full.
          await this.#options.files
            .remove(`${this.#path(entry.number)}.new`)
            .catch(() => undefined);
          if (!this.#hasWarned) {
            this.#options.logger.warn('cannot put a request on the disk', {
              reason: errorMessage(error),
            });
          }
          this.#hasWarned = true;
          return;
        }
      }
      this.#dropOldest((entry) => entry.bytes === undefined, this.#options.diskBytesMax);
    });
  }

  /** Writes the remaining requests to the disk, and releases the directory for other processes. */
  async close(): Promise<void> {
    await this.saveAll();
    const lock = this.#lock;
    this.#lock = undefined;
    await lock?.release();
  }

  #dropOldest(isMeant: (entry: Entry) => boolean, bytesMax: number): void {
    const meant = this.#entries.filter(isMeant);
    let bytes = meant.reduce((sum, { size }) => sum + size, 0);
    for (const entry of meant) {
      if (bytes <= bytesMax) return;
      if (entry.number === this.#sending) continue;
      bytes -= entry.size;
      this.#drop(entry);
    }
  }

  #drop(entry: Entry): void {
    this.#droppedCount += 1;
    void this.#forget(entry);
  }

  #forget(entry: Entry): Promise<void> {
    const at = this.#entries.indexOf(entry);
    if (at !== -1) this.#entries.splice(at, 1);
    return this.#change(async () => {
      // The request may have been written to the disk in the meantime.
      if (entry.bytes !== undefined || this.#options.directory === '') return;
      await this.#options.files.remove(this.#path(entry.number)).catch((error: unknown) => {
        this.#options.logger.warn('cannot remove a request', { reason: errorMessage(error) });
      });
    });
  }

  #change<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#changes.then(work);
    this.#changes = next.catch(() => undefined);
    return next;
  }

  async #write(number: number, bytes: Uint8Array): Promise<void> {
    const { files, directory } = this.#options;
    const path = this.#path(number);
    const header = new Uint8Array(headerBytes);
    header.set(magic);
    const view = new DataView(header.buffer);
    view.setUint32(8, bytes.length, true);
    view.setUint32(12, crc32c(bytes), true);
    const file = await files.open(`${path}.new`, { create: true });
    try {
      await file.truncate(0);
      await file.append(header);
      await file.append(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await files.rename(`${path}.new`, path);
    await files.syncDirectory(directory);
  }

  /** Reads a request; undefined if its file is damaged or missing. */
  async #read({ number }: Entry): Promise<Uint8Array | undefined> {
    const path = this.#path(number);
    try {
      const bytes = await this.#options.files.read(path);
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const isWhole =
        bytes.length >= headerBytes &&
        magic.every((byte, i) => bytes[i] === byte) &&
        view.getUint32(8, true) === bytes.length - headerBytes &&
        view.getUint32(12, true) === crc32c(bytes, headerBytes);
      if (isWhole) return bytes.subarray(headerBytes);
      this.#options.logger.warn('a queued request is damaged, and is dropped', { path });
    } catch (error) {
      this.#options.logger.warn('cannot read a queued request', { reason: errorMessage(error) });
    }
    return undefined;
  }

  #path(number: number): string {
    return join(this.#options.directory, `${String(number).padStart(12, '0')}${suffix}`);
  }
}

async function fileSize(files: Files, path: string): Promise<number> {
  const file = await files.open(path, { create: false });
  try {
    return Math.max(0, (await file.size()) - headerBytes);
  } finally {
    await file.close();
  }
}
