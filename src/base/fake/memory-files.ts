// A file system in memory that loses power and fails on demand, decided by a seeded Random.
import { AppError } from '../errors.ts';
import type { File, Files } from '../files.ts';
import { randomBelow, type Random } from '../random.ts';
import { MemoryFile } from './memory-file.ts';

/** The calls that can fail or be the last one before the power goes. */
export type FileCall =
  | 'open'
  | 'append'
  | 'sync'
  | 'truncate'
  | 'rename'
  | 'remove'
  | 'link'
  | 'sync-directory'
  | 'make-directory';

/** Which call fails, and how. */
export interface Fault {
  readonly call: FileCall;
  /** 0 = the next such call. */
  readonly skip: number;
  /** How many in a row fail; Infinity until `clearFaults`. */
  readonly times: number;
  readonly errno: 'ENOSPC' | 'EIO';
}

type DirectoryChange =
  | { readonly kind: 'put'; readonly name: string; readonly file: MemoryFile }
  | { readonly kind: 'drop'; readonly name: string };

/** Names of one directory: what the disk has, and the changes since, in order. */
interface Directory {
  readonly durable: Map<string, MemoryFile>;
  readonly current: Map<string, MemoryFile>;
  changes: DirectoryChange[];
}

const settled = Promise.resolve();
/** After `powerLoss` nothing answers any more, as for a process that is gone. */
const never = new Promise<never>(() => undefined);

/**
 * Files without a disk. What was not synced is lost in part by `powerLoss`: of each file a prefix
 * of its changes stays, possibly torn; of each directory a prefix of its changes. A failed sync
 * loses the data for good even when a later one succeeds, as Linux does.
 */
export class MemoryFiles implements Files {
  private readonly random: Random;
  private readonly directories = new Map<string, Directory>();
  private readonly locks = new Set<string>();
  private faults: { fault: Fault; seen: number; failed: number }[] = [];
  private callsLeft = Infinity;
  /** What `freeBytes` answers. */
  freeBytesLeft = 2 ** 40;
  /** Rises with each power loss: handles of an older one are dead. */
  private generation = 0;
  private isOff = false;
  private tellPowerIsOff: () => void = () => undefined;

  constructor(random: Random) {
    this.random = random;
  }

  /** Makes calls fail. Faults of one kind of call are counted separately. */
  addFault(fault: Fault): void {
    this.faults.push({ fault, seen: 0, failed: 0 });
  }

  clearFaults(): void {
    this.faults = [];
  }

  /** The power goes at the call after `calls` further ones; it may or may not be carried out. */
  cutPowerAfter(calls: number): void {
    this.callsLeft = calls;
  }

  /** Whether the power is off: calls never settle. */
  get powerIsOff(): boolean {
    return this.isOff;
  }

  /** Resolves when the power goes off by `cutPowerAfter`. */
  untilPowerIsOff(): Promise<void> {
    return new Promise((resolve) => {
      this.tellPowerIsOff = resolve;
    });
  }

  /** Loses what was not synced, drops locks and handles, and turns the power on again. */
  powerLoss(): void {
    this.generation += 1;
    this.isOff = false;
    this.callsLeft = Infinity;
    this.locks.clear();
    const survivors = new Set<MemoryFile>();
    for (const directory of this.directories.values()) {
      const kept = randomBelow(this.random, directory.changes.length + 1);
      for (const change of directory.changes.slice(0, kept)) applyChange(directory.durable, change);
      directory.changes = [];
      directory.current.clear();
      for (const [name, file] of directory.durable) {
        directory.current.set(name, file);
        survivors.add(file);
      }
    }
    for (const file of survivors) file.losePower(this.random);
  }

  /** The process dies, the machine lives: everything written stays, locks and handles go. */
  kill(): void {
    this.generation += 1;
    this.isOff = false;
    this.callsLeft = Infinity;
    this.locks.clear();
  }

  async makeDirectory(path: string): Promise<void> {
    await this.enter('make-directory', path);
    this.directory(path);
  }

  async list(path: string): Promise<string[]> {
    await this.pause();
    return [...(this.directories.get(path)?.current.keys() ?? [])].sort();
  }

  async exists(path: string): Promise<boolean> {
    await this.pause();
    return this.directories.has(path) || this.find(path) !== undefined;
  }

  async open(path: string, options: { readonly create: boolean }): Promise<File> {
    let file = this.find(path);
    if (file === undefined) {
      if (!options.create) throw new AppError('not-found', `cannot open ${path}: it is not there`);
      await this.enter('open', path);
      file = new MemoryFile();
      this.change(path, { kind: 'put', name: baseName(path), file });
    }
    return this.handle(path, file);
  }

