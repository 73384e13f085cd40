// Tests of starts after a crash: file names that were only in the page cache, and the numbers of
// epochs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MemoryFiles } from '../../base/fake/memory-files.ts';
import { seededRandom } from '../../base/random.ts';
import { emptyDisk, openStore, storePath, writeProfile } from '../testing/small-store.ts';
import { readTexts } from '../fake/read-texts.ts';
import type { StoreUnderTest } from '../fake/store-under-test.ts';

const random = seededRandom(1);

const open = (files: MemoryFiles): Promise<StoreUnderTest> => openStore(files, random);
const write = (store: StoreUnderTest, hours: number): Promise<void> =>
  writeProfile(store, random, hours);

test('the log is not given up for blocks whose names are not durable yet', async () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const files = await emptyDisk(seed);
    const store = await open(files);
    for (const hours of [0, 5]) await write(store, hours);
    const want = (await readTexts(store)).toSorted();
    // The process dies before it has synced the names of the blocks that it cut.
    files.addFault({ call: 'sync-directory', skip: 1, times: Infinity, errno: 'EIO' });
    void store.rotate().catch(() => undefined);
    for (let turn = 0; turn < 200; turn += 1) await new Promise((done) => void setImmediate(done));
    files.clearFaults();
    files.kill();
    const again = await open(files);
    assert.deepEqual((await readTexts(again)).toSorted(), want);
    files.powerLoss();
    assert.deepEqual((await readTexts(await open(files))).toSorted(), want, `seed ${seed}`);
  }
});

test('a segment of which nothing is left does not give its number to an epoch', async () => {
  const files = await emptyDisk(1);
  const store = await open(files);
  for (const hours of [0, 5, 9]) await write(store, hours);
  await store.close();
  const [block] = files.paths().filter((name) => name.endsWith('.block'));
  // Only some blocks of epoch 1 remain, and so does a segment with a torn header.
  await files.remove(block);
  const want = (await readTexts(await open(files.copy(random)))).toSorted();
  const torn = await files.open(`${storePath}/wal/00000009.wal`, { create: true });
  await torn.append(new Uint8Array(40));
  await torn.close();
  assert.deepEqual((await readTexts(await open(files))).toSorted(), want);
});

test('a group whose sync failed is durable once a start has found it', async () => {
  let found = 0;
  for (let seed = 1; seed <= 40; seed += 1) {
    const files = await emptyDisk(seed);
    const store = await open(files);
    await write(store, 0);
    // The process dies before it abandons the segment.
    files.addFault({ call: 'sync', skip: 0, times: 1, errno: 'EIO' });
    files.addFault({ call: 'truncate', skip: 0, times: 1, errno: 'EIO' });
    await assert.rejects(write(store, 1), { code: 'unavailable' });
    files.kill();
    files.addFault({ call: 'rewrite', skip: 0, times: 1, errno: 'ENOSPC' });
    await assert.rejects(open(files), { code: 'resource-exhausted' });
    files.kill();
    const again = await open(files);
    const want = (await readTexts(again)).toSorted();
    if (want.length > 1) found += 1;
    await write(again, 2);
    const all = (await readTexts(again)).toSorted();
    files.powerLoss();
    assert.deepEqual((await readTexts(await open(files))).toSorted(), all, `seed ${seed}`);
  }
  assert.ok(found > 0);
});

test('starts do not make the log longer', async () => {
  const files = await emptyDisk(1);
  await write(await open(files), 0);
  const sizeOfLog = (): number => {
    const [log] = files.paths().filter((name) => name.endsWith('.wal'));
    return files.peek(log)?.length ?? 0;
  };
  const size = sizeOfLog();
  for (let start = 0; start < 3; start += 1) {
    files.kill();
    await open(files);
  }
  assert.equal(sizeOfLog(), size);
});

test('a start that fails leaves no file open', async () => {
  const disk = await emptyDisk(1);
  const store = await open(disk);
  for (const hours of [0, 5]) await write(store, hours);
  await store.close();
  await write(await open(disk), 9);
  disk.kill();
  const started = disk.copy(random);
  const calls = started.faults.startRecording();
  await open(started);
  assert.ok(calls.some(({ call }) => call === 'rewrite'));
  let failed = 0;
  for (const [number, { call, path: name }] of calls.entries()) {
    const files = disk.copy(random);
    files.faults.addNumbered({ skip: number, times: 1, errno: 'EIO' });
    const isOpen = await open(files).then(
      () => true,
      () => false,
    );
    if (isOpen) continue;
    assert.equal(files.openHandles, 0, `${call} ${name}`);
    failed += 1;
  }
  assert.ok(failed > calls.length / 2);
});
