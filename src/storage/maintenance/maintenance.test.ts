// Tests maintenance of real blocks on a simulated disk: answers stay the same after any compaction
// at any time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rounds } from '../../base/testing/rounds.ts';
import { createFakeClock, type FakeClock } from '../../base/fake/clock.ts';
import { MemoryFiles } from '../../base/fake/memory-files.ts';
import { AppError } from '../../base/errors.ts';
import { silentLogger } from '../../base/logger.ts';
import { randomBelow, seededRandom, type Random } from '../../base/random.ts';
import { createMatcher } from '../../model/matcher.ts';
import { parseProfileType } from '../../model/profile-type.ts';
import { writeDeletions } from '../files/deletions.ts';
import { randomRecipe, type Recipe } from '../fake/recipes.ts';
import type { SeriesQuery, TimeRange } from '../interface.ts';
import { dayNanos, windowNanos } from '../block/block-facts.ts';
import type { Compactor } from './compactor.ts';
import { Maintenance, type MaintenanceOptions } from './maintenance.ts';
import { sumsOfRecipes, sumsOfStore } from './testing/read-blocks.ts';
import { inlineCompactor, storagePath, TestHost } from './testing/test-host.ts';

const wholeTime: TimeRange = { from: -(2n ** 63n), to: 2n ** 63n - 1n };
/** Midnight. */
const start = 20_000n * dayNanos;
const dayMillis = 86_400_000;
const startMillis = Number(start / 1_000_000n);

interface World {
  readonly host: TestHost;
  readonly files: MemoryFiles;
  readonly clock: FakeClock;
  readonly maintenance: Maintenance<ReturnType<TestHost['blocks']>[number]>;
}

/** Number of worlds so far. It makes the names of the blocks of each world different. */
let worlds = 0;

async function openWorld(
  files: MemoryFiles,
  clock: FakeClock,
  options: Partial<MaintenanceOptions> = {},
): Promise<World> {
  worlds += 1;
  // Calls that a process makes after it was killed have no effect.
  const own = files.forProcess();
  const host = new TestHost(own, clock, seededRandom(worlds));
  await host.start();
  const maintenance = new Maintenance(host, {
    storagePath,
    compactor: inlineCompactor(own),
    retention: { timeNanos: 0n, sizeBytes: 0 },
    ...options,
  });
  return { host, files, clock, maintenance };
}

function newWorld(
  atMillis = startMillis,
  options: (files: MemoryFiles) => Partial<MaintenanceOptions> = () => ({}),
): Promise<World> {
  const files = new MemoryFiles(seededRandom(3));
  return openWorld(files, createFakeClock(atMillis), options(files));
}

/** Returns profiles at random times in `range`. Some of them have the same time. */
function randomRecipes(
  random: Random,
  count: number,
  { from, to }: TimeRange,
  functionCount = 4,
): Recipe[] {
  const seconds = Number((to - from) / 1_000_000_000n);
  return Array.from({ length: count }, (_, i) => {
    const timeNanos = from + BigInt(randomBelow(random, seconds)) * 1_000_000_000n;
    const mark = BigInt(i + 1);
    return randomRecipe(random, { rows: 6, seriesCount: 2, functionCount, timeNanos, mark });
  });
}

function query(range: TimeRange, rest: Partial<SeriesQuery> = {}): SeriesQuery {
  return { matchers: [], profileType: undefined, range, ...rest };
}

async function checkAnswers(
  { host }: World,
  recipes: readonly Recipe[],
  ranges: readonly TimeRange[] = [wholeTime],
): Promise<void> {
  for (const range of ranges) {
    const found = await sumsOfStore(host.querier, query(range));
    assert.deepEqual(found, sumsOfRecipes(recipes, range));
  }
}

function randomRanges(random: Random, count: number): TimeRange[] {
  return Array.from({ length: count }, () => {
    // Many times are at the edges of windows, where an off-by-one error would show.
    const moment = (): bigint => {
      const nanos = start + BigInt(randomBelow(random, 72)) * 3_600_000_000_000n;
      const offsets = [0n, -1n, 1n, BigInt(random.uint32()) * 1000n];
      return nanos + offsets[randomBelow(random, offsets.length)];
    };
    const [a, b] = [moment(), moment()];
    return a < b ? { from: a, to: b } : { from: b, to: a };
  });
}

