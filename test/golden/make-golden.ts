// Writes a data directory of this version, and the answers that every later version must give from
// it.
//
// Use: node test/golden/make-golden.ts <folder>. See README.md.
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { createFakeClock } from '../../src/base/fake/clock.ts';
import { MemoryFiles } from '../../src/base/fake/memory-files.ts';
import { seededRandom } from '../../src/base/random.ts';
import { createMatcher } from '../../src/model/matcher.ts';
import { internRecipe, randomRecipe, type Recipe } from '../../src/storage/fake/recipes.ts';
import { StoreUnderTest } from '../../src/storage/fake/store-under-test.ts';
import type { TimeRange } from '../../src/storage/interface.ts';
import { encodeAnswers, type GoldenAnswer } from './golden-answers.ts';

const [folder] = process.argv.slice(2);
const path = '/disk/data';
const hourMillis = 3_600_000;
const startMillis = Date.UTC(2026, 0, 1);
const random = seededRandom(2026);
const files = new MemoryFiles(random);
const clock = createFakeClock(startMillis);
const storage = await StoreUnderTest.open({
  path,
  files,
  clock,
  random,
  retention: { timeNanos: 0n, sizeBytes: 0 },
  headBytesMax: Infinity,
  walSegmentBytesMax: 4_000,
});
let recipes: Recipe[] = [];

// Writes a day that becomes one block with rollups; some of its profiles arrive a day late.
for (let hour = 0; hour < 20; hour += 1) await write(hour, 6);
await maintainAt(26);
await write(3.5, 4);
await maintainAt(26);
// Writes a window of the next day that becomes one block, and then blocks of level 0.
for (const hour of [26, 26.5, 27]) {
  await write(hour, 8);
  await storage.rotate();
}
await maintainAt(29);
for (const hour of [29, 31]) await write(hour, 8);
await storage.rotate();
// Deletes profiles in a block of each level; the profiles stay in the block's file.
await deleteProfiles('host-1', { from: hourNanos(10), to: hourNanos(30) });
await deleteProfiles('host-2', { from: hourNanos(18), to: hourNanos(26.1) });
// Writes profiles that are only in the log, in several segments.
for (let i = 0; i < 8; i += 1) await write(32 + i / 100, 3);
files.kill();

for (const name of files.paths()) {
  const to = join(folder, 'data', name.slice(path.length));
  fs.mkdirSync(dirname(to), { recursive: true });
  fs.writeFileSync(to, files.peek(name) ?? '');
}
fs.writeFileSync(join(folder, 'answers.jsonl'), encodeAnswers(answers()));

async function write(hour: number, count: number): Promise<void> {
  const appender = storage.appender();
  for (let i = 0; i < count; i += 1) {
    const shape = { rows: 6, seriesCount: 4, functionCount: 40, mark: undefined };
    const timeNanos = hourNanos(hour) + BigInt(i);
    const recipe = randomRecipe(random, { ...shape, timeNanos });
    appender.append(internRecipe(appender.dictionary, recipe));
    recipes.push(recipe);
  }
  await appender.commit();
}

async function maintainAt(hour: number): Promise<void> {
  await storage.rotate();
  clock.setWallMillis(startMillis + hour * hourMillis);
  await storage.maintain();
}

async function deleteProfiles(instance: string, range: TimeRange): Promise<void> {
  const matchers = [createMatcher('instance', '=', instance)];
  await storage.delete({ matchers, profileType: undefined, range });
  recipes = recipes.filter((one) => one.instance !== instance || !isIn(range, one.timeNanos));
}

function hourNanos(hour: number): bigint {
  return BigInt(startMillis + hour * hourMillis) * 1_000_000n;
}

function isIn({ from, to }: TimeRange, timeNanos: bigint): boolean {
  return from <= timeNanos && timeNanos <= to;
}

/** Returns the correct answers, derived from the written profiles instead of from the store. */
function answers(): GoldenAnswer[] {
  const all = { from: hourNanos(0), to: hourNanos(100) };
  return [
    expectAnswer(undefined, all),
    expectAnswer(undefined, { from: hourNanos(1.5), to: hourNanos(17.2) }),
    expectAnswer(undefined, { from: hourNanos(26.2), to: hourNanos(32.03) }),
    expectAnswer('host-1', all),
    expectAnswer('host-3', { from: hourNanos(5), to: hourNanos(31.5) }),
  ];
}

function expectAnswer(instance: string | undefined, range: TimeRange): GoldenAnswer {
  const selected = recipes.filter(
    (one) => isIn(range, one.timeNanos) && (instance === undefined || one.instance === instance),
  );
  const instances = new Set(selected.map((one) => one.instance));
  const texts = selected.flatMap((one) => one.texts);
  return { instance, range, instances: [...instances].sort(), texts: texts.sort() };
}
