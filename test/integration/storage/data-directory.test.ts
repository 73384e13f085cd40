// Tests `parcatool data` on a directory with a log and blocks.
import assert from 'node:assert/strict';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createFiles } from '../../../src/base/node/files.ts';
import { fillDataDirectory } from '../../support/data-directory.ts';
import { runParcatool, type Run } from '../../support/parcatool.ts';
import { scratchDirectory } from '../../support/server.ts';

let scratch: Awaited<ReturnType<typeof scratchDirectory>>;
/** Data directory that all tests read. */
let data: string;

before(async () => {
  scratch = await scratchDirectory();
  await fillDataDirectory(scratch.path);
  data = join(scratch.path, 'data');
});

after(() => scratch.remove());

const tool = (...args: string[]): Promise<Run> => runParcatool('data', ...args);

/** Changes one byte of a file. */
async function damage(path: string, offset: number): Promise<void> {
  const file = await open(path, 'r+');
  const byte = Buffer.alloc(1);
  await file.read(byte, 0, 1, offset);
  byte[0] ^= 0x40;
  await file.write(byte, 0, 1, offset);
  await file.close();
}

test('inspect says what is there', async () => {
  const text = await tool('inspect', data, '--top=2');
  assert.equal(text.code, 0, text.err);
  assert.match(text.out, /2 blocks, \d+ bytes, \d+ rows, \d\.\d\d bytes a row/);
  assert.match(text.out, /block-1 +0 +2024-10-04T00:00:01\.000Z/);
  assert.match(text.out, /00000001\.wal +1 +\d+/);
  assert.match(text.out, /process_cpu:type0:count:cpu:nanoseconds:delta\{job="job-0"\}/);
  assert.match(text.out, /and 2 more/);
  const json = JSON.parse((await tool('inspect', data, '-o', 'json')).out);
  assert.deepEqual(json.blocks.map((block: { id: string }) => block.id).sort(), [
    'block-1',
    'block-2',
  ]);
  assert.deepEqual(json.unreadable, []);
  assert.equal(json.seriesCount, 4);
  assert.equal((await tool('inspect', scratch.path)).code, 3);
});

test('verify finds nothing in what is whole', async () => {
  const { code, out } = await tool('verify', data);
  assert.equal(code, 0, out);
  assert.match(
    out,
    /: 2 blocks with \d+ bytes and 600 profiles, 5 profiles in the log; all good\n$/,
  );
});

test('a backup is the same by links, and restoring it makes a directory that serves', async () => {
  const backup = join(scratch.path, 'backup');
  const restored = join(scratch.path, 'restored');
  const done = await tool('backup', data, '--target', backup);
  assert.equal(done.code, 0, done.err);
  const links = await stat(join(backup, 'blocks/block-1.block'));
  assert.equal(links.nlink, 2);
  assert.equal((await stat(join(backup, 'wal/00000001.wal'))).nlink, 1);
  const back = await tool('restore', backup, '--target', restored);
  assert.equal(back.code, 0, back.err);
  assert.match(back.out, /all good/);
  for (const name of [
    'meta',
    'blocks/block-1.block',
    'blocks/block-2.deleted',
    'wal/00000001.wal',
  ]) {
    assert.deepEqual(await readFile(join(restored, name)), await readFile(join(data, name)), name);
  }
  const again = await tool('backup', data, '--target', backup);
  assert.deepEqual([again.code, /it is not empty/.test(again.err)], [1, true]);
  const lock = await createFiles().lock(join(data, 'LOCK'));
  const busy = await tool('backup', data, '--target', join(scratch.path, 'other'));
  await lock.release();
  assert.equal(busy.code, 1);
  assert.match(busy.err, /parcatool: cannot .* in use|held|another/);
});

test('damage is found with its place, and repair moves what cannot be opened', async () => {
  const broken = join(scratch.path, 'broken');
  assert.equal((await tool('restore', data, '--target', broken)).code, 0);
  const first = join(broken, 'blocks/block-1.block');
  await damage(first, 5_000);
  const second = join(broken, 'blocks/block-2.block');
  await damage(second, (await stat(second)).size - 3);
  await damage(join(broken, 'wal/00000001.wal'), 200);
  const verified = await tool('verify', broken);
  assert.equal(verified.code, 1);
  assert.match(verified.out, /^damaged: blocks\/block-1\.block:\d+: /m);
  assert.match(verified.out, /^unreadable: blocks\/block-2\.block: /m);
  assert.match(verified.out, /^damaged: wal\/00000001\.wal:\d+: /m);

  const planned = await tool('repair', broken);
  assert.equal(planned.code, 0, planned.err);
  assert.match(planned.out, /would move blocks\/block-2\.block to quarantine\//);
  assert.equal((await stat(second)).isFile(), true);
  const repaired = await tool('repair', broken, '--apply');
  assert.match(repaired.out, /^moved blocks\/block-2\.deleted to quarantine\//m);
  assert.deepEqual((await readdir(join(broken, 'quarantine/blocks'))).sort(), [
    'block-2.block',
    'block-2.deleted',
  ]);
  assert.deepEqual(await readdir(join(broken, 'blocks')), ['block-1.block']);
  assert.match((await tool('repair', broken)).out, /nothing to move/);
});
