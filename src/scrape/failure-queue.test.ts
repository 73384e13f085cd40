import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../base/fake/clock.ts';
import { failedScrapesWaitingMax, failedScrapesWrittenMax } from './limits.ts';
import { silentLogger } from '../base/logger.ts';
import type { ProfileUpload } from '../ingest/interface.ts';
import { FailureQueue } from './failure-queue.ts';

const result = (value: string): ProfileUpload => ({
  labels: [{ name: 'job', value }],
  profile: new Uint8Array(1),
});

function open(write: (uploads: readonly ProfileUpload[]) => Promise<void>) {
  const clock = createFakeClock();
  const seen = { skipped: 0 };
  const skipped = { add: () => (seen.skipped += 1) };
  const queue = new FailureQueue({ clock, ingester: { write }, logger: silentLogger, skipped });
  return { clock, seen, queue };
}

test('failures of many targets are few writes, and more than the store takes are left out', async () => {
  const sizes: number[] = [];
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const { clock, seen, queue } = open(async (uploads) => {
    sizes.push(uploads.length);
    await begun;
  });
  let made = 0;
  const addAll = (count: number): void => {
    for (let i = 0; i < count; i += 1) queue.add(() => ((made += 1), result('a')));
  };
  addAll(3);
  await clock.advance(0);
  assert.deepEqual(sizes, [3]);
  addAll(failedScrapesWaitingMax + 7);
  assert.deepEqual([made, seen.skipped], [3 + failedScrapesWaitingMax, 7]);
  begin();
  const flushed = queue.flush();
  for (let i = 0; i < 100; i += 1) await clock.advance(1);
  await flushed;
  assert.equal(sizes[1], failedScrapesWrittenMax);
  assert.equal(
    sizes.reduce((sum, size) => sum + size, 0),
    made,
  );
});

test('a result that is refused costs none of the others', async () => {
  const stored: string[] = [];
  const { clock, queue } = open(async (uploads) => {
    const jobs = uploads.map(({ labels }) => labels[0].value);
    if (jobs.includes('bad')) throw new Error('refused');
    stored.push(...jobs);
  });
  for (const job of ['a', 'bad', 'b']) queue.add(() => result(job));
  const flushed = queue.flush();
  for (let i = 0; i < 10; i += 1) await clock.advance(1);
  await flushed;
  assert.deepEqual(stored, ['a', 'b']);
});
