// A file system in memory that loses power and fails on demand, controlled by a seeded Random.
import { assert } from '../assert.ts';
import { AppError } from '../errors.ts';
import type { File, FileLock, Files } from '../files.ts';
import { randomBelow, type Random } from '../random.ts';
import { changesFiles, FileFaults, type Fault, type FileCall } from './file-faults.ts';
import { MemoryFile } from './memory-file.ts';
import { MemoryNames } from './memory-names.ts';

const settled = Promise.resolve();

/** Number of disks created so far; it distinguishes the locks of different disks. */
let madeCount = 0;

/**
 * Files without a disk. `powerLoss` loses some of the unsynced changes: sectors of files and
 * changes of names, either only the last ones or any. A failed sync loses the data permanently,
 * even if a later sync succeeds, unless the data is rewritten first, as on Linux.
 */
export class MemoryFiles implements Files {
  readonly #random: Random;
  readonly #number = (madeCount += 1);
  #names = new MemoryNames();
  readonly #locks = new Set<string>();
  #callsLeft = Infinity;
  /** The kind of call that `callsLeft` counts; undefined = all. */
  #countedCall: FileCall | undefined;
  /** Number of power losses. Handles from before the last power loss are dead. */
  #generation = 0;
  #isOff = false;
  #tellPowerIsOff: () => void = () => undefined;
  /** Calls that fail, and the record of calls. */
  readonly faults = new FileFaults();
  /** Result of `freeBytes`. */
  freeBytesLeft = 2 ** 40;
  /** Result of `totalBytes`. */
  diskBytes = 2 ** 41;
  /** True if every second sync succeeds without doing anything. */
  liesAboutSync = false;
  /** Number of open handles of the current process. */
  openHandles = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Makes calls fail. Each fault counts its calls separately. */
  addFault(fault: Fault): void {
    this.faults.add(fault);
  }

  clearFaults(): void {
    this.faults.clear();
  }

  /**
   * Cuts the power at the change after the next `calls` changes. If `kind` is given, only calls of
   * that kind count. The change at which the power is cut may or may not be carried out.
   */
  cutPowerAfter(calls: number, kind?: FileCall): void {
    this.#callsLeft = calls;
    this.#countedCall = kind;
  }

  /** True if the power is off; then calls never settle. */
  get powerIsOff(): boolean {
    return this.#isOff;
  }

  /** Resolves when `cutPowerAfter` turns the power off. */
  untilPowerIsOff(): Promise<void> {
    return new Promise((resolve) => {
      this.#tellPowerIsOff = resolve;
    });
  }

  /** Loses unsynced changes, drops locks and handles, and turns the power on again. */
  powerLoss(): void {
    this.kill();
    this.#names.losePower(this.#random, (file) => file.losePower(this.#random));
  }

  /** Ends the process but not the machine: written bytes stay, locks and handles are dropped. */
  kill(): void {
    this.#generation += 1;
    this.#isOff = false;
    this.#callsLeft = Infinity;
    this.openHandles = 0;
    this.#locks.clear();
  }

  /**
   * Returns a view of the same files for one process. After the next kill or power loss, calls of
   * that process never settle.
   */
  forProcess(): Files {
    const generation = this.#generation;
    const whileAlive =
      <A extends unknown[], R>(method: (...args: A) => Promise<R>) =>
      (...args: A): Promise<R> =>
        generation === this.#generation ? method.apply(this, args) : silence();
    return {
      makeDirectory: whileAlive(this.makeDirectory),
      checkWritable: whileAlive(this.checkWritable),
      list: whileAlive(this.list),
      listFiles: whileAlive(this.listFiles),
      exists: whileAlive(this.exists),
      open: whileAlive(this.open),
      read: whileAlive(this.read),
      rename: whileAlive(this.rename),
      remove: whileAlive(this.remove),
      link: whileAlive(this.link),
      freeBytes: whileAlive(this.freeBytes),
      totalBytes: whileAlive(this.totalBytes),
      folderBytes: whileAlive(this.folderBytes),
      syncDirectory: whileAlive(this.syncDirectory),
      lock: whileAlive(this.lock),
    };
  }

  async makeDirectory(path: string): Promise<void> {
    await this.#enter('make-directory', path, () => this.#names.makeDirectory(path));
  }

  async list(path: string): Promise<string[]> {
    return await this.#enter('list', path, () => this.#names.list(path));
  }

  async listFiles(path: string): Promise<string[]> {
    const isFile = (name: string): boolean => this.#names.file(`${path}/${name}`) !== undefined;
    return await this.#enter('list', path, () => this.#names.list(path).filter(isFile));
  }

  async checkWritable(path: string): Promise<void> {
    await this.#enter('exists', path, () => undefined);
  }

  async exists(path: string): Promise<boolean> {
    return await this.#enter('exists', path, () => this.#names.exists(path));
  }

