// Lets only one process work at a time. A lock file contains the id of its owner, and is taken over
// if the owner has ended.
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const pollMillis = 200;
/** Longest time until an owner has written its id into a new file; it may be killed before. */
const namelessMillisMax = 5_000;
/** Milliseconds within which two processes that take over the same lock see each other's id. */
const settleMillis = 50;

/**
 * Runs `work` while this process holds the lock file at `path`; waits for another owner.
 *
 * Takes over the lock of a process that was killed.
 */
export async function withLock(path, work) {
  mkdirSync(dirname(path), { recursive: true });
  let isWaiting = false;
  while (!(await acquire(path))) {
    if (!isWaiting) process.stderr.write(`set-up: waiting for process ${readOwner(path)}\n`);
    isWaiting = true;
    await delay(pollMillis);
  }
  const release = () => rmSync(path, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

async function acquire(path) {
  if (tryCreate(path)) return true;
  const owner = readOwner(path);
  if (owner === undefined ? ageMillis(path) < namelessMillisMax : isAlive(owner)) return false;
  try {
    renameSync(path, `${path}.${process.pid}`);
  } catch {
    return false; // another process was faster
  }
  rmSync(`${path}.${process.pid}`, { force: true });
  if (!tryCreate(path)) return false;
  await delay(settleMillis);
  return readOwner(path) === process.pid;
}

function tryCreate(path) {
  try {
    writeFileSync(path, `${process.pid}\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Returns the process id in the lock file; undefined if the file does not exist or has no id yet.
 */
function readOwner(path) {
  try {
    const owner = Number.parseInt(readFileSync(path, 'utf8'), 10);
    return Number.isNaN(owner) ? undefined : owner;
  } catch {
    return undefined;
  }
}

function ageMillis(path) {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
