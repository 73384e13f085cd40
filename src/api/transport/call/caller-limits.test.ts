// Tests of limits of callers: the rate of pushes, concurrent queries, and the number of callers
// that are counted separately.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../../base/fake/clock.ts';
import { callersNamedMax } from '../../limits.ts';
import { createMetricsRegistry } from '../../../telemetry/metrics.ts';
import { CallerLimits } from './caller-limits.ts';

function setUp() {
  const clock = createFakeClock();
  const metrics = createMetricsRegistry({ version: 'v', commit: 'c' });
  return { clock, metrics, limits: new CallerLimits(clock, metrics) };
}

test('a caller past its bytes a second is refused until they are paid; others are not', async () => {
  const { clock, limits } = setUp();
  limits.apply([
    { caller: 'token "ci"', pushBytesPerSecond: 100, queriesAtOnce: 0, activeSeries: 0 },
  ]);
  // The caller pushes all bytes that five seconds allow and exceeds them; then it is refused.
  limits.countPush('token "ci"', 500);
  limits.countPush('token "ci"', 300);
  assert.throws(() => limits.countPush('token "ci"', 1), {
    code: 'resource-exhausted',
    retryAfterMillis: 3_000,
    message: /token "ci" pushes more than 100 bytes a second/,
  });
  limits.countPush('10.0.0.1', 1_000_000);
  limits.countPush('10.0.0.1', 1_000_000);
  await clock.advance(3_000);
  limits.countPush('token "ci"', 1);
  assert.deepEqual(limits.list(), [
    {
      caller: '10.0.0.1',
      pushes: 2,
      pushedBytes: 2_000_000,
      refusedPushes: 0,
      limits: { pushBytesPerSecond: 0, queriesAtOnce: 0, activeSeries: 0 },
    },
    {
      caller: 'token "ci"',
      pushes: 3,
      pushedBytes: 801,
      refusedPushes: 1,
      limits: { pushBytesPerSecond: 100, queriesAtOnce: 0, activeSeries: 0 },
    },
  ]);
});

test('"*" is for each caller without a row of its own, and rows may change', () => {
  const { limits } = setUp();
  assert.equal(limits.queriesAtOnce('a'), 0);
  limits.apply([
    { caller: '*', pushBytesPerSecond: 0, queriesAtOnce: 2, activeSeries: 0 },
    { caller: 'a', pushBytesPerSecond: 0, queriesAtOnce: 5, activeSeries: 0 },
  ]);
  assert.deepEqual([limits.queriesAtOnce('a'), limits.queriesAtOnce('b')], [5, 2]);
  limits.apply([]);
  assert.equal(limits.queriesAtOnce('a'), 0);
});

test('metrics name a limited number of callers', async () => {
  const { limits, metrics } = setUp();
  for (let i = 0; i < 3 * callersNamedMax; i += 1) limits.countPush(`10.0.0.${i}`, 1);
  const { text } = await metrics.text();
  const lines = text.split('\n').filter((line) => line.startsWith('parca_caller_pushed_bytes'));
  assert.equal(lines.length, callersNamedMax + 1);
  assert.ok(
    lines.includes(`parca_caller_pushed_bytes_total{caller="other"} ${2 * callersNamedMax}`),
  );
});
