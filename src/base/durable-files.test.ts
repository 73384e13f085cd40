// The name of a new folder survives a crash, or the caller gets an error.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError, type ErrorCode } from './errors.ts';
import { MemoryFiles } from './fake/memory-files.ts';
import { seededRandom } from './random.ts';
import { makeDurableFolder } from './durable-files.ts';

/** A disk on which the sync of one directory fails in a given way. */
class FailingFiles extends MemoryFiles {
  readonly #directory: string;
  readonly #code: ErrorCode;

  constructor(directory: string, code: ErrorCode) {
    super(seededRandom(1));
    this.#directory = directory;
    this.#code = code;
  }

  override async syncDirectory(path: string): Promise<void> {
    if (path === this.#directory) throw new AppError(this.#code, `cannot sync directory ${path}`);
    await super.syncDirectory(path);
  }
}

test('all names on the way to it are durable', async () => {
  const files = new MemoryFiles(seededRandom(1));
  await makeDurableFolder(files, '/mnt/profiles/wal', '/mnt/profiles');
  files.powerLoss();
  assert.equal(await files.exists('/mnt/profiles/wal'), true);
});

test('a directory above the root may be closed to us, but no disk may fail', async () => {
  const make = (directory: string, code: ErrorCode): Promise<void> =>
    makeDurableFolder(new FailingFiles(directory, code), '/mnt/profiles/wal', '/mnt/profiles');
  await make('/mnt', 'failed-precondition');
  await make('/', 'failed-precondition');
  await assert.rejects(make('/mnt/profiles', 'failed-precondition'), /cannot sync directory/);
  await assert.rejects(make('/mnt', 'unavailable'), /cannot sync directory/);
  await assert.rejects(make('/', 'resource-exhausted'), /cannot sync directory/);
});
