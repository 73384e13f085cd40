// Benchmark of many label names: how long it takes to write, cut and list them, and the longest
// turn of the event loop.
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { errorCode } from '../../src/base/errors.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { createFiles } from '../../src/base/node/files.ts';
import { createRandom } from '../../src/base/node/random.ts';
import { internStack } from '../../src/storage/fake/intern.ts';
import { openStore } from '../../src/storage/store/open-store.ts';
import { makeProfile } from './series-profile.ts';

const profilesPerCommit = 1_000;
const everything = {
  matchers: [],
  profileType: undefined,
  range: { from: -(2n ** 62n), to: 2n ** 62n },
};

const [count = 100_000] = process.argv.slice(2).map(Number);
const scratch = fs.mkdtempSync(join(os.tmpdir(), 'label-names-'));
const storage = await openStore({
  path: join(scratch, 'data'),
  files: createFiles(),
  clock: createClock(),
  random: createRandom(),
  logger: silentLogger,
  metrics: noMetrics,
});
try {
  await measured('write', write);
  await measured('labels, in memory', labels);
  await measured('values, in memory', values);
  await measured('types, in memory', types);
  await measured('cut', () => storage.rotate());
  await measured('labels, on disk', labels);
  await measured('labels, again', labels);
  await measured('labels of a range', labelsOfRange);
  await measured('values, on disk', values);
  await measured('one series', oneSeries);
} finally {
  await storage.close();
  fs.rmSync(scratch, { recursive: true });
}

async function write(): Promise<string> {
  for (let first = 0; first < count; first += profilesPerCommit) await commit(first);
  return `${count} series, each with its own name`;
}

async function commit(first: number): Promise<void> {
  for (;;) {
    const appender = storage.appender();
    internStack(appender.dictionary, ['leaf', 'main']);
    for (let i = first; i < Math.min(count, first + profilesPerCommit); i += 1) {
      const own = { name: `name_${i}`, value: `value-${i}` };
      appender.append(makeProfile(i, [{ name: 'job', value: `job-${i % 100}` }, own], 1, 1));
    }
    try {
      await appender.commit();
      return;
    } catch (error) {
      if (errorCode(error) !== 'aborted') throw error;
    }
  }
}

async function labels(): Promise<string> {
  const names = await storage.querier.labelNames(everything);
  return `${names.length} names`;
}

async function labelsOfRange(): Promise<string> {
  const range = { from: 1_000_000n, to: BigInt(count - 2) * 1_000_000n };
  const names = await storage.querier.labelNames({ ...everything, range });
  return `${names.length} names`;
}

async function values(): Promise<string> {
  const found = await storage.querier.labelValues('job', everything);
  return `${found.length} values`;
}

async function types(): Promise<string> {
  return `${(await storage.querier.profileTypes(everything.range)).length} types`;
}

async function oneSeries(): Promise<string> {
  const matchers = [
    { name: 'name_7', value: 'value-7', operator: '=', matches: (v: string) => v === 'value-7' },
  ] as const;
  using selection = await storage.querier.select({ ...everything, matchers });
  return `${selection.series.length} series`;
}

/** Runs `work`, and prints its CPU time and the longest turn of the event loop. */
async function measured(name: string, work: () => Promise<string | void>): Promise<void> {
  let longest = 0;
  let turnBegan = process.cpuUsage();
  let isRunning = true;
  const next = (): void => {
    const used = process.cpuUsage(turnBegan);
    longest = Math.max(longest, (used.user + used.system) / 1000);
    turnBegan = process.cpuUsage();
    if (isRunning) setImmediate(next);
  };
  const began = process.cpuUsage();
  const start = performance.now();
  setImmediate(next);
  const what = await work();
  const wall = performance.now() - start;
  const used = process.cpuUsage(began);
  isRunning = false;
  const cpu = (used.user + used.system) / 1000;
  const memory = Math.round(process.memoryUsage.rss() / 2 ** 20);
  const figures = `CPU ${cpu.toFixed(0)} ms, wall ${wall.toFixed(0)} ms, longest turn ${longest.toFixed(0)} ms`;
  console.log(`${name}: ${figures}, ${memory} MB${what === undefined ? '' : `, ${what}`}`);
}