  async open(path: string, options: { readonly create: boolean }): Promise<File> {
    const isNew = options.create && !this.#names.exists(path);
    return await this.#enter(isNew ? 'create' : 'open', path, () => {
      let file = this.#names.file(path);
      if (file === undefined) {
        if (!options.create) throw absent('open', path);
        file = new MemoryFile();
        this.#names.put(path, file);
      }
      return this.#handle(path, file);
    });
  }

  async read(path: string): Promise<Uint8Array> {
    return await this.#enter('read', path, () => this.#existing('read', path).content());
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#enter('rename', from, () => {
      this.#names.rename(from, to, this.#existing('rename', from));
    });
  }

  async remove(path: string): Promise<void> {
    await this.#enter('remove', path, () => {
      this.#existing('remove', path);
      this.#names.remove(path);
    });
  }

  async link(from: string, to: string): Promise<void> {
    await this.#enter('link', from, () => {
      const file = this.#existing('link', from);
      if (this.#names.exists(to)) {
        throw new AppError('unavailable', `cannot link ${to}: it is there`);
      }
      this.#names.put(to, file);
    });
  }

  async freeBytes(path: string): Promise<number> {
    return await this.#enter('free-bytes', path, () => this.freeBytesLeft);
  }

  async totalBytes(path: string): Promise<number> {
    return await this.#enter('free-bytes', path, () => this.diskBytes);
  }

  async folderBytes(path: string): Promise<Map<string, number>> {
    return await this.#enter('size', path, () => {
      const bytes = new Map<string, number>();
      const seen = new Set<MemoryFile>();
      for (const found of this.#names.paths()) {
        const file = this.#names.file(found);
        if (!found.startsWith(`${path}/`) || file === undefined || seen.has(file)) continue;
        seen.add(file);
        const folders = found.slice(path.length + 1).split('/');
        const top = folders.length > 1 ? folders[0] : '';
        bytes.set(top, (bytes.get(top) ?? 0) + file.size);
      }
      return bytes;
    });
  }

  async syncDirectory(path: string): Promise<void> {
    await this.#enter('sync-directory', path, () => {
      if (!this.#isLie()) this.#names.sync(path);
    });
  }

  async lock(path: string): Promise<FileLock> {
    await this.#pause();
    if (this.#locks.has(path)) {
      const directory = path.slice(0, path.lastIndexOf('/'));
      throw new AppError(
        'failed-precondition',
        `cannot lock storage path ${directory}: another server holds it (pid 0)`,
      );
    }
    this.#locks.add(path);
    const generation = this.#generation;
    return {
      name: `memory-${this.#number}:${path}`,
      release: async () => {
        if (generation === this.#generation) this.#locks.delete(path);
      },
    };
  }

  /** Flips one bit of a file, as a bad disk does. */
  flipBit(path: string, byte: number, bit: number): void {
    this.#names.file(path)?.flipBit(byte, bit);
  }

  /** Paths of all files, sorted. */
  paths(): string[] {
    return this.#names.paths();
  }

  /**
   * Returns the content of a file without counting as a call; undefined if there is no such file.
   */
  peek(path: string): Uint8Array | undefined {
    return this.#names.file(path)?.content();
  }

  /** Returns an independent copy of all files, all of it durable. */
  copy(random: Random): MemoryFiles {
    const copy = new MemoryFiles(random);
    copy.#names = this.#names.copy();
    return copy;
  }

  #handle(path: string, file: MemoryFile): File {
    const generation = this.#generation;
    this.openHandles += 1;
    let isOpen = true;
    const enter = async <T>(call: FileCall, act: () => T): Promise<T> => {
      if (generation !== this.#generation) await silence();
      assert(isOpen, 'a file is not used after close');
      return await this.#enter(call, path, act);
    };
    return {
      append: async (bytes) => {
        try {
          await enter('append', () => file.append(bytes));
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          if (generation !== this.#generation) await silence();
          // A full disk first accepts some of the bytes.
          file.append(bytes.subarray(0, randomBelow(this.#random, bytes.length + 1)));
          throw error;
        }
      },
      read: async (into, offset) => await enter('read', () => file.read(into, offset)),
      sync: async () => {
        try {
          await enter('sync', () => {
            if (!this.#isLie()) file.sync();
          });
        } catch (error) {
          if (generation !== this.#generation) await silence();
          file.failSync();
          throw error;
        }
      },
      rewrite: async (from, to) => await enter('rewrite', () => file.rewrite(from, to)),
      truncate: async (size) => await enter('truncate', () => file.truncate(size)),
      size: async () => await enter('size', () => file.size),
      close: async () => {
        assert(isOpen, 'a file is closed once');
        isOpen = false;
        if (generation === this.#generation) this.openHandles -= 1;
      },
    };
  }

  /**
   * Waits for other callbacks, then loses power, fails, or carries out the call. This is one
   * synchronous step, because a process that has died in the meantime must not change anything.
   */
  async #enter<T>(call: FileCall, path: string, act: () => T): Promise<T> {
    const generation = this.#generation;
    await this.#pause();
    if (this.#isOff || generation !== this.#generation) await silence();
    if (this.#countedCall === undefined ? changesFiles(call) : call === this.#countedCall) {
      if (this.#callsLeft === 0) {
        this.#isOff = true;
        this.#tellPowerIsOff();
        if (this.#random.uint32() & 1) await silence();
        return act();
      }
      this.#callsLeft -= 1;
    }
    this.faults.check(call, path);
    return act();
  }

  async #pause(): Promise<void> {
    for (let turns = this.#random.uint32() & 3; turns >= 0; turns -= 1) await settled;
  }

  #isLie(): boolean {
    return this.liesAboutSync && (this.#random.uint32() & 1) === 1;
  }

  #existing(verb: string, path: string): MemoryFile {
    const file = this.#names.file(path);
    if (!file) throw absent(verb, path);
    return file;
  }
}

/**
 * Returns a promise that never settles: after `powerLoss` the process no longer exists. Each call
 * gets its own promise, so that the garbage collector can free the caller.
 */
function silence(): Promise<never> {
  return new Promise<never>(() => undefined);
}

function absent(verb: string, path: string): AppError {
  return new AppError('not-found', `cannot ${verb} ${path}: it is not there`);
}
