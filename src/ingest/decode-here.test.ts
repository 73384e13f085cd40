// Tests of the split between main thread and worker: a large write goes to the worker, whatever
// makes it large.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { ProfileUpload } from './interface.ts';
import { encode, upload, type TestSample } from './testing/uploads.ts';
import { setUpSplit, setUpWith } from './testing/write-path.ts';
import { TurnShare } from './turn-share.ts';

/**
 * Returns samples with up to 50 different stacks. The labels of each sample have a different value.
 */
function makeSamples(count: number, labels: number): TestSample[] {
  return Array.from({ length: count }, (_, i) => ({
    stack: [`leaf${i % 50}`, 'main'],
    values: [1n],
    labels: Array.from({ length: labels }, (_one, k) => [`l${k}`, i] as const),
  }));
}

test('a write is decoded by the worker if its bytes, its content or its rows are many', async () => {
  const small = upload(encode({ samples: makeSamples(20, 1) }));
  const zeros = gzipSync(Buffer.alloc(64 * 1024 * 1024));
  const forged = Buffer.from(zeros);
  forged.writeUInt32LE(100, forged.length - 4);
  const check = async (uploads: readonly ProfileUpload[], isMoved: boolean): Promise<void> => {
    const path = setUpSplit();
    const alone = setUpWith(0);
    // Writes that the worker decodes and writes that the main thread decodes share one dictionary.
    for (const batch of [[small], uploads, [small], uploads]) {
      await path.ingester.write(batch);
      await alone.ingester.write(batch);
    }
    assert.deepEqual(path.storage.profiles, alone.storage.profiles);
    assert.equal(path.moved(), isMoved ? 2 : 0);
  };
  await check([small, small], false);
  // The profile has 90 KB of labels; interning this number of labels exceeds the time limit.
  const labelled = encode({ samples: makeSamples(3_000, 3) });
  assert.ok(labelled.length < 128 * 1024, String(labelled.length));
  await check([upload(labelled)], true);
  await check([upload(gzipSync(labelled))], true);
  await check([small, upload(labelled), small], true);
  // Many small uploads take as much work as a large one.
  await check(
    Array.from({ length: 60 }, () => upload(encode({ samples: makeSamples(60, 1) }))),
    true,
  );
  const path = setUpSplit();
  await assert.rejects(path.ingester.write([upload(forged)]), /gunzip/);
  assert.equal(path.moved(), 1);
  assert.deepEqual(path.storage.profiles, []);
});

test('writes of one moment share a turn up to its limit; the others follow in their order', async () => {
  const share = new TurnShare(10);
  const log: string[] = [];
  const work = async (name: string, millis: number): Promise<void> => {
    await share.enter();
    log.push(name);
    share.spend(millis);
  };
  const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
  const all = Promise.all([work('a', 6), work('b', 6), work('c', 6), work('d', 6), work('e', 1)]);
  for (let step = 0; step < 9; step += 1) await Promise.resolve();
  assert.deepEqual(log, ['a', 'b']);
  await nextTurn();
  assert.deepEqual(log, ['a', 'b', 'c', 'd']);
  await nextTurn();
  assert.deepEqual(log, ['a', 'b', 'c', 'd', 'e']);
  await all;
  // An admitted write that fails without using its share does not block later writes.
  await share.enter();
  await work('f', 1);
  assert.equal(log.at(-1), 'f');
});

test('a caller with many small writes delays those of others by one', async () => {
  const share = new TurnShare(1_000);
  await share.enter('first');
  const order: string[] = [];
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) {
    void share.enter(name[0])?.then(() => order.push(name));
  }
  for (let i = 0; i < 6; i += 1) {
    share.spend(1);
    await Promise.resolve();
  }
  assert.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});
