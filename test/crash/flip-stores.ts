// Small stores for flip-target.ts: some are all log, and some are all blocks.
import { createFakeClock } from '../../src/base/fake/clock.ts';
import { MemoryFiles } from '../../src/base/fake/memory-files.ts';
import { silentLogger, type Logger } from '../../src/base/logger.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { seededRandom, type Random } from '../../src/base/random.ts';
import { createMatcher } from '../../src/model/matcher.ts';
import {
  blockIdOf,
  blockName,
  blocksPathOf,
  deletedName,
} from '../../src/storage/files/block-names.ts';
import { openStore } from '../../src/storage/store/open-store.ts';
import { internRecipe, randomRecipe } from '../../src/storage/fake/recipes.ts';
import { StoreUnderTest } from '../../src/storage/fake/store-under-test.ts';
import type { SeriesQuery, Storage } from '../../src/storage/interface.ts';

export const path = '/disk/data';
const hourMillis = 3_600_000;
const startMillis = Date.UTC(2026, 0, 1);
const walSegmentBytesMax = 700;
/** Where the question begins whose sums are checked. */
const sumsFromMillis = startMillis + 1.1 * hourMillis;

/** Of how many stores of blocks one keeps them together. */
const togetherOneIn = 8;

/**
 * Stores of a kilobyte or some; every other seed gives one of a log. Reading a store takes as long
 * as it is large, and a flip is in one block alone: so blocks that were made together become a
 * store each (0.3 times the time a bit), but for every eighth time, which shows what damage of one
 * does to answers of the others.
 */
export async function makeFlipStores(seed: number): Promise<MemoryFiles[]> {
  if (seed % 2 === 1) return [await makeLogStore(seed)];
  const files = await makeBlockStore(seed);
  return (seed / 2) % togetherOneIn === 0 ? [files] : separateBlocks(files);
}

/** For each block a store that has it, with what is deleted of it, and no other. */
async function separateBlocks(files: MemoryFiles): Promise<MemoryFiles[]> {
  const blocks = await files.list(blocksPathOf(path));
  const ids = blocks.map((name) => blockIdOf(name)).filter((id) => id !== undefined);
  const removeOthers = async (id: string): Promise<MemoryFiles> => {
    const copy = files.copy(seededRandom(1));
    const others = blocks.filter((name) => name !== blockName(id) && name !== deletedName(id));
    for (const name of others) await copy.remove(`${blocksPathOf(path)}/${name}`);
    return copy;
  };
  return Promise.all(ids.map(removeOthers));
}

/** A store that ended by a kill: its log has several segments. */
async function makeLogStore(seed: number): Promise<MemoryFiles> {
  const random = seededRandom(seed);
  const files = new MemoryFiles(random);
  const storage = await openFlipped(files, seed, silentLogger);
  for (let commit = 0; commit < 5; commit += 1) {
    // The question whose sums are checked begins among these.
    await write(storage, random, sumsFromMillis + (commit - 2) * 10_000, 2);
  }
  files.kill();
  return files;
}

/**
 * A store whose log is empty: a block of a day with sums over windows, and blocks of the next day
 * as they were cut. Some profiles of all blocks are deleted, and the blocks still have them.
 */
async function makeBlockStore(seed: number): Promise<MemoryFiles> {
  const random = seededRandom(seed);
  const files = new MemoryFiles(random);
  const clock = createFakeClock(startMillis);
  const storage = await StoreUnderTest.open({
    path,
    files,
    clock,
    random,
    retention: { timeNanos: 0n, sizeBytes: 0 },
    headBytesMax: Infinity,
    walSegmentBytesMax,
  });
  for (const hour of [1, 1.2, 1.5, 1.7, 2, 2.5, 3, 3.2, 9, 9.5]) {
    await write(storage, random, startMillis + hour * hourMillis, 3);
  }
  await storage.rotate();
  clock.setWallMillis(startMillis + 26 * hourMillis);
  await storage.maintain();
  for (const hour of [24, 25]) await write(storage, random, startMillis + hour * hourMillis, 3);
  await storage.rotate();
  await storage.delete(deletedOnes);
  await storage.close();
  return files;
}

/** What the blocks have and answers leave out. */
const deletedOnes: SeriesQuery = {
  matchers: [createMatcher('instance', '=', 'host-1')],
  profileType: undefined,
  range: {
    from: nanosOf(startMillis + 2 * hourMillis),
    to: nanosOf(startMillis + 72 * hourMillis),
  },
};

/** A query whose answer says all; where sums are checked, totals and rollups are read as well. */
export interface Question extends SeriesQuery {
  readonly areSumsChecked: boolean;
}

/** All, what cuts through chunks and windows, and what goes by labels of samples. */
export const questions: readonly Question[] = [
  {
    matchers: [],
    profileType: undefined,
    areSumsChecked: false,
    range: { from: -(2n ** 63n), to: 2n ** 63n - 1n },
  },
  {
    matchers: [createMatcher('instance', '!=', 'host-0')],
    profileType: undefined,
    areSumsChecked: true,
    range: {
      from: nanosOf(sumsFromMillis),
      to: nanosOf(startMillis + 24.5 * hourMillis),
    },
  },
  {
    matchers: [createMatcher('thread', '=', 'a')],
    profileType: undefined,
    areSumsChecked: false,
    range: { from: 0n, to: nanosOf(startMillis + 72 * hourMillis) },
  },
];

/** Opens a store of these files as the server does; passes of maintenance are left out. */
export function openFlipped(files: MemoryFiles, seed: number, logger: Logger): Promise<Storage> {
  return openStore({
    path,
    files,
    clock: createFakeClock(startMillis),
    random: seededRandom(seed),
    logger,
    metrics: noMetrics,
    limits: { rowSegmentBytes: 16_384, walSegmentBytesMax, diskReserveBytes: 0 },
  });
}

/** Commits profiles of a time. */
async function write(
  storage: Storage,
  random: Random,
  millis: number,
  profileCount: number,
): Promise<void> {
  const appender = storage.appender();
  for (let i = 0; i < profileCount; i += 1) {
    const shape = { rows: 4, seriesCount: 2, functionCount: 30, mark: undefined };
    const recipe = randomRecipe(random, { ...shape, timeNanos: nanosOf(millis + i) });
    appender.append(internRecipe(appender.dictionary, recipe));
  }
  await appender.commit();
}

function nanosOf(millis: number): bigint {
  return BigInt(millis) * 1_000_000n;
}
