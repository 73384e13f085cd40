// Tests of maintenance for a store whose blocks are also in a bucket.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../base/fake/clock.ts';
import { MemoryFiles } from '../../base/fake/memory-files.ts';
import { seededRandom } from '../../base/random.ts';
import type { Block } from '../block/block.ts';
import { randomRecipe } from '../fake/recipes.ts';
import { dayNanos, windowNanos } from '../block/block-facts.ts';
import { Maintenance, type MaintenanceOptions } from './maintenance.ts';
import { inlineCompactor, storagePath, TestHost } from './testing/test-host.ts';

const start = 20_000n * dayNanos;
const startMillis = Number(start / 1_000_000n);
const dayMillis = 86_400_000;

class BucketHost extends TestHost {
  readonly remote = new Set<string>();
  readonly retired: string[] = [];
  readonly bucket = {
    isRemote: (id: string): boolean => this.remote.has(id),
    retire: (ids: readonly string[]): void => {
      this.retired.push(...ids);
      const gone = this.blocks().filter((block) => ids.includes(block.id));
      this.replaceBlocks(gone, []);
    },
  };

  /** Adds a block of level 0 that begins `window` windows after `start`. */
  async add(window: bigint): Promise<Block> {
    const random = seededRandom(Number(window));
    const recipes = Array.from({ length: 5 }, (_, i) => {
      const timeNanos = start + window * windowNanos + BigInt(i + 1) * 1_000_000_000n;
      return randomRecipe(random, {
        rows: 3,
        seriesCount: 1,
        functionCount: 3,
        timeNanos,
        mark: undefined,
      });
    });
    return this.addBlock(recipes);
  }
}

async function newWorld(
  retention: MaintenanceOptions['retention'] = { timeNanos: 0n, sizeBytes: 0 },
): Promise<{ host: BucketHost; maintenance: Maintenance<Block> }> {
  const files = new MemoryFiles(seededRandom(3));
  const host = new BucketHost(files, createFakeClock(startMillis), seededRandom(4));
  await host.start();
  const compactor = inlineCompactor(files);
  return { host, maintenance: new Maintenance<Block>(host, { storagePath, compactor, retention }) };
}

test('a block names all that it replaces, at whatever remove', async () => {
  const { host, maintenance } = await newWorld();
  const first = [(await host.add(0n)).id, (await host.add(0n)).id];
  host.clock.setWallMillis(startMillis + dayMillis / 2);
  await maintenance.runPass();
  const [middle] = host.blocks();
  assert.deepEqual([...middle.facts.sources].sort(), first.sort());
  const late = await host.add(1n);
  host.clock.setWallMillis(startMillis + 2 * dayMillis);
  await maintenance.runPass();
  const [day, ...rest] = host.blocks();
  assert.deepEqual(rest, []);
  assert.deepEqual([...day.facts.sources].sort(), [...first, middle.id, late.id].sort());
  assert.deepEqual(host.retired, []);
});

test('blocks that are only in the bucket are not compacted', async () => {
  const { host, maintenance } = await newWorld();
  const remote = await host.add(0n);
  host.remote.add(remote.id);
  await host.add(0n);
  await host.add(1n);
  host.clock.setWallMillis(startMillis + 2 * dayMillis);
  await maintenance.runPass();
  assert.equal(host.blocks().length, 2);
  assert.ok(host.blocks().includes(remote));
});

test('retired blocks leave the bucket, too; by size, only blocks of the disk are retired', async () => {
  const { host, maintenance } = await newWorld({ timeNanos: 0n, sizeBytes: 1 });
  const remote = await host.add(0n);
  host.remote.add(remote.id);
  const local = await host.add(13n);
  await maintenance.runPass();
  assert.deepEqual(host.retired, [local.id]);
  assert.deepEqual(host.blocks(), [remote]);

  const byTime = await newWorld({ timeNanos: dayNanos, sizeBytes: 0 });
  const old = await byTime.host.add(0n);
  byTime.host.remote.add(old.id);
  byTime.host.clock.setWallMillis(startMillis + 5 * dayMillis);
  for (let minute = 0; minute < 13; minute += 1) {
    await byTime.maintenance.runPass();
    await byTime.host.clock.advance(60_000);
  }
  assert.deepEqual(byTime.host.retired, [old.id]);
  assert.deepEqual(byTime.host.blocks(), []);
});

test('the sources of a block leave the bucket with it', async () => {
  const { host, maintenance } = await newWorld({ timeNanos: dayNanos, sizeBytes: 0 });
  const replaced = [(await host.add(0n)).id, (await host.add(0n)).id];
  host.clock.setWallMillis(startMillis + dayMillis / 2);
  await maintenance.runPass();
  const [joined] = host.blocks();
  host.clock.setWallMillis(startMillis + 5 * dayMillis);
  for (let minute = 0; minute < 13; minute += 1) {
    await maintenance.runPass();
    await host.clock.advance(60_000);
  }
  assert.deepEqual(host.blocks(), []);
  // The day was compacted again before it was retired.
  const [joinedAgain] = host.retired;
  assert.deepEqual(host.retired.sort(), [joinedAgain, joined.id, ...replaced].sort());

  const deleting = await newWorld();
  const first = [(await deleting.host.add(0n)).id, (await deleting.host.add(0n)).id];
  deleting.host.clock.setWallMillis(startMillis + dayMillis / 2);
  await deleting.maintenance.runPass();
  const [second] = deleting.host.blocks();
  const all = { from: -(2n ** 63n), to: 2n ** 63n - 1n };
  await deleting.maintenance.delete({ matchers: [], profileType: undefined, range: all });
  deleting.host.clock.setWallMillis(startMillis + 2 * dayMillis);
  await deleting.maintenance.runPass();
  assert.deepEqual(deleting.host.retired.sort(), [second.id, ...first].sort());
});

test('blocks without anything left are retired in the bucket', async () => {
  const { host, maintenance } = await newWorld();
  const block = await host.add(0n);
  const all = { from: -(2n ** 63n), to: 2n ** 63n - 1n };
  await maintenance.delete({ matchers: [], profileType: undefined, range: all });
  host.clock.setWallMillis(startMillis + 2 * dayMillis);
  await maintenance.runPass();
  assert.deepEqual(host.retired, [block.id]);
  assert.deepEqual(host.blocks(), []);
});
