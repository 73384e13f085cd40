// A process that opens a store, tells what it finds, and writes random profiles until it is killed.
//
// Use: node storage-writer.ts <storage path> <report file> <seed>
// The report is lines of JSON: ["found", texts], ["sent", texts], ["acknowledged", first text].
import fs from 'node:fs';
import { createLogger } from '../../src/base/logger.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { createFiles } from '../../src/base/node/files.ts';
import { createRandom } from '../../src/base/node/random.ts';
import { randomBelow, seededRandom } from '../../src/base/random.ts';
import { openEngine } from '../../src/storage/engine.ts';
import { readTexts } from '../../src/storage/fake/read-texts.ts';
import { internRecipe, randomRecipe, type Recipe } from '../../src/storage/fake/recipes.ts';

const writers = 4;
const [path, reportPath, seedText] = process.argv.slice(2);
const seed = Number(seedText);
const random = seededRandom(seed);
const report = fs.openSync(reportPath, 'a');
const storage = await openEngine({
  path,
  files: createFiles(),
  clock: createClock(),
  random: createRandom(),
  logger: createLogger({
    level: 'error',
    format: 'logfmt',
    nowMillis: () => Date.now(),
    write: (line) => process.stderr.write(`${line}\n`),
  }),
  metrics: noMetrics,
  limits: {
    walSegmentBytesMax: 64 * 1024,
    rowSegmentBytes: 64 * 1024,
    // Heads are cut while it writes. The disks of these tests are small.
    headBytesMax: 165_000,
    freeDiskBytesMin: 0,
    freeDiskShareMin: 0,
    diskReserveBytes: 64 * 1024,
  },
});

/** Synchronous: once told, the parent knows of it whatever happens next. */
function tell(kind: string, what: unknown): void {
  fs.writeSync(report, `${JSON.stringify([kind, what])}\n`);
}

tell('found', await readTexts(storage));
/** Profiles of different seeds are days apart. */
let time = BigInt(Date.UTC(2026, 0, 1)) * 1_000_000n + BigInt(seed) * 86_400_000_000_000n;

async function write(): Promise<never> {
  for (;;) {
    const recipes: Recipe[] = [];
    for (let left = randomBelow(random, 4); left >= 0; left -= 1) {
      time += 1_000_003n;
      const shape = { rows: 20, seriesCount: 20, functionCount: 200 };
      recipes.push(randomRecipe(random, { ...shape, timeNanos: time, mark: undefined }));
    }
    for (const { texts } of recipes) tell('sent', texts);
    await commit(recipes);
    for (const { texts } of recipes) tell('acknowledged', texts[0]);
  }
}

/** A head that is cut meanwhile wants them anew. */
async function commit(recipes: readonly Recipe[]): Promise<void> {
  for (;;) {
    const appender = storage.appender();
    for (const recipe of recipes) appender.append(internRecipe(appender.dictionary, recipe));
    try {
      await appender.commit();
      return;
    } catch (error) {
      if (!String(error).includes('append them anew')) throw error;
    }
  }
}

await Promise.all(Array.from({ length: writers }, write));