function listLevels({ host }: World): number[] {
  return host.blocks().map(({ facts }) => facts.level);
}

test('answers are the same before and after, over any range, however blocks are compacted', async () => {
  for (let seed = 1; seed <= rounds(1, 2); seed += 1) {
    const random = seededRandom(seed);
    const world = await newWorld();
    const { host, clock, maintenance } = world;
    const recipes: Recipe[] = [];
    for (let window = 0n; window < 16n; window += 1n) {
      const from = start + window * windowNanos;
      for (let blocks = randomBelow(random, 3); blocks >= 0; blocks -= 1) {
        const late = blocks === 1 && randomBelow(random, 3) === 0 ? dayNanos : 0n;
        const range = { from: from - late, to: from - late + windowNanos };
        const added = randomRecipes(random, 30, range);
        recipes.push(...added);
        await host.addBlock(added);
      }
      clock.setWallMillis(Number((from + windowNanos) / 1_000_000n) + randomBelow(random, 3e6));
      if (randomBelow(random, 3) === 0) await maintenance.runPass();
      if (window === 9n) await checkAnswers(world, recipes, randomRanges(random, 4));
    }
    clock.setWallMillis(startMillis + 5 * dayMillis);
    const before = await sumsOfStore(host.querier, query(wholeTime));
    await maintenance.runPass();
    const days = new Set(recipes.map(({ timeNanos }) => timeNanos / dayNanos));
    assert.deepEqual(
      listLevels(world),
      Array.from(days, () => 2),
    );
    assert.deepEqual(await sumsOfStore(host.querier, query(wholeTime)), before);
    await checkAnswers(world, recipes, [wholeTime, ...randomRanges(random, 20)]);
    const names = await host.files.list(`${storagePath}/blocks`);
    assert.equal(names.length, days.size, 'nothing else is left on the disk');
  }
});

test('rollups are there where they save rows, and answer exactly', async () => {
  const random = seededRandom(8);
  const world = await newWorld();
  const recipes = randomRecipes(random, 3_500, { from: start, to: start + dayNanos }, 1);
  await world.host.addBlock(recipes.slice(0, 1_200));
  await world.host.addBlock(recipes.slice(1_200));
  world.clock.setWallMillis(startMillis + 2 * dayMillis);
  await world.maintenance.runPass();
  const [block] = world.host.blocks();
  const lengths = new Set<number>();
  for await (const stream of block.streams((sentence) => assert.fail(sentence))) {
    for await (const { windowSeconds } of stream.rollups()) lengths.add(windowSeconds);
  }
  assert.deepEqual(lengths, new Set([3_600, 21_600]));
  await checkAnswers(world, recipes, [wholeTime, ...randomRanges(random, rounds(10, 40))]);

  // This deletes a part of some windows, whose stored sums are then wrong.
  const range = { from: start + windowNanos - 1n, to: start + 4n * windowNanos + 7n };
  const matchers = [createMatcher('instance', '=', 'host-0')];
  await world.maintenance.delete(query(range, { matchers }));
  const left = recipes.filter(({ instance, timeNanos }) => {
    return instance !== 'host-0' || timeNanos < range.from || timeNanos > range.to;
  });
  await checkAnswers(world, left, [wholeTime, range, ...randomRanges(random, rounds(8, 20))]);
  await world.maintenance.runPass();
  assert.deepEqual(
    world.host.blocks().map(({ deletions }) => deletions),
    [[]],
  );
  await checkAnswers(world, left, [wholeTime, range, ...randomRanges(random, rounds(8, 20))]);
});

test('a crash at any call leaves all profiles, each once', async () => {
  const random = seededRandom(5);
  const first = randomRecipes(random, 20, { from: start, to: start + windowNanos });
  const second = randomRecipes(random, 20, { from: start, to: start + windowNanos });
  const prepare = async (seed: number): Promise<World> => {
    const files = new MemoryFiles(seededRandom(seed));
    const world = await openWorld(files, createFakeClock(startMillis));
    await world.host.addBlock(first);
    await world.host.addBlock(second);
    world.clock.setWallMillis(startMillis + 2 * dayMillis);
    return world;
  };
  let isDone = false;
  for (let calls = 0; !isDone; calls += 1) {
    for (let seed = 1; seed <= rounds(1, 2); seed += 1) {
      const { files, clock, maintenance } = await prepare(seed);
      files.cutPowerAfter(calls);
      const end = await Promise.race([
        maintenance.runPass().then(() => 'done'),
        files.untilPowerIsOff(),
      ]);
      isDone = end === 'done';
      if (seed % 2 === 0) files.kill();
      else files.powerLoss();
      const again = await openWorld(files, clock);
      await checkAnswers(again, [...first, ...second]);
      await again.maintenance.runPass();
      assert.deepEqual(listLevels(again), [2]);
      assert.deepEqual(await files.list(`${storagePath}/trash`), []);
      await checkAnswers(again, [...first, ...second]);
    }
  }
});

