import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../src/base/fake/clock.ts';
import { createRandom } from '../../src/base/node/random.ts';
import { ProbabilisticSampling } from './probabilistic-sampling.ts';

async function takeIntervals(threshold: number, intervals: number): Promise<boolean[]> {
  const clock = createFakeClock();
  const paused: boolean[] = [];
  const sampling = new ProbabilisticSampling({
    sampler: { setPaused: (isPaused) => paused.push(isPaused) },
    clock,
    random: createRandom(),
    intervalMillis: 60_000,
    threshold,
  });
  for (let i = 1; i < intervals; i += 1) await clock.advance(60_000);
  await sampling.stop();
  return paused;
}

test('a share of the intervals is sampled', async () => {
  const paused = await takeIntervals(25, 2_000);
  assert.equal(paused.length, 2_000);
  const sampled = paused.filter((isPaused) => !isPaused).length;
  // The limits are six standard deviations below and above the mean of 500.
  assert.ok(sampled > 384 && sampled < 616, String(sampled));
});

test('at 100 nothing is drawn', async () => {
  assert.deepEqual(await takeIntervals(100, 10), []);
});
