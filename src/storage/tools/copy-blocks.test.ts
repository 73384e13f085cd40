// Tests that a store answers as before after its blocks are copied to another store, and that data
// that does not arrive is reported.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../base/fake/clock.ts';
import { MemoryFiles } from '../../base/fake/memory-files.ts';
import { silentLogger } from '../../base/logger.ts';
import { noMetrics } from '../../base/metrics.ts';
import { seededRandom } from '../../base/random.ts';
import { internRecipe, randomRecipe } from '../fake/recipes.ts';
import { readSums } from '../fake/read-sums.ts';
import { query } from '../fake/short-profiles.ts';
import type { Storage } from '../interface.ts';
import { openStore } from '../store/open-store.ts';
import { copyBlock } from './copy-blocks.ts';
import { createMemoryStore } from './memory-store.ts';

/** Creates a store with blocks of random profiles. */
async function filledStore() {
  const random = seededRandom(5);
  const files = new MemoryFiles(random);
  const machine = { files, random, clock: createFakeClock(1e12) };
  const store = await openStore({
    ...machine,
    logger: silentLogger,
    metrics: noMetrics,
    path: '/data',
  });
  for (let i = 0; i < 60; i += 1) {
    const appender = store.appender();
    const options = { rows: 5, seriesCount: 3, functionCount: 9, timeNanos: BigInt(i * 1_000) };
    const recipe = randomRecipe(random, { ...options, mark: undefined });
    appender.append(internRecipe(appender.dictionary, recipe));
    await appender.commit();
    if (i % 20 === 19) await store.rotate();
  }
  return store;
}

test('blocks are in the other store as they were, also when they are copied twice', async () => {
  const store = await filledStore();
  const target = createMemoryStore(seededRandom(6)) as Storage;
  for (const round of [1, 2]) {
    let profiles = 0;
    for (const block of store.blocks()) {
      const copied = await copyBlock(block, target);
      assert.deepEqual(copied.missing, []);
      profiles += copied.profileCount;
    }
    assert.equal(profiles, 60, `round ${round}`);
  }
  const sorted = async (from: Storage): Promise<string[]> =>
    (await readSums(from, query({}))).map((series) => printSeries(series)).sort();
  assert.deepEqual(await sorted(target), await sorted(store));
  await store.close();
});

test('a profile that does not arrive is told', async () => {
  const store = await filledStore();
  const target = createMemoryStore(seededRandom(6));
  let commits = 0;
  const lossy = {
    querier: target.querier,
    appender: () => {
      const appender = target.appender();
      commits += 1;
      if (commits === 1) return appender;
      const { dictionary } = appender;
      return { dictionary, append: () => undefined, commit: async () => undefined };
    },
  };
  const [first, second] = store.blocks();
  assert.deepEqual((await copyBlock(first, lossy)).missing, []);
  const { missing } = await copyBlock(second, lossy);
  assert.ok(missing.length > 0);
  assert.match(missing[0], /^block \S+: a series of \S+ did not arrive whole$/);
  await store.close();
});

function printSeries(series: Awaited<ReturnType<typeof readSums>>[number]): string {
  const asText = (_: string, value: unknown): unknown =>
    typeof value === 'bigint' ? `${value}` : value;
  const profiles = series.profiles.map(({ rows, ...profile }) => {
    return { ...profile, rows: rows.map((row) => JSON.stringify(row, asText)).sort() };
  });
  return JSON.stringify({ ...series, profiles }, asText);
}
