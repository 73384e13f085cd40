// Tests of scrapes while the store is unavailable. Scrapes must be queued, survive a restart, and
// be stored only once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../src/base/errors.ts';
import { createFakeClock } from '../../src/base/fake/clock.ts';
import { MemoryFiles } from '../../src/base/fake/memory-files.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { seededRandom } from '../../src/base/random.ts';
import { createMetricsRegistry } from '../../src/telemetry/metrics.ts';
import type { Ingester, ProfileUpload } from '../../src/ingest/interface.ts';
import { cpuProfile, gzippedPprof } from '../../test/support/profiles/pprof-builder.ts';
import { parseFlags } from './flags.ts';
import { openScrapeQueue, type ScrapeQueue, storeQueued } from './scrape-queue.ts';

const job = ({ labels }: ProfileUpload): string =>
  labels.find(({ name }) => name === 'job')?.value ?? '';

function upload(value: string): ProfileUpload {
  const samples = [['main', 1n]] as const;
  const labels = [
    { name: '__name__', value: 'process_cpu' },
    { name: 'job', value },
  ];
  return { labels, profile: gzippedPprof(cpuProfile({ timeNanos: 1n, samples })) };
}

test('scrapes wait on the disk while the store is away, and are stored after a restart', async () => {
  const clock = createFakeClock();
  const files = new MemoryFiles(seededRandom(1));
  const stored: string[] = [];
  let isAway = true;
  let tries = 0;
  const ingester: Ingester = {
    async write([one]) {
      tries += 1;
      if (job(one) === 'bad') throw new AppError('invalid-argument', 'its labels are bad');
      if (isAway) throw new AppError('unavailable', 'ClickHouse does not answer');
      stored.push(job(one));
    },
    writeRecord: () => Promise.reject(new Error('not expected')),
  };
  const open = async (): Promise<ScrapeQueue> => {
    const random = seededRandom(2);
    const metrics = createMetricsRegistry({ version: 'test', commit: 'test' });
    const machine = { clock, files, random, logger: silentLogger, metrics };
    const flags = parseFlags(['--storage-path=/data']);
    const target = storeQueued(ingester, silentLogger);
    const queue = await openScrapeQueue(machine, flags, target, () => []);
    queue.start();
    return queue;
  };
  const until = async (isTrue: () => boolean): Promise<void> => {
    while (!isTrue()) {
      await clock.advance(1_000);
      // Waits a little, because compression runs in a thread pool.
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  };
  const first = await open();
  await first.ingester.write([upload('a'), upload('bad'), upload('b')]);
  await until(() => tries >= 6);
  const stopping = first.stop();
  let hasStopped = false;
  void stopping.then(() => (hasStopped = true));
  await until(() => hasStopped);
  assert.deepEqual(await files.listFiles('/data/queue'), ['000000000001.request']);
  isAway = false;
  const second = await open();
  await until(() => stored.length >= 2);
  await second.ingester.write([upload('c')]);
  await until(() => stored.length >= 3);
  assert.deepEqual(stored, ['a', 'b', 'c']);
  await second.stop();
  assert.deepEqual(await files.listFiles('/data/queue'), []);
});
