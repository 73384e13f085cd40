// Tests the complete engine with maintenance. Writes, cuts, compactions, deletes and crashes come
// from a seed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rounds } from '../../base/testing/rounds.ts';
import { createFakeClock, type FakeClock } from '../../base/fake/clock.ts';
import { MemoryFiles } from '../../base/fake/memory-files.ts';
import { silentLogger } from '../../base/logger.ts';
import { noMetrics } from '../../base/metrics.ts';
import { randomBelow, seededRandom, type Random } from '../../base/random.ts';
import { createMatcher } from '../../model/matcher.ts';
import type { Block } from '../block/block.ts';
import { openStore } from '../store/open-store.ts';
import { readSelection } from '../fake/read-selection.ts';
import { everything, readTexts } from '../fake/read-texts.ts';
import { storedSeries } from '../fake/stored-series.ts';
import { internRecipe, randomRecipe, type Recipe } from '../fake/recipes.ts';
import type { Store } from '../store/store.ts';
import { inlineCompactor } from './testing/test-host.ts';
import { Maintenance } from './maintenance.ts';

const path = '/disk/data';
const hourMillis = 3_600_000;
const startMillis = Date.UTC(2026, 0, 1);

interface Life {
  readonly store: Store;
  readonly maintenance: Maintenance<Block>;
}

async function begin(disk: MemoryFiles, clock: FakeClock, random: Random): Promise<Life> {
  const machine = {
    files: disk.forProcess(),
    clock,
    random,
    logger: silentLogger,
    metrics: noMetrics,
  };
  const store = await openStore({ ...machine, path });
  const maintenance = new Maintenance(
    {
      ...machine,
      blocks: () => store.blocks(),
      openBlock: (id) => store.openBlock(id),
      replaceBlocks: (removed, added) => store.replaceBlocks(removed, added),
      rotate: () => store.rotate(),
    },
    {
      storagePath: path,
      retention: { timeNanos: 0n, sizeBytes: 0 },
      compactor: inlineCompactor(machine.files),
    },
  );
  return { store, maintenance };
}

async function write(store: Store, recipes: readonly Recipe[]): Promise<void> {
  const appender = store.appender();
  for (const recipe of recipes) appender.append(internRecipe(appender.dictionary, recipe));
  await appender.commit();
}

/**
 * Returns the result of the work, or undefined if the power fails first. Meanwhile, advances time
 * and fires timers.
 */
async function untilPowerIsOff<T>(
  disk: MemoryFiles,
  clock: FakeClock,
  work: Promise<T>,
): Promise<T | undefined> {
  if (disk.powerIsOff) return undefined;
  let isOver = false;
  const end = Promise.race([work, disk.untilPowerIsOff().then(() => undefined)]).finally(() => {
    isOver = true;
  });
  while (!isOver) await clock.advance(10);
  return end;
}

