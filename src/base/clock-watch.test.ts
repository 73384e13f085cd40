import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchClock } from './clock-watch.ts';
import { createFakeClock } from './fake/clock.ts';
import { silentLogger } from './logger.ts';

test('jumps of the clock in either direction are logged, a drift is not', async () => {
  const clock = createFakeClock(Date.parse('2026-01-01T00:00:00Z'));
  const jumps: unknown[] = [];
  const logger = {
    ...silentLogger,
    warn: (_message: string, fields?: object) => void jumps.push(fields),
  };
  const watch = watchClock(clock, logger);
  await clock.advance(30_000);
  clock.setWallMillis(clock.nowMillis() + 1_000);
  await clock.advance(10_000);
  assert.deepEqual(jumps, []);
  clock.setWallMillis(clock.nowMillis() + 7_200_000);
  await clock.advance(10_000);
  clock.setWallMillis(clock.nowMillis() - 3_600_000);
  await clock.advance(30_000);
  assert.deepEqual(jumps, [
    {
      jumpSeconds: 7_200,
      before: '2026-01-01T00:00:51.000Z',
      now: '2026-01-01T02:00:51.000Z',
    },
    {
      jumpSeconds: -3_600,
      before: '2026-01-01T02:01:01.000Z',
      now: '2026-01-01T01:01:01.000Z',
    },
  ]);
  watch.cancel();
  assert.equal(clock.pendingTimers(), 0);
});
