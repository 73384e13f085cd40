// Creates a store on a simulated disk. Each write stores one profile, and the profiles are hours
// apart.
import { createFakeClock } from '../../base/fake/clock.ts';
import { MemoryFiles } from '../../base/fake/memory-files.ts';
import { seededRandom, type Random } from '../../base/random.ts';
import { internRecipe, randomRecipe } from '../fake/recipes.ts';
import { StoreUnderTest } from '../fake/store-under-test.ts';

/** Path of the store. */
export const storePath = '/disk/data';
const millis = Date.UTC(2026, 0, 1);

/** Returns a disk with an empty directory at `storePath`. */
export async function emptyDisk(seed: number): Promise<MemoryFiles> {
  const files = new MemoryFiles(seededRandom(seed));
  await files.makeDirectory('/disk');
  await files.syncDirectory('/');
  return files;
}

/** Opens the store as if by another process. */
export function openStore(files: MemoryFiles, random: Random): Promise<StoreUnderTest> {
  return StoreUnderTest.open({
    path: storePath,
    files: files.forProcess(),
    clock: createFakeClock(millis),
    random,
    retention: { timeNanos: 0n, sizeBytes: 0 },
    headBytesMax: 1 << 24,
    walSegmentBytesMax: 10_000,
  });
}

/** Commits a profile whose time is `hours` after midnight. */
export async function writeProfile(
  store: StoreUnderTest,
  random: Random,
  hours: number,
): Promise<void> {
  const appender = store.appender();
  const timeNanos = BigInt(millis + hours * 3_600_000) * 1_000_000n;
  const shape = { rows: 3, seriesCount: 3, functionCount: 9 };
  const recipe = randomRecipe(random, { ...shape, timeNanos, mark: undefined });
  appender.append(internRecipe(appender.dictionary, recipe));
  await appender.commit();
}
