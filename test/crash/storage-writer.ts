// A process that writes random profiles to a store until it is killed, and tells of each one that
// was acknowledged: one JSON line [id, content]. Arguments: storage path, seed, writers.
import fs from 'node:fs';
import { createLogger } from '../../src/base/logger.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { createFiles } from '../../src/base/node/files.ts';
import { createRandom } from '../../src/base/node/random.ts';
import { randomBelow, seededRandom } from '../../src/base/random.ts';
import { openEngine } from '../../src/storage/engine.ts';
import { randomProfile } from '../../src/storage/fake/workload.ts';

const [path, seedText, writersText] = process.argv.slice(2);
const seed = Number(seedText);
const random = seededRandom(seed);
const storage = await openEngine({
  path,
  files: createFiles(),
  clock: createClock(),
  random: createRandom(),
  logger: createLogger({
    level: 'warn',
    format: 'logfmt',
    nowMillis: () => Date.now(),
    write: (line) => process.stderr.write(`${line}\n`),
  }),
  metrics: noMetrics,
  limits: { walSegmentBytesMax: 256 * 1024, rowSegmentBytes: 64 * 1024 },
});

let time = BigInt(seed) * 1_000_000n;

async function write(): Promise<never> {
  for (;;) {
    const appender = storage.appender();
    const sent = [];
    for (let left = randomBelow(random, 4); left >= 0; left -= 1) {
      time += 1n;
      const options = { rows: 30, seriesCount: 50, functionCount: 500, timeNanos: time };
      const { profile, expected } = randomProfile(random, appender.dictionary, options);
      appender.append(profile);
      sent.push(expected);
    }
    await appender.commit();
    // Synchronous: once acknowledged, the parent knows of it whatever happens next.
    for (const { id, content } of sent) {
      fs.writeSync(1, `${JSON.stringify([id, content])}\n`);
    }
  }
}

await Promise.all(Array.from({ length: Number(writersText) }, write));
