// Makes small stores for flip-target.ts. Some have only a log, and some only blocks.
import { createFakeClock } from '../../src/base/fake/clock.ts';
import { MemoryFiles } from '../../src/base/fake/memory-files.ts';
import { silentLogger, type Logger } from '../../src/base/logger.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { seededRandom, type Random } from '../../src/base/random.ts';
import { createMatcher } from '../../src/model/matcher.ts';
import {
  parseBlockId,
  blockName,
  joinBlocksPath,
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
/** Start of the range of the query whose sums are checked. */
const sumsFromMillis = startMillis + 1.1 * hourMillis;

/** Number of stores of which one keeps its blocks together. */
const togetherOneIn = 8;

/**
 * Makes stores of a few kilobytes. Every other seed makes a store with a log. The other seeds make
 * a store for each block, because a flip changes only one block, and reading a small store takes
 * 30 % of the time. Every eighth time the blocks stay together, to show how damage in one block
 * affects the answers from the others.
 */
export async function makeFlipStores(seed: number): Promise<MemoryFiles[]> {
  if (seed % 2 === 1) return [await makeLogStore(seed)];
  const files = await makeBlockStore(seed);
  return (seed / 2) % togetherOneIn === 0 ? [files] : separateBlocks(files);
}

/** Makes a store for each block, with its deletions. */
async function separateBlocks(files: MemoryFiles): Promise<MemoryFiles[]> {
  const blocks = await files.list(joinBlocksPath(path));
  const ids = blocks.map((name) => parseBlockId(name)).filter((id) => id !== undefined);
  const removeOthers = async (id: string): Promise<MemoryFiles> => {
    const copy = files.copy(seededRandom(1));
    const others = blocks.filter((name) => name !== blockName(id) && name !== deletedName(id));
    for (const name of others) await copy.remove(`${joinBlocksPath(path)}/${name}`);
    return copy;
  };
  return Promise.all(ids.map(removeOthers));
}

/** Makes a store that was killed and whose log has several segments. */
async function makeLogStore(seed: number): Promise<MemoryFiles> {
  const random = seededRandom(seed);
  const files = new MemoryFiles(random);
  const storage = await openFlipped(files, seed, silentLogger);
  for (let commit = 0; commit < 5; commit += 1) {
    // The range of the query whose sums are checked starts among these profiles.
    await write(storage, random, sumsFromMillis + (commit - 2) * 10_000, 2);
  }
  files.kill();
  return files;
}

/**
 * Makes a store with an empty log: a block of a day with rollups, and blocks of the next day at
 * level 0. Each block contains some deleted profiles.
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

/** Deleted profiles that are still in the blocks. */
const deletedOnes: SeriesQuery = {
  matchers: [createMatcher('instance', '=', 'host-1')],
  profileType: undefined,
  range: {
    from: toNanos(startMillis + 2 * hourMillis),
    to: toNanos(startMillis + 72 * hourMillis),
  },
};

/** A query whose sums may be checked, too; that check also reads totals and rollups. */
interface Question extends SeriesQuery {
  readonly areSumsChecked: boolean;
}

/** Queries for everything, for parts of chunks and windows, and for sample labels. */
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
      from: toNanos(sumsFromMillis),
      to: toNanos(startMillis + 24.5 * hourMillis),
    },
  },
  {
    matchers: [createMatcher('thread', '=', 'a')],
    profileType: undefined,
    areSumsChecked: false,
    range: { from: 0n, to: toNanos(startMillis + 72 * hourMillis) },
  },
];

/** Opens a store of these files as the server does, but without maintenance. */
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

/** Commits profiles with the same time. */
async function write(
  storage: Storage,
  random: Random,
  millis: number,
  profileCount: number,
): Promise<void> {
  const appender = storage.appender();
  for (let i = 0; i < profileCount; i += 1) {
    const shape = { rows: 4, seriesCount: 2, functionCount: 30, mark: undefined };
    const recipe = randomRecipe(random, { ...shape, timeNanos: toNanos(millis + i) });
    appender.append(internRecipe(appender.dictionary, recipe));
  }
  await appender.commit();
}

function toNanos(millis: number): bigint {
  return BigInt(millis) * 1_000_000n;
}
