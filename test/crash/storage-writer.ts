// Process that opens a store, reports its profiles, and writes random profiles until it is killed.
//
// Use: node storage-writer.ts <storage path> <report file> <seed>
// It also compacts and deletes. Each line of the report is JSON: ["found", texts],
// ["sent", texts], ["acknowledged", first text], ["compacted", ""], ["deleting", instance],
// ["deleted", instance].
import fs from 'node:fs';
import { flushCompileCache } from 'node:module';
import { sleep, type Clock } from '../../src/base/clock.ts';
import { errorCode } from '../../src/base/errors.ts';
import { silentLogger, type Logger } from '../../src/base/logger.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { createFiles } from '../../src/base/node/files.ts';
import { createRandom } from '../../src/base/node/random.ts';
import { randomBelow, seededRandom } from '../../src/base/random.ts';
import { createMatcher } from '../../src/model/matcher.ts';
import { everything, readTexts } from '../../src/storage/fake/read-texts.ts';
import { internRecipe, randomRecipe, type Recipe } from '../../src/storage/fake/recipes.ts';
import { StoreUnderTest } from '../../src/storage/fake/store-under-test.ts';

const writers = 4;
const seriesCount = 20;
const dayMillis = 86_400_000;
/** Time of the store's clock at the start of the process: the window of its profiles is over. */
const startMillis = 3 * 3_600_000;
/**
 * Longest pause between writes. Pauses limit the number of writes, so that a start reads all of
 * them fast.
 */
const writePauseMillisMax = 20;
const passPauseMillis = 5;

const [path, reportPath, seedText] = process.argv.slice(2);
const seed = Number(seedText);
const random = seededRandom(seed);
const report = fs.openSync(reportPath, 'a');
// Keeps the process alive, because the clock's timers do not.
setInterval(() => undefined, dayMillis);
/**
 * Start of the seed's day: each seed has its own day, so that profiles of different seeds are days
 * apart.
 */
const day = Date.UTC(2026, 0, 1) + seed * dayMillis;
const clock = shiftedClock(day + startMillis);
const logger: Logger = {
  ...silentLogger,
  error: (message) => void process.stderr.write(`${message}\n`),
  info: (message) => {
    if (message === 'compacted blocks') tell('compacted', '');
  },
};
const storage = await StoreUnderTest.open({
  path,
  files: createFiles(),
  clock,
  random: createRandom(),
  logger,
  retention: { timeNanos: 0n, sizeBytes: 0 },
  walSegmentBytesMax: 64 * 1024,
  // Heads are cut while the process writes.
  headBytesMax: 165_000,
});

/** Returns the machine's clock, shifted so that it is `millis` now. */
function shiftedClock(millis: number): Clock {
  const real = createClock();
  const ahead = millis - real.nowMillis();
  return {
    ...real,
    nowMillis: () => real.nowMillis() + ahead,
    nowNanos: () => real.nowNanos() + BigInt(Math.round(ahead)) * 1_000_000n,
  };
}

/** Reports synchronously, so that the parent reads the line even if this process is killed next. */
function tell(kind: string, what: unknown): void {
  fs.writeSync(report, `${JSON.stringify([kind, what])}\n`);
}

tell('found', await readTexts(storage));
// The cache is saved now, because this process will be killed.
flushCompileCache();
let time = BigInt(day) * 1_000_000n;

async function write(): Promise<never> {
  for (;;) {
    const recipes: Recipe[] = [];
    for (let left = randomBelow(random, 4); left >= 0; left -= 1) {
      time += 1_000_003n;
      const shape = { rows: 20, seriesCount, functionCount: 200 };
      recipes.push(randomRecipe(random, { ...shape, timeNanos: time, mark: undefined }));
    }
    for (const { texts } of recipes) tell('sent', texts);
    await commit(recipes);
    for (const { texts } of recipes) tell('acknowledged', texts[0]);
    await sleep(clock, randomBelow(random, writePauseMillisMax));
  }
}

/** Commits profiles; repeats the commit if the head is cut meanwhile. */
async function commit(recipes: readonly Recipe[]): Promise<void> {
  for (;;) {
    const appender = storage.appender();
    for (const recipe of recipes) appender.append(internRecipe(appender.dictionary, recipe));
    try {
      await appender.commit();
      return;
    } catch (error) {
      if (errorCode(error) !== 'aborted') throw error;
    }
  }
}

/** Compacts, retires and deletes without pauses. */
async function maintain(): Promise<never> {
  for (;;) {
    if (randomBelow(random, 2) === 0) await storage.rotate();
    else await deleteOne(`host-${randomBelow(random, seriesCount)}`);
    await storage.maintain();
    await sleep(clock, passPauseMillis);
  }
}

async function deleteOne(instance: string): Promise<void> {
  tell('deleting', instance);
  await storage.delete({ ...everything, matchers: [createMatcher('instance', '=', instance)] });
  tell('deleted', instance);
}

await Promise.all([maintain(), ...Array.from({ length: writers }, write)]);
