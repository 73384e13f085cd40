import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../base/errors.ts';
import { MemoryFiles } from '../../base/fake/memory-files.ts';
import { uiFilesWaitingMax } from '../limits.ts';
import { seededRandom } from '../../base/random.ts';
import { uiFilesOnce } from './ui-files.ts';

async function write(files: MemoryFiles, path: string, text: string): Promise<void> {
  const file = await files.open(path, { create: true });
  await file.append(Buffer.from(text));
  await file.close();
}

test('requests that come during a load wait for it, and each file is read once', async () => {
  const files = new MemoryFiles(seededRandom(1));
  const reads: string[] = [];
  const read = files.read.bind(files);
  files.read = (path) => {
    reads.push(path);
    return read(path);
  };
  const uiFiles = uiFilesOnce(files, 'dist', '/');
  assert.equal((await uiFiles()).size, 0);
  await files.makeDirectory('dist');
  await files.makeDirectory('dist/assets');
  await write(files, 'dist/assets/page.js', 'x'.repeat(5_000));
  await write(files, 'dist/index.html', '<base href="/" />');
  const answers = await Promise.all(Array.from({ length: uiFilesWaitingMax }, uiFiles));
  assert.deepEqual([...answers[99].keys()].toSorted(), ['assets/page.js', 'index.html']);
  assert.equal(await uiFiles(), answers[0]);
  assert.deepEqual(reads.toSorted(), ['dist/assets/page.js', 'dist/index.html']);
});

test('more than a few do not wait for a load: they are told to come again', async () => {
  const uiFiles = uiFilesOnce(new MemoryFiles(seededRandom(1)), 'dist', '/');
  const waiting = Array.from({ length: uiFilesWaitingMax }, uiFiles);
  await assert.rejects(uiFiles(), /the files of the page are being read/);
  await Promise.all(waiting);
  assert.equal((await uiFiles()).size, 0);
});

test('a file that cannot be read is left out without its path, and tried again', async () => {
  const files = new MemoryFiles(seededRandom(1));
  await files.makeDirectory('dist');
  await files.makeDirectory('dist/assets');
  await write(files, 'dist/assets/page.js', 'x');
  await write(files, 'dist/index.html', '<base href="/" />');
  const read = files.read.bind(files);
  files.read = (path) => {
    if (path.endsWith('.js')) throw new AppError('not-found', `cannot read ${path}: ENOENT`);
    return read(path);
  };
  const uiFiles = uiFilesOnce(files, 'dist', '/');
  assert.deepEqual([...(await uiFiles()).keys()], ['index.html']);
  files.read = read;
  assert.deepEqual([...(await uiFiles()).keys()].toSorted(), ['assets/page.js', 'index.html']);
});
