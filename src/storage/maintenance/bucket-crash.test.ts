// Tests that deleted profiles do not reappear when a server dies before it has cleaned up its
// bucket.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock, type FakeClock } from '../../base/fake/clock.ts';
import { MemoryFiles } from '../../base/fake/memory-files.ts';
import { leaseRenewMillis, leaseTermMillis, objectShipDelayMillis } from '../limits.ts';
import { silentLogger } from '../../base/logger.ts';
import { noMetrics } from '../../base/metrics.ts';
import { seededRandom } from '../../base/random.ts';
import type { Block } from '../block/block.ts';
import { everything, readTexts } from '../fake/read-texts.ts';
import { internRecipe, randomRecipe } from '../fake/recipes.ts';
import { attachBucket } from '../object-store/attach.ts';
import type { BucketSync } from '../object-store/bucket-sync.ts';
import { createFilesystemBucket } from '../object-store/filesystem-bucket.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { Maintenance, type MaintenanceOptions } from './maintenance.ts';
import { inlineCompactor } from './testing/test-host.ts';

const path = '/disk/data';
const random = seededRandom(1);
const startMillis = Date.UTC(2026, 0, 1);
const keepEverything = { timeNanos: 0n, sizeBytes: 0 };

/** A server process, its disk and its bucket. */
interface Life {
  readonly store: Store;
  readonly maintenance: Maintenance<Block>;
  readonly sync: BucketSync<Block>;
}

async function begin(
  disk: MemoryFiles,
  bucketFiles: MemoryFiles,
  clock: FakeClock,
  retention: MaintenanceOptions['retention'] = keepEverything,
): Promise<Life> {
  const machine = {
    files: disk.forProcess(),
    clock,
    random,
    logger: silentLogger,
    metrics: noMetrics,
  };
  const store = await openStore({ ...machine, path });
  const maintenance = new Maintenance<Block>(
    {
      ...machine,
      blocks: () => store.blocks(),
      openBlock: (id) => store.openBlock(id),
      replaceBlocks: (removed, added) => store.replaceBlocks(removed, added),
      rotate: () => store.rotate(),
      bucket: {
        isRemote: (id) => sync.isRemote(id),
        retire: (ids) => sync.retire(ids),
      },
    },
    { storagePath: path, retention, compactor: inlineCompactor(machine.files) },
  );
  const { sync }: { readonly sync: BucketSync<Block> } = await attachBucket(store, {
    ...machine,
    host: 'test',
    onLost: () => undefined,
    path,
    cacheBytesMax: 1 << 20,
    localBytesMax: 0,
    bucket: createFilesystemBucket({
      files: bucketFiles.forProcess(),
      directory: '/bucket',
      prefix: '',
    }),
    isBusy: (id) => maintenance.isBusy(id),
    exclusive: (change) => maintenance.exclusive(change),
  });
  return { store, maintenance, sync };
}

/** Returns a store with one block, which replaced two other blocks. All three are in the bucket. */
async function compactedWorld(): Promise<{
  disk: MemoryFiles;
  bucketFiles: MemoryFiles;
  clock: FakeClock;
  life: Life;
}> {
  const disk = new MemoryFiles(random);
  await disk.makeDirectory('/disk');
  await disk.syncDirectory('/');
  const bucketFiles = new MemoryFiles(random);
  const clock = createFakeClock(startMillis);
  const life = await begin(disk, bucketFiles, clock);
  for (const mark of [1n, 2n]) {
    const timeNanos = BigInt(startMillis) * 1_000_000n + mark;
    const appender = life.store.appender();
    const recipe = { rows: 3, seriesCount: 1, functionCount: 3, timeNanos, mark };
    appender.append(internRecipe(appender.dictionary, randomRecipe(random, recipe)));
    await appender.commit();
    await life.store.rotate();
  }
  clock.setWallMillis(startMillis + objectShipDelayMillis + 1000);
  await life.sync.pass(false);
  assert.equal(objectCount(bucketFiles), 2);
  await life.maintenance.runPass();
  const [{ facts }, ...others] = life.store.blocks();
  assert.deepEqual([facts.sources.length, others.length], [2, 0]);
  return { disk, bucketFiles, clock, life };
}

function objectCount(files: MemoryFiles): number {
  return files.paths().filter((one) => one.endsWith('.block')).length;
}

test('sources of a block that was deleted whole do not come back after a crash', async () => {
  const { disk, bucketFiles, clock, life } = await compactedWorld();
  await life.maintenance.delete(everything);
  await life.maintenance.runPass();
  assert.deepEqual(life.store.blocks(), []);
  assert.equal(objectCount(bucketFiles), 2, 'the bucket has them still');
  disk.kill();
  bucketFiles.kill();
  const next = await begin(disk, bucketFiles, clock);
  assert.deepEqual(await readTexts(next.store), []);
  await clock.advance(leaseTermMillis + 2 * leaseRenewMillis);
  await next.sync.pass(false);
  assert.equal(objectCount(bucketFiles), 0);
  assert.deepEqual(await disk.listFiles(`${path}/blocks`), []);
  await next.sync.stop();
});

test('deleted profiles of a retired block do not come back after a crash', async () => {
  const { disk, bucketFiles, clock, life } = await compactedWorld();
  await life.maintenance.delete(everything);
  await life.maintenance.close();
  // The size limit of the next server is one byte, so it retires the block before its deletions are
  // carried out.
  await life.sync.stop();
  await life.store.close();
  const second = await begin(disk, bucketFiles, clock, { timeNanos: 0n, sizeBytes: 1 });
  await second.maintenance.runPass();
  assert.deepEqual(second.store.blocks(), []);
  assert.equal(objectCount(bucketFiles), 2);
  disk.kill();
  bucketFiles.kill();
  const third = await begin(disk, bucketFiles, clock);
  assert.deepEqual(await readTexts(third.store), []);
  await clock.advance(leaseTermMillis + 2 * leaseRenewMillis);
  await third.sync.pass(false);
  assert.equal(objectCount(bucketFiles), 0);
  assert.deepEqual(await disk.listFiles(`${path}/blocks`), []);
  await third.sync.stop();
});
