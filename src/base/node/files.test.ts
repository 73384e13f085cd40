// Tests of the real file system: appends, truncation, renames, locks, and the form of errors.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createFiles } from './files.ts';

const root = fs.mkdtempSync(join(os.tmpdir(), 'files-test-'));
after(() => fs.rmSync(root, { recursive: true, force: true }));
const files = createFiles();
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

test('appends, reads, truncates and renames', async () => {
  const directory = join(root, 'a', 'b');
  await files.makeDirectory(directory);
  const path = join(directory, 'x');
  assert.equal(await files.exists(path), false);
  const file = await files.open(path, { create: true });
  await file.append(encode('hello '));
  await file.append(encode('world'));
  await file.sync();
  assert.equal(await file.size(), 11);
  const into = new Uint8Array(20);
  assert.equal(await file.read(into, 6), 5);
  assert.equal(new TextDecoder().decode(into.subarray(0, 5)), 'world');
  await file.truncate(5);
  await file.append(encode('!'));
  await file.close();
  await files.rename(path, join(directory, 'y'));
  await files.syncDirectory(directory);
  assert.deepEqual(await files.list(directory), ['y']);
  assert.equal(new TextDecoder().decode(await files.read(join(directory, 'y'))), 'hello!');
  await files.remove(join(directory, 'y'));
  assert.deepEqual(await files.list(directory), []);
  assert.deepEqual(await files.list(join(root, 'absent')), []);
});

test('directories are told from files', async () => {
  const directory = join(root, 'mixed');
  await files.makeDirectory(join(directory, 'folder', 'below'));
  fs.writeFileSync(join(directory, 'file'), '');
  fs.symlinkSync('file', join(directory, 'link'));
  assert.deepEqual(await files.list(directory), ['file', 'folder', 'link']);
  assert.deepEqual(await files.listFiles(directory), ['file', 'link']);
  assert.deepEqual(await files.listFiles(join(root, 'absent')), []);
  const refused = (message: RegExp) => ({ code: 'failed-precondition', message });
  await assert.rejects(files.read(join(directory, 'folder')), refused(/it is a directory$/));
  await assert.rejects(
    files.makeDirectory(join(directory, 'file')),
    refused(/a file of that name/),
  );
  await assert.rejects(
    files.makeDirectory(join(directory, 'file', 'x')),
    refused(/not a directory/),
  );
  await files.makeDirectory(join(directory, 'folder'));
});

test('a directory that cannot be made is refused, where node would try for ever', async () => {
  await assert.rejects(files.makeDirectory('/proc/no-such-thing/below'), {
    code: 'not-found',
    message: /^cannot make directory \/proc\/no-such-thing: ENOENT/,
  });
});

test('bytes are written once more where they are', async () => {
  const path = join(root, 'rewritten');
  const file = await files.open(path, { create: true });
  const bytes = new Uint8Array(2_500_000).map((_, i) => i % 251);
  await file.append(bytes);
  await file.rewrite(100, 2_400_000);
  await file.sync();
  assert.deepEqual(fs.readFileSync(path), Buffer.from(bytes));
  await file.append(encode('!'));
  assert.equal(await file.size(), bytes.length + 1);
  await file.close();
});

test('errors have a code and name the path', async () => {
  const absent = join(root, 'absent');
  const missing = { code: 'not-found', message: new RegExp(`cannot open ${absent}`) };
  await assert.rejects(files.open(absent, { create: false }), missing);
  const file = await files.open('/dev/full', { create: false });
  await assert.rejects(file.append(encode('x')), {
    code: 'resource-exhausted',
    message: 'cannot write /dev/full: no space left on device',
  });
  await file.close();
  await assert.rejects(files.syncDirectory('/proc'), {
    code: 'failed-precondition',
    message: /^cannot sync directory \/proc: /,
  });
});

test('a lock is exclusive, names its holder, and ends with its process', async () => {
  const path = join(root, 'LOCK');
  const lock = await files.lock(path);
  const taken = {
    code: 'failed-precondition',
    message: `cannot lock storage path ${root}: another process holds it (pid ${process.pid})`,
  };
  await assert.rejects(files.lock(path), taken);
  await lock.release();
  await lock.release();

  const module = new URL('./files.ts', import.meta.url).href;
  const script = `
    const { createFiles } = await import(${JSON.stringify(module)});
    const { name } = await createFiles().lock(${JSON.stringify(path)});
    console.log(name);
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  const [printed] = (await once(child.stdout, 'data')) as [Buffer];
  assert.equal(printed.toString(), `${lock.name}\n`);
  const heldByChild = { message: new RegExp(`\\(pid ${child.pid}\\)$`) };
  await assert.rejects(files.lock(path), heldByChild);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await (await files.lock(path)).release();
  const copy = join(root, 'COPY');
  fs.copyFileSync(path, copy);
  const other = await files.lock(copy);
  assert.notEqual(other.name, lock.name);
  await other.release();
});

test('bytes of folders count each file once, and pass over what is out of reach', async () => {
  const path = join(root, 'tree');
  for (const folder of ['b/deep', 'a', 'empty', 'c']) await files.makeDirectory(join(path, folder));
  const write = (name: string, bytes: number): void =>
    fs.writeFileSync(join(path, name), new Uint8Array(bytes));
  write('top', 1);
  write('a/one', 10);
  write('b/two', 100);
  write('b/deep/three', 1_000);
  fs.linkSync(join(path, 'a/one'), join(path, 'c/again'));
  fs.symlinkSync(join(path, 'b'), join(path, 'c/link'));
  const want = { '': 1, a: 10, b: 1_100 };
  assert.deepEqual(Object.fromEntries(await files.folderBytes(path)), want);
  assert.equal((await files.folderBytes(join(path, 'absent'))).size, 0);
});

test('directories and files are for their owner and group', async () => {
  const path = join(root, 'mode', 'below');
  await files.makeDirectory(path);
  const file = await files.open(join(path, 'file'), { create: true });
  await file.close();
  const readMode = (name: string): string => (fs.statSync(name).mode & 0o007).toString(8);
  assert.deepEqual([join(root, 'mode'), path, join(path, 'file')].map(readMode), ['0', '0', '0']);
});
