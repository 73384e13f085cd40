// The cache keeps the most recently used values within its size limit, and shares concurrent loads.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BlockCache, Cached } from './block-cache.ts';

function counted(cache: BlockCache, name: string, bytes: number, log: string[]): Cached<string> {
  return new Cached(
    cache,
    async () => {
      log.push(`load ${name}`);
      return { value: name, bytes };
    },
    () => log.push(`drop ${name}`),
  );
}

test('the least recently used value is dropped, and loaded again', async () => {
  const cache = new BlockCache(100);
  const log: string[] = [];
  const [a, b, c] = ['a', 'b', 'c'].map((name) => counted(cache, name, 40, log));
  assert.equal(await a.get(), 'a');
  await b.get();
  assert.equal(a.get(), 'a', 'at once');
  await c.get();
  assert.deepEqual(log, ['load a', 'load b', 'load c', 'drop b']);
  assert.equal(cache.usedBytes, 80);
  await b.get();
  assert.deepEqual(log.slice(4), ['load b', 'drop a']);
  for (const cached of [a, b, c]) cached.drop();
  assert.equal(cache.usedBytes, 0);
});

test('a value larger than the cache is kept until the next one', async () => {
  const cache = new BlockCache(10);
  const log: string[] = [];
  const large = counted(cache, 'large', 1000, log);
  await large.get();
  assert.equal(large.get(), 'large');
  await counted(cache, 'small', 1, log).get();
  assert.equal(cache.usedBytes, 1);
});

test('concurrent calls share a load, and a failed one is tried again', async () => {
  const cache = new BlockCache(100);
  let loads = 0;
  const cached = new Cached(cache, async () => {
    loads += 1;
    if (loads === 1) throw new Error('once');
    return { value: loads, bytes: 1 };
  });
  const first = await Promise.allSettled([cached.get(), cached.get()]);
  assert.deepEqual(
    first.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.deepEqual(await Promise.all([cached.get(), cached.get()].map(async (one) => one)), [2, 2]);
  assert.equal(loads, 2);
});
