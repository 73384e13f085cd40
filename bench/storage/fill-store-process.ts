// Stores `<count>` profiles, each in a new series, as fast as possible; for series.bench.ts.
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { errorCode } from '../../src/base/errors.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { createFiles } from '../../src/base/node/files.ts';
import {
  beginWith,
  collectEarly,
  keepSemiSpaceSmall,
  smallAllocator,
} from '../../src/base/node/memory.ts';
import { createRandom } from '../../src/base/node/random.ts';
import { openStore } from '../../src/storage/store/open-store.ts';
import { internStack } from '../../src/storage/fake/intern.ts';
import { labelsOfSeries, makeProfile } from './series-profile.ts';

/** Results of a process. */
export interface StoreReport {
  /** Peak resident memory of the process, in bytes. */
  readonly rssBytesMax: number;
  readonly seconds: number;
}

// Uses the same settings as the server.
beginWith(smallAllocator());
keepSemiSpaceSmall();
collectEarly();

const writers = 8;
const profilesPerCommit = 100;
const [count] = process.argv.slice(2).map(Number);
const scratch = fs.mkdtempSync(join(os.tmpdir(), 'fill-store-'));
const storage = await openStore({
  path: join(scratch, 'data'),
  files: createFiles(),
  clock: createClock(),
  random: createRandom(),
  logger: silentLogger,
  metrics: noMetrics,
});
let rssBytesMax = 0;
let next = 0;

async function write(): Promise<void> {
  while (next < count) {
    const first = next;
    next += profilesPerCommit;
    await commit(first);
    rssBytesMax = Math.max(rssBytesMax, process.memoryUsage.rss());
  }
}

/** Commits a batch, and interns the stacks again if the head was replaced in the meantime. */
async function commit(first: number): Promise<void> {
  for (;;) {
    const appender = storage.appender();
    // Interns the head's only stack, which gets the number 1.
    internStack(appender.dictionary, ['leaf', 'main']);
    for (let i = first; i < Math.min(count, first + profilesPerCommit); i += 1) {
      appender.append(makeProfile(i, labelsOfSeries(i), 1, 1));
    }
    try {
      await appender.commit();
      return;
    } catch (error) {
      if (errorCode(error) !== 'aborted') throw error;
    }
  }
}

const started = performance.now();
await Promise.all(Array.from({ length: writers }, write));
const report: StoreReport = { rssBytesMax, seconds: (performance.now() - started) / 1000 };
console.log(JSON.stringify(report));
await storage.close();
fs.rmSync(scratch, { recursive: true, force: true });
