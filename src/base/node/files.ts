// The real file system, through node:fs; errors become AppErrors that name the path.
import fs from 'node:fs';
import { dirname } from 'node:path';
import { AppError, errorMessage, type ErrorCode } from '../errors.ts';
import type { File, Files } from '../files.ts';
import { asBytes } from '../owned.ts';
import { lockFile } from './file-lock.ts';

/** Codes of the system errors that callers distinguish; all other errors are 'unavailable'. */
const codes: ReadonlyMap<string, ErrorCode> = new Map([
  ['ENOSPC', 'resource-exhausted'],
  ['EDQUOT', 'resource-exhausted'],
  ['ENOENT', 'not-found'],
  // The disk works but refuses this call.
  ['EACCES', 'failed-precondition'],
  ['EPERM', 'failed-precondition'],
  ['EROFS', 'failed-precondition'],
  ['EINVAL', 'failed-precondition'],
  ['EISDIR', 'failed-precondition'],
  ['ENOTDIR', 'failed-precondition'],
  ['EEXIST', 'failed-precondition'],
  ['ENOTSUP', 'failed-precondition'],
]);

/**
 * Messages for errors that operators must understand; other errors keep the message of the system.
 */
const reasons: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'no space left on device'],
  ['EDQUOT', 'no space left on device'],
  ['EACCES', `permission denied for the user of this process${userText()}`],
  ['EROFS', 'the file system is read-only'],
  ['EISDIR', 'it is a directory'],
  ['ENOTDIR', 'it is not a directory, or is below a file'],
  ['EEXIST', 'there is a file of that name'],
]);

function userText(): string {
  const user = process.geteuid?.();
  return user === undefined ? '' : ` (uid ${user})`;
}

const rewrittenPieceBytes = 1024 * 1024;

/** Files of this machine. */
export function createFiles(): Files {
  return {
    makeDirectory,
    checkWritable: (path) =>
      attempt('write to', path, (done) =>
        fs.access(path, fs.constants.W_OK | fs.constants.X_OK, (error) => done(error)),
      ),
    list: listDirectory,
    listFiles,
    exists: (path) =>
      attempt('look up', path, (done) =>
        fs.access(path, (error) => done(isAbsent(error) ? null : error, error === null)),
      ),
    open: (path, options) => openFile(path, options.create),
    read: async (path) =>
      asBytes(await attempt<Buffer>('read', path, (done) => fs.readFile(path, done))),
    rename: (from, to) => attempt('rename', from, (done) => fs.rename(from, to, done)),
    remove: (path) => attempt('remove', path, (done) => fs.unlink(path, done)),
    link: (from, to) => attempt('link', from, (done) => fs.link(from, to, done)),
    async freeBytes(path) {
      const { bavail, bsize } = await diskStats(path);
      return bavail * bsize;
    },
    async totalBytes(path) {
      const { blocks, bsize } = await diskStats(path);
      return blocks * bsize;
    },
    folderBytes,
    syncDirectory,
    lock: lockFile,
  };
}

function diskStats(path: string): Promise<fs.StatsFs> {
  return attempt<fs.StatsFs>('measure the disk of', path, (done) =>
    fs.statfs(path, (error, stats) => done(error, stats)),
  );
}

type Done<T> = (error: NodeJS.ErrnoException | null, value?: T) => void;

/**
 * Makes one call with a callback. This costs half as much as a call of fs/promises, and every push
 * waits for such calls.
 */
function attempt<T = void>(verb: string, path: string, call: (done: Done<T>) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    call((error, value) => {
      if (error) reject(fileError(verb, path, error));
      else resolve(value as T);
    });
  });
}

function fileError(verb: string, path: string, error: NodeJS.ErrnoException): AppError {
  const code = codes.get(error.code ?? '') ?? 'unavailable';
  const why = reasons.get(error.code ?? '') ?? errorMessage(error);
  return new AppError(code, `cannot ${verb} ${path}: ${why}`, { cause: error });
}

function isAbsent(error: NodeJS.ErrnoException | null): boolean {
  return error?.code === 'ENOENT';
}

/**
 * Mode of directories. Files have mode 0640. Only the owner and the group may read the names of
 * services and source files.
 */
const directoryMode = 0o750;

/**
 * Creates a directory and its parents. Node's `recursive` cannot replace this: it never ends if the
 * system answers ENOENT although the parent exists, as in /proc (node 24.21).
 */
async function makeDirectory(path: string): Promise<void> {
  const make = (): Promise<void> =>
    attempt('make directory', path, (done) =>
      fs.mkdir(path, directoryMode, (error) => done(error)),
    );
  try {
    await make();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'not-found' && dirname(path) !== path) {
      await makeDirectory(dirname(path));
      await make();
    } else if (!(await isDirectory(path))) throw error;
  }
}

function isDirectory(path: string): Promise<boolean> {
  return attempt('look up', path, (done) =>
    fs.stat(path, (error, stats) => done(null, error === null && stats.isDirectory())),
  );
}