async function run(seed: number): Promise<void> {
  const random = seededRandom(seed);
  const disk = new MemoryFiles(random);
  const clock = createFakeClock(startMillis);
  await disk.makeDirectory('/disk');
  await disk.syncDirectory('/');
  let recipes: Recipe[] = [];
  let mark = 0n;
  let life = await begin(disk, clock, random);
  const step = <T>(work: Promise<T>): Promise<T | undefined> => untilPowerIsOff(disk, clock, work);
  for (let round = 0; round < 14; round += 1) {
    const some = Array.from({ length: 1 + randomBelow(random, 20) }, () => {
      mark += 1n;
      const age = BigInt(randomBelow(random, 30 * hourMillis)) * 1_000_000n;
      const timeNanos = clock.nowNanos() - age;
      return randomRecipe(random, { rows: 4, seriesCount: 3, functionCount: 5, timeNanos, mark });
    });
    await step(write(life.store, some));
    recipes.push(...some);
    if (randomBelow(random, 3) === 0) await step(life.store.rotate());
    await clock.advance(randomBelow(random, 4) * hourMillis);
    // From here on, the power may fail. Acknowledged profiles must stay, but a delete may be
    // carried out in only some blocks.
    if (randomBelow(random, 2) === 0) disk.cutPowerAfter(randomBelow(random, 60));
    let unsure: Recipe[] = [];
    if (randomBelow(random, 4) === 0) {
      const instance = `host-${randomBelow(random, 3)}`;
      const matchers = [createMatcher('instance', '=', instance)];
      const from = clock.nowNanos() - BigInt(randomBelow(random, 30 * hourMillis)) * 1_000_000n;
      const query = { matchers, profileType: undefined, range: { from, to: 2n ** 62n } };
      const deleted = await step(life.maintenance.delete(query));
      const isMeant = (one: Recipe): boolean => one.instance === instance && one.timeNanos >= from;
      if (deleted === undefined) unsure = recipes.filter(isMeant);
      recipes = recipes.filter((one) => !isMeant(one));
    }
    await step(life.maintenance.runPass());
    disk.cutPowerAfter(Infinity);
    if (disk.powerIsOff || randomBelow(random, 3) === 0) {
      if (randomBelow(random, 2) === 0) disk.kill();
      else disk.powerLoss();
      life = await begin(disk, clock, random);
    }
    const found = new Set(await readTexts(life.store));
    // A delete that was interrupted by the power loss may have been carried out in only some
    // blocks.
    recipes.push(...unsure.filter(({ texts }) => found.has(texts[0])));
    const want = recipes.flatMap(({ texts }) => texts);
    assert.deepEqual([...found].sort(compareTexts), want.sort(compareTexts));
  }
  await life.maintenance.close();
  await step(life.store.close());
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

test('acknowledged profiles stay and deleted ones go, through compactions and crashes', async () => {
  for (let seed = 1; seed <= rounds(1, 2); seed += 1) {
    await run(seed).catch((error: unknown) => {
      throw new Error(`seed ${seed}`, { cause: error });
    });
  }
});

test('an answer that is held stays readable while its blocks are replaced', async () => {
  const random = seededRandom(1);
  const disk = new MemoryFiles(random);
  const clock = createFakeClock(startMillis);
  const { store, maintenance } = await begin(disk, clock, random);
  const recipes = Array.from({ length: 20 }, (_, i) => {
    const timeNanos = BigInt(startMillis + i * 1000) * 1_000_000n;
    return randomRecipe(random, {
      rows: 4,
      seriesCount: 3,
      functionCount: 5,
      timeNanos,
      mark: BigInt(i + 1),
    });
  });
  const step = <T>(work: Promise<T>): Promise<T | undefined> => untilPowerIsOff(disk, clock, work);
  for (const some of [recipes.slice(0, 10), recipes.slice(10)]) {
    await step(write(store, some));
    await step(store.rotate());
  }
  const held = await storedSeries(store.querier).select(everything);
  const before = store.blocks().map(({ id }) => id);
  clock.setWallMillis(startMillis + 48 * hourMillis);
  await step(maintenance.runPass());
  assert.equal(before.length, 2);
  assert.equal(store.blocks().length, 1);
  for (const id of before) assert.ok(!(await disk.exists(`${path}/blocks/${id}.block`)));
  const profiles = (await readSelection(held)).flatMap((one) => one.profiles);
  assert.equal(profiles.length, recipes.flatMap(({ texts }) => texts).length);
  assert.deepEqual(held.missing, []);
  await maintenance.close();
  await step(store.close());
  assert.equal(disk.openHandles, 0, 'every file is closed');
});

test('retries of profiles that came days late are recognized for a day, even after a compaction', async () => {
  const random = seededRandom(2);
  const disk = new MemoryFiles(random);
  const clock = createFakeClock(startMillis);
  const { store, maintenance } = await begin(disk, clock, random);
  const step = <T>(work: Promise<T>): Promise<T | undefined> => untilPowerIsOff(disk, clock, work);
  const recipeAt = (mark: bigint): Recipe => {
    const timeNanos = BigInt(startMillis) * 1_000_000n + mark;
    return randomRecipe(random, { rows: 4, seriesCount: 1, functionCount: 5, timeNanos, mark });
  };
  const [inTime, late, later] = [recipeAt(1n), recipeAt(2n), recipeAt(3n)];
  const settle = async (recipe: Recipe): Promise<void> => {
    await step(write(store, [recipe]));
    await step(store.rotate());
    await step(maintenance.runPass());
  };
  await settle(inTime);
  clock.setWallMillis(startMillis + 72 * hourMillis);
  await settle(late);
  assert.deepEqual(
    store.blocks().map(({ facts: { level, profileCount } }) => [level, profileCount]),
    [[2, 2]],
  );
  clock.setWallMillis(startMillis + 80 * hourMillis);
  await settle(later);
  for (const recipe of [late, later]) await settle(recipe);
  const want = [inTime, late, later].flatMap(({ texts }) => texts);
  assert.deepEqual([...(await readTexts(store))].sort(compareTexts), want.sort(compareTexts));
  await maintenance.close();
  await step(store.close());
});