test('every call that fails once is survived, and the work is done in the end', async () => {
  const random = seededRandom(6);
  const recipes = [0, 1].map(() => {
    return randomRecipes(random, 10, { from: start, to: start + windowNanos });
  });
  const calls = ['open', 'append', 'sync', 'rename', 'remove', 'sync-directory', 'read'] as const;
  for (const call of calls) {
    for (let skip = 0; skip < 9; skip += rounds(2, 1)) {
      const world = await newWorld();
      for (const some of recipes) await world.host.addBlock(some);
      world.clock.setWallMillis(startMillis + 2 * dayMillis);
      world.files.addFault({ call, skip, times: 1, errno: skip % 2 === 0 ? 'EIO' : 'ENOSPC' });
      await world.maintenance.runPass();
      world.files.clearFaults();
      await checkAnswers(world, recipes.flat());
      await world.clock.advance(120_000);
      await world.maintenance.runPass();
      await checkAnswers(world, recipes.flat());
      assert.deepEqual(listLevels(world), [2], `${call} ${skip}`);
      const again = await openWorld(world.files, world.clock);
      assert.deepEqual(listLevels(again), [2], `${call} ${skip}: nothing is left`);
      await checkAnswers(again, recipes.flat());
    }
  }
});

test('a damaged block holds nothing else up', async () => {
  const random = seededRandom(7);
  const world = await newWorld();
  const { host, files, clock, maintenance } = world;
  const days = [0n, 1n].map((day) => ({
    from: start + day * dayNanos,
    to: start + (day + 1n) * dayNanos,
  }));
  const bad = await host.addBlock(randomRecipes(random, 30, days[0]));
  const recipes: Recipe[] = [];
  for (const day of [days[0], days[0], days[1], days[1]]) {
    const some = randomRecipes(random, 30, day);
    recipes.push(...some);
    await host.addBlock(some);
  }
  files.flipBit(`${storagePath}/blocks/${bad.id}.block`, 100, 3);
  clock.setWallMillis(startMillis + 4 * dayMillis);
  await maintenance.runPass();
  assert.deepEqual(new Set(listLevels(world)), new Set([0, 2]));
  assert.equal(host.blocks().length, 3);
  host.replaceBlocks([bad], []);
  await checkAnswers(world, recipes);
});

test('deletes are seen at once, after a restart, and after the compaction', async () => {
  const random = seededRandom(9);
  const world = await newWorld();
  const { host, files, clock, maintenance } = world;
  const recipes = randomRecipes(random, 200, { from: start, to: start + 2n * windowNanos });
  await host.addBlock(recipes.slice(0, 100));
  await host.addBlock(recipes.slice(100));
  const range = { from: start + windowNanos, to: start + windowNanos + windowNanos / 2n };
  const matchers = [createMatcher('instance', '=', 'host-1')];
  const deleted = await maintenance.delete(query(range, { matchers }));
  assert.equal(deleted.blockCount, 2);
  const left = recipes.filter(({ instance, timeNanos }) => {
    return instance !== 'host-1' || timeNanos < range.from || timeNanos > range.to;
  });
  await checkAnswers(world, left, [wholeTime, ...randomRanges(random, 10)]);
  const restarted = await openWorld(files, clock);
  await checkAnswers(restarted, left, [wholeTime, range]);
  await restarted.maintenance.runPass();
  assert.deepEqual(listLevels(restarted), [1, 1]);
  await checkAnswers(restarted, left, [wholeTime, ...randomRanges(random, 10)]);
  const names = await files.list(`${storagePath}/blocks`);
  assert.ok(
    names.every((name) => name.endsWith('.block')),
    'side files are gone',
  );
  const again = await restarted.maintenance.delete(query(range, { matchers }));
  assert.deepEqual(again, { blockCount: 0, seriesCount: 0 });
});

