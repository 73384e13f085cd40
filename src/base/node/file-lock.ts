// An exclusive lock on a path, without native code. The kernel drops the lock when its process
// dies.
import fs from 'node:fs';
import { basename, dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { AppError, errorMessage } from '../errors.ts';
import type { FileLock } from '../files.ts';

/** SQLite's result code when another connection holds the lock. */
const busy = 5;
/** File with a random string that the kernel creates when it boots. */
const bootIdPath = '/proc/sys/kernel/random/boot_id';

/**
 * Locks the file at `path`, which is created if needed. The process id of the holder and its kind
 * are in `<path>.pid`, for the error message of the next process.
 *
 * Node has no flock. SQLite, which is part of Node, takes fcntl locks to begin an exclusive
 * transaction; on an empty database this writes no bytes, so it works on a full disk. On Linux, a
 * socket in the abstract namespace would not work: containers that share the directory do not share
 * that namespace.
 *
 * Errors: AppError 'failed-precondition' if another process, or this process, holds the lock.
 */
export async function lockFile(path: string): Promise<FileLock> {
  const holderPath = `${path}.pid`;
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path);
    database.exec('PRAGMA journal_mode=MEMORY; PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    throw lockError(path, holderPath, error);
  }
  writeHolder(holderPath);
  const held = database;
  let isHeld = true;
  return {
    name: lockName(path),
    release: async () => {
      if (!isHeld) return;
      isHeld = false;
      fs.rmSync(holderPath, { force: true });
      held.close();
    },
  };
}

/**
 * Returns the kernel, the file system and the file, which together identify a lock. A copy of the
 * directory has a different file; a copy of the complete disk is a different file system, or is
 * used by another kernel.
 */
function lockName(path: string): string {
  try {
    const boot = fs.readFileSync(bootIdPath, 'utf8').trim();
    const { dev, ino } = fs.statSync(path, { bigint: true });
    return `${boot}/${dev}/${ino}`;
  } catch {
    return '';
  }
}

function lockError(path: string, holderPath: string, error: unknown): AppError {
  const directory = dirname(path);
  const isBusy = error instanceof Error && 'errcode' in error && error.errcode === busy;
  if (!isBusy) {
    const why = errorMessage(error);
    const message = `cannot lock storage path ${directory}: ${path}: ${why}`;
    return new AppError('unavailable', message, { cause: error });
  }
  const [, pid, what = 'process'] = /^(\d+)(?: (.+))?$/.exec(readHolder(holderPath)) ?? [];
  const named = pid === undefined ? '' : ` (pid ${pid})`;
  return new AppError(
    'failed-precondition',
    `cannot lock storage path ${directory}: another ${what} holds it${named}`,
  );
}

/**
 * Writes the process id of the holder. Only an error message uses it, so on a full disk it may be
 * missing.
 */
function writeHolder(path: string): void {
  try {
    fs.writeFileSync(path, `${process.pid} ${programName()}\n`);
  } catch {
    fs.rmSync(path, { force: true });
  }
}

/** Names of the programs, by the folder of their main file. */
const programs: ReadonlyMap<string, string> = new Map([
  ['parca', 'server'],
  ['parca-agent', 'agent'],
  ['parcatool', 'parcatool'],
]);

/** Returns a description of this process. */
function programName(): string {
  const isScraper = process.argv.some((word) =>
    /^(?:--mode=)?(?:scraper-only|forwarder)$/.test(word),
  );
  if (isScraper) return 'scraper';
  return programs.get(basename(dirname(process.argv[1] ?? ''))) ?? 'process';
}

function readHolder(path: string): string {
  try {
    return fs.readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}
