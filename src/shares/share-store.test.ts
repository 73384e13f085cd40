import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { AppError } from '../base/errors.ts';
import { createFakeClock } from '../base/fake/clock.ts';
import { MemoryFiles } from '../base/fake/memory-files.ts';
import { shareDescriptionLengthMax } from './limits.ts';
import { silentLogger } from '../base/logger.ts';
import { noMetrics } from '../base/metrics.ts';
import { seededRandom } from '../base/random.ts';
import { adHocProfiles, sharedProfiles, ShareStore } from './share-store.ts';

const start = 1_790_000_000_000;
const day = 86_400_000;
const profile = Uint8Array.of(0x1f, 0x8b, 10, 0x0a, 7);

function folder() {
  const files = new MemoryFiles(seededRandom(1));
  const clock = createFakeClock(start);
  const random = seededRandom(7);
  const host = { files, clock, random, logger: silentLogger, metrics: noMetrics };
  const limits = { bytesMax: 200, ageMillisMax: 30 * day };
  const open = (kind = sharedProfiles) =>
    ShareStore.open({ ...host, path: '/shares', limits, kind });
  return { files, clock, open };
}

const isNotFound = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'not-found';

test('a copy survives a power loss and a restart, with its description', async () => {
  const { files, open } = folder();
  const description = 'before "the fix"\n\u0000é';
  const { id } = await (await open()).add(profile, description);
  assert.match(id, /^[0-9a-f]{32}$/);
  files.powerLoss();
  const store = await open();
  const { bytes, createdMillis } = store.find(id);
  assert.deepEqual([bytes, createdMillis, store.find(id).description], [5, start, description]);
  assert.deepEqual([...(await store.read(id))], [...profile]);
  assert.deepEqual(await buffer(store.readPieces(id)), Buffer.from(profile));
  await store.remove(id);
  assert.throws(() => store.find(id), isNotFound);
  files.powerLoss();
  assert.deepEqual(await files.list('/shares'), []);
});

test('ids that are none are not found', async () => {
  const store = await folder().open();
  for (const id of ['', '..', '../wal', '0'.repeat(32), 'x'.repeat(1_000)]) {
    assert.throws(() => store.find(id), isNotFound, id);
    await assert.rejects(store.read(id), isNotFound);
    await assert.rejects(buffer(store.readPieces(id)), isNotFound);
    await assert.rejects(store.remove(id), isNotFound);
  }
});

test('copies expire, and are bounded in bytes and in words', async () => {
  const { files, clock, open } = folder();
  const store = await open();
  const first = await store.add(profile, 'a');
  await store.add(new Uint8Array(60), 'b');
  await assert.rejects(
    store.add(new Uint8Array(60), 'c'),
    /would have \d+ bytes, the limit is 200/,
  );
  await assert.rejects(
    store.add(profile, 'x'.repeat(shareDescriptionLengthMax + 1)),
    /description: has 1001 characters, the limit is 1000/,
  );
  await clock.advance(30 * day);
  assert.equal(store.find(first.id).bytes, 5);
  await clock.advance(2 * 3_600_000);
  assert.throws(() => store.find(first.id), isNotFound);
  assert.deepEqual(await files.list('/shares'), []);
  store.stop();
  assert.equal(clock.pendingTimers(), 0);
});

test('a copy that could not be written leaves nothing', async () => {
  const { files, open } = folder();
  const store = await open();
  files.addFault({ call: 'append', errno: 'ENOSPC', skip: 1, times: 1 });
  await assert.rejects(store.add(profile, ''), /ENOSPC|no space/);
  files.clearFaults();
  assert.deepEqual(await files.list('/shares'), []);
  assert.equal((await store.add(profile, '')).bytes, 5);
});

test('files of others, unfinished and damaged ones do not stop a start', async () => {
  const { files, open } = folder();
  await files.makeDirectory('/shares');
  const write = async (name: string, text: string): Promise<void> => {
    const file = await files.open(`/shares/${name}`, { create: true });
    await file.append(Buffer.from(text));
    await file.close();
  };
  await write('notes.txt', 'x');
  await write(`${'a'.repeat(32)}.share`, '{"description":1}\n');
  await write(`${'b'.repeat(32)}.share`, 'no line');
  await write(`${'c'.repeat(32)}.tmp`, 'half');
  const store = await open();
  assert.throws(() => store.find('a'.repeat(32)), isNotFound);
  assert.equal((await files.list('/shares')).length, 3);
});

test('the oldest ad hoc profiles go where a new one would be too many', async () => {
  const { files, clock, open } = folder();
  const store = await open(adHocProfiles);
  const added: string[] = [];
  for (const name of ['a', 'b', 'c', 'd']) {
    added.push((await store.add(new Uint8Array(10), name)).id);
    await clock.advance(1);
  }
  const names = store.list().map(({ description }) => description);
  assert.deepEqual(names, ['d', 'c', 'b']);
  assert.throws(() => store.find(added[0]), isNotFound);
  await assert.rejects(store.add(new Uint8Array(300), 'large'), /ad hoc profiles would have/);
  files.powerLoss();
  assert.deepEqual((await open(adHocProfiles)).list(), store.list());
});