test('deletions without a block are removed', async () => {
  const world = await newWorld();
  const path = `${storagePath}/blocks/gone.block`;
  await writeDeletions(world.files, path, []);
  await world.maintenance.runPass();
  assert.deepEqual(await world.files.list(`${storagePath}/blocks`), []);
});

test('a block whose profiles are all deleted is removed', async () => {
  const world = await newWorld();
  const recipes = randomRecipes(seededRandom(2), 50, { from: start, to: start + windowNanos });
  await world.host.addBlock(recipes);
  const matchers = [createMatcher('instance', '=~', 'host-.*')];
  await world.maintenance.delete(query(wholeTime, { matchers }));
  await checkAnswers(world, []);
  await world.maintenance.runPass();
  assert.deepEqual(await world.files.list(`${storagePath}/blocks`), []);
  await checkAnswers(await openWorld(world.files, world.clock), []);
});

test('a delete that names less than whole uploads is refused, and deletes nothing', async () => {
  const world = await newWorld();
  const recipes = randomRecipes(seededRandom(2), 80, { from: start, to: start + windowNanos });
  await world.host.addBlock(recipes);
  const refused = async (rest: Partial<SeriesQuery>, message: RegExp): Promise<void> =>
    assert.rejects(world.maintenance.delete(query(wholeTime, rest)), { message });
  const profileType = parseProfileType('memory:inuse_space:bytes:space:bytes');
  await refused({ profileType }, /stored together with memory:alloc_objects/);
  for (const operator of ['=', '!='] as const) {
    await refused({ matchers: [createMatcher('thread', operator, 'a')] }, /label of samples/);
  }
  await checkAnswers(world, recipes);
});

test('a delete ends the compaction that is under way, which would bring back what is deleted', async () => {
  let begun: () => void = () => undefined;
  const untilBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const slow: Compactor = {
    compact: (_request, signal) =>
      new Promise((_resolve, reject) => {
        begun();
        signal.addEventListener('abort', () => reject(new AppError('cancelled', 'cancelled')));
      }),
  };
  const world = await newWorld(startMillis, () => ({ compactor: slow }));
  const recipes = randomRecipes(seededRandom(2), 50, { from: start, to: start + windowNanos });
  await world.host.addBlock(recipes);
  world.clock.setWallMillis(startMillis + 2 * dayMillis);
  const pass = world.maintenance.runPass();
  await untilBegun;
  const matchers = [createMatcher('instance', '!=', '')];
  await world.maintenance.delete(query(wholeTime, { matchers }));
  await pass;
  await checkAnswers(world, []);
  await world.maintenance.close();
  await world.maintenance.close();
  await assert.rejects(world.maintenance.delete(query(wholeTime)), { code: 'unavailable' });
});

async function sizedWorld(
  limits: MaintenanceOptions['retention'],
  onWarning: (message: string, fields: unknown) => void = () => undefined,
): Promise<World> {
  const world = await newWorld(startMillis + 10 * dayMillis, () => ({ retention: limits }));
  world.host.logger = { ...silentLogger, warn: onWarning };
  for (let day = 0n; day < 10n; day += 1n) {
    const from = start + day * dayNanos;
    await world.host.addBlock(randomRecipes(seededRandom(4), 20, { from, to: from + windowNanos }));
  }
  return world;
}

test('retention by time waits for a trusted clock, and takes a fifth a pass', async () => {
  const world = await sizedWorld({ timeNanos: 5n * dayNanos, sizeBytes: 0 });
  const { clock, maintenance, host } = world;
  const counts: number[] = [];
  for (let minute = 0; minute <= 13; minute += 1) {
    await maintenance.runPass();
    counts.push(host.blocks().length);
    await clock.advance(60_000);
  }
  assert.deepEqual(counts, [...Array.from({ length: 10 }, () => 10), 8, 7, 6, 5]);
  assert.ok(host.blocks().every(({ range }) => (range?.from ?? 0n) >= start + 5n * dayNanos));
  assert.deepEqual(await world.files.list(`${storagePath}/trash`), []);
  clock.setWallMillis(clock.nowMillis() + 400 * dayMillis);
  await maintenance.runPass();
  clock.setWallMillis(clock.nowMillis() - 400 * dayMillis);
  await maintenance.runPass();
  assert.equal(host.blocks().length, 5, 'a clock that jumps deletes nothing');
});