  async read(path: string): Promise<Uint8Array> {
    await this.pause();
    const file = this.find(path);
    if (!file) throw new AppError('not-found', `cannot read ${path}: it is not there`);
    return file.content();
  }

  async rename(from: string, to: string): Promise<void> {
    await this.enter('rename', from);
    const file = this.find(from);
    if (!file) throw new AppError('not-found', `cannot rename ${from}: it is not there`);
    this.change(to, { kind: 'put', name: baseName(to), file });
    this.change(from, { kind: 'drop', name: baseName(from) });
  }

  async remove(path: string): Promise<void> {
    await this.enter('remove', path);
    this.change(path, { kind: 'drop', name: baseName(path) });
  }

  async link(from: string, to: string): Promise<void> {
    await this.enter('link', from);
    const file = this.find(from);
    if (!file) throw new AppError('not-found', `cannot link ${from}: it is not there`);
    this.change(to, { kind: 'put', name: baseName(to), file });
  }

  async freeBytes(): Promise<number> {
    await this.pause();
    return this.freeBytesLeft;
  }

  async syncDirectory(path: string): Promise<void> {
    await this.enter('sync-directory', path);
    const directory = this.directory(path);
    for (const change of directory.changes) applyChange(directory.durable, change);
    directory.changes = [];
  }

  async lock(path: string): Promise<{ release(): Promise<void> }> {
    await this.pause();
    if (this.locks.has(path)) {
      const directory = parentOf(path);
      throw new AppError(
        'failed-precondition',
        `cannot lock storage path ${directory}: another server holds it (pid 0)`,
      );
    }
    this.locks.add(path);
    const { generation } = this;
    return {
      release: async () => {
        if (generation === this.generation) this.locks.delete(path);
      },
    };
  }

  /** Flips one bit of a file, as a bad disk does. */
  flipBit(path: string, byte: number, bit: number): void {
    this.find(path)?.flipBit(byte, bit);
  }

  private handle(path: string, file: MemoryFile): File {
    const { generation } = this;
    const enter = async (call: FileCall): Promise<void> => {
      if (generation !== this.generation) await never;
      await this.enter(call, path);
    };
    return {
      append: async (bytes) => {
        try {
          await enter('append');
        } catch (error) {
          // A full disk takes a part of the bytes first.
          file.append(bytes.subarray(0, randomBelow(this.random, bytes.length + 1)));
          throw error;
        }
        file.append(bytes);
      },
      read: async (into, offset) => {
        await this.pause();
        return file.read(into, offset);
      },
      sync: async () => {
        try {
          await enter('sync');
        } catch (error) {
          file.failSync();
          throw error;
        }
        file.sync();
      },
      truncate: async (size) => {
        await enter('truncate');
        file.truncate(size);
      },
      size: async () => file.size,
      close: async () => undefined,
    };
  }

  /** Lets other work run, then dies here, fails here, or returns to carry the call out. */
  private async enter(call: FileCall, path: string): Promise<void> {
    const { generation } = this;
    await this.pause();
    if (this.isOff || generation !== this.generation) await never;
    if (this.callsLeft === 0) {
      this.isOff = true;
      this.tellPowerIsOff();
      if (this.random.uint32() & 1) await never;
      return;
    }
    this.callsLeft -= 1;
    for (const entry of this.faults) {
      const { fault } = entry;
      if (fault.call !== call) continue;
      entry.seen += 1;
      if (entry.seen <= fault.skip || entry.failed >= fault.times) continue;
      entry.failed += 1;
      const code = fault.errno === 'ENOSPC' ? 'resource-exhausted' : 'unavailable';
      throw new AppError(code, `cannot ${call} ${path}: ${fault.errno} (injected)`);
    }
  }

  private async pause(): Promise<void> {
    for (let turns = this.random.uint32() & 3; turns >= 0; turns -= 1) await settled;
  }

  private find(path: string): MemoryFile | undefined {
    return this.directories.get(parentOf(path))?.current.get(baseName(path));
  }

  private directory(path: string): Directory {
    let directory = this.directories.get(path);
    if (!directory) {
      directory = { durable: new Map(), current: new Map(), changes: [] };
      this.directories.set(path, directory);
    }
    return directory;
  }

  private change(path: string, change: DirectoryChange): void {
    const directory = this.directory(parentOf(path));
    applyChange(directory.current, change);
    directory.changes.push(change);
  }
}

function applyChange(names: Map<string, MemoryFile>, change: DirectoryChange): void {
  if (change.kind === 'put') names.set(change.name, change.file);
  else names.delete(change.name);
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