async function listFiles(path: string): Promise<string[]> {
  const entries = await attempt<fs.Dirent[]>('list', path, (done) =>
    fs.readdir(path, { withFileTypes: true }, (error, found) =>
      done(isAbsent(error) ? null : error, found ?? []),
    ),
  );
  return entries
    .filter((entry) => !entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

async function listDirectory(path: string): Promise<string[]> {
  const names = await attempt<string[]>('list', path, (done) =>
    fs.readdir(path, (error, found) => done(isAbsent(error) ? null : error, found ?? [])),
  );
  return names.sort();
}

async function folderBytes(path: string): Promise<Map<string, number>> {
  const bytes = new Map<string, number>();
  const seen = new Set<number>();
  const open = [''];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const directory = folder === '' ? path : `${path}/${folder}`;
    const top = folder.split('/', 1)[0];
    const entries = await readEntries(directory);
    for (const entry of entries.filter((one) => one.isFile())) {
      const stats = await readStats(`${directory}/${entry.name}`);
      if (stats === undefined || seen.has(stats.ino)) continue;
      if (stats.nlink > 1) seen.add(stats.ino);
      bytes.set(top, (bytes.get(top) ?? 0) + stats.size);
    }
    const folders = entries.filter((one) => one.isDirectory()).map(({ name }) => name);
    // The last folder of `open` is read next. Pushing in reverse order means that folders are read
    // in the order of their names.
    for (const name of folders.sort().reverse())
      open.push(folder === '' ? name : `${folder}/${name}`);
  }
  return bytes;
}

/** Returns the entries of a directory; none if it may not be read. */
async function readEntries(path: string): Promise<fs.Dirent[]> {
  return await attempt<fs.Dirent[]>('list', path, (done) =>
    fs.readdir(path, { withFileTypes: true }, (error, found) =>
      done(isOutOfReach(error) ? null : error, found ?? []),
    ),
  );
}

/** Returns the stats of a file; undefined if it cannot be accessed. */
async function readStats(path: string): Promise<fs.Stats | undefined> {
  return await attempt<fs.Stats | undefined>('measure', path, (done) =>
    fs.lstat(path, (error, stats) => done(isOutOfReach(error) ? null : error, stats)),
  );
}

function isOutOfReach(error: NodeJS.ErrnoException | null): boolean {
  return error?.code === 'ENOENT' || error?.code === 'EACCES' || error?.code === 'EPERM';
}

async function syncDirectory(path: string): Promise<void> {
  const descriptor = await attempt<number>('open directory', path, (done) =>
    fs.open(path, 'r', done),
  );
  try {
    await attempt('sync directory', path, (done) => fs.fsync(descriptor, done));
  } finally {
    await attempt('close', path, (done) => fs.close(descriptor, done));
  }
}

async function openFile(path: string, create: boolean): Promise<File> {
  const { O_APPEND, O_CREAT, O_RDWR } = fs.constants;
  const flags = O_RDWR | O_APPEND | (create ? O_CREAT : 0);
  const descriptor = await attempt<number>('open', path, (done) =>
    fs.open(path, flags, 0o640, done),
  );
  return new NodeFile(path, descriptor);
}

class NodeFile implements File {
  readonly #path: string;
  readonly #descriptor: number;

  constructor(path: string, descriptor: number) {
    this.#path = path;
    this.#descriptor = descriptor;
  }

  async append(bytes: Uint8Array): Promise<void> {
    // A write may be short without an error, for example just before the disk is full.
    let rest = bytes;
    while (rest.length > 0) {
      const part = rest;
      const written = await attempt<number>('write', this.#path, (done) =>
        fs.write(this.#descriptor, part, 0, part.length, null, done),
      );
      rest = rest.subarray(written);
    }
  }

  async read(into: Uint8Array, offset: number): Promise<number> {
    let filled = 0;
    while (filled < into.length) {
      const from = filled;
      const count = await attempt<number>('read', this.#path, (done) =>
        fs.read(this.#descriptor, into, from, into.length - from, offset + from, done),
      );
      if (count === 0) break;
      filled += count;
    }
    return filled;
  }

  async rewrite(from: number, to: number): Promise<void> {
    // On Linux, a descriptor in append mode ignores the position of a write.
    const descriptor = await attempt<number>('open', this.#path, (done) =>
      fs.open(this.#path, fs.constants.O_RDWR, done),
    );
    try {
      const piece = new Uint8Array(Math.min(to - from, rewrittenPieceBytes));
      for (let at = from; at < to;) {
        const length = await this.read(piece.subarray(0, to - at), at);
        if (length === 0) break;
        at += await attempt<number>('rewrite', this.#path, (done) =>
          fs.write(descriptor, piece, 0, length, at, done),
        );
      }
    } finally {
      await attempt('close', this.#path, (done) => fs.close(descriptor, done));
    }
  }

  sync(): Promise<void> {
    return attempt('sync', this.#path, (done) => fs.fdatasync(this.#descriptor, done));
  }

  truncate(size: number): Promise<void> {
    return attempt('truncate', this.#path, (done) => fs.ftruncate(this.#descriptor, size, done));
  }

  async size(): Promise<number> {
    const stats = await attempt<fs.Stats>('measure', this.#path, (done) =>
      fs.fstat(this.#descriptor, done),
    );
    return stats.size;
  }

  close(): Promise<void> {
    return attempt('close', this.#path, (done) => fs.close(this.#descriptor, done));
  }
}