test('a start says what retention is going to remove, and removes it a minute later', async () => {
  const logged: { message: string; fields: unknown }[] = [];
  const limits = { timeNanos: 7n * dayNanos, sizeBytes: 1 };
  const { clock, maintenance, host } = await sizedWorld(limits, (message, fields) =>
    logged.push({ message, fields }),
  );
  const bytes = host.blocks().reduce((sum, { fileBytes }) => sum + fileBytes, 0);
  await maintenance.giveNotice();
  const { from } = host.blocks()[0].range ?? assert.fail();
  const { to } = host.blocks()[9].range ?? assert.fail();
  const iso = (nanos: bigint): string => new Date(Number(nanos / 1_000_000n)).toISOString();
  const starts = host.blocks().map(({ range }) => iso(range?.from ?? assert.fail()));
  const retired: unknown[] = [];
  const info = (message: string, fields?: Readonly<Record<string, unknown>>): void => {
    if (message === 'retired block') retired.push(fields?.['from']);
  };
  host.logger = { ...host.logger, info };
  assert.deepEqual(logged, [
    {
      message: 'retention is going to remove blocks: stop the server to keep them',
      fields: {
        inSeconds: 60,
        blocks: 10,
        ofBlocks: 10,
        bytes,
        from: iso(from),
        to: iso(to),
        byTime: 3,
        bySize: 7,
      },
    },
  ]);
  await clock.advance(59_999);
  await maintenance.runPass();
  assert.equal(host.blocks().length, 10);
  await clock.advance(1);
  await maintenance.runPass();
  assert.equal(host.blocks().length, 0);
  assert.deepEqual(new Set(retired), new Set(starts));
});

test('a limit of time alone waits for the clock to be trusted, and the warning says so', async () => {
  const waits: unknown[] = [];
  const limits = { timeNanos: 7n * dayNanos, sizeBytes: 0 };
  const { clock, maintenance, host } = await sizedWorld(limits, (_, fields) => {
    const { inSeconds, byTime, bySize } = fields as Record<string, unknown>;
    waits.push([inSeconds, byTime, bySize]);
  });
  await maintenance.giveNotice();
  assert.deepEqual(waits, [[600, 3, 0]]);
  await clock.advance(599_999);
  await maintenance.runPass();
  assert.equal(host.blocks().length, 10);
  await clock.advance(1);
  await maintenance.runPass();
  assert.ok(host.blocks().length < 10, 'true to the second');
});

test('a start says nothing where nothing is to go', async () => {
  const logged: string[] = [];
  for (const limits of [
    { timeNanos: 0n, sizeBytes: 0 },
    { timeNanos: 30n * dayNanos, sizeBytes: 2 ** 30 },
  ]) {
    const { maintenance } = await sizedWorld(limits, (message) => logged.push(message));
    await maintenance.giveNotice();
  }
  assert.deepEqual(logged, []);
});

test('retention by size is exact to a block, and counts the log', async () => {
  const world = await sizedWorld({ timeNanos: 0n, sizeBytes: 0 });
  const total = world.host.blocks().reduce((sum, { fileBytes }) => sum + fileBytes, 0);
  const log = await world.files.open(`${storagePath}/wal/00000001.wal`, { create: true });
  await log.append(new Uint8Array(1000));
  const oldest = world.host.blocks()[0].fileBytes;
  const check = async (sizeBytes: number, want: number): Promise<void> => {
    const again = await openWorld(world.files, world.clock, {
      retention: { timeNanos: 0n, sizeBytes },
      compactor: { compact: async () => assert.fail('is not to be done here') },
    });
    await again.maintenance.runPass();
    assert.equal(again.host.blocks().length, want);
  };
  await check(total + 1000, 10);
  await check(total + 999, 9);
  await check(total + 1000 - oldest, 9);
  await check(2000, 0);
});

test('retention goes on while a delete waits for the head to be cut', async () => {
  const world = await sizedWorld({ timeNanos: 0n, sizeBytes: 1 });
  let cut: () => void = () => undefined;
  world.host.rotate = () =>
    new Promise((resolve) => {
      cut = resolve;
    });
  const deleting = world.maintenance.delete(query(wholeTime));
  await world.maintenance.runPass();
  assert.deepEqual(world.host.blocks(), []);
  cut();
  assert.deepEqual(await deleting, { blockCount: 0, seriesCount: 0 });
});
