// Tests of the schedule: cron calls the function, and is restarted if it stops because of the wall
// clock.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../base/fake/clock.ts';
import { everyMinute, startSchedule } from './schedule.ts';

test('runs at the times of the expression until it is stopped', async () => {
  const clock = createFakeClock();
  const everySecond = { expression: '* * * * * *', millisMax: 1_000 };
  // This timer keeps the process alive, because the timers of cron and of the fake clock do not.
  const alive = setInterval(() => undefined, 1_000);
  await new Promise<void>((resolve) => {
    const schedule = startSchedule(everySecond, clock, () => {
      schedule.stop();
      schedule.stop();
      resolve();
    });
    assert.equal(clock.pendingTimers(), 1);
  });
  clearInterval(alive);
  assert.equal(clock.pendingTimers(), 0);
});

test('runs by the monotonic clock when cron is silent', async () => {
  const clock = createFakeClock();
  let runs = 0;
  const never = { expression: '0 0 29 2 *', millisMax: everyMinute.millisMax };
  const schedule = startSchedule(never, clock, () => {
    runs += 1;
  });
  await clock.advance(89_999);
  assert.equal(runs, 0);
  clock.setWallMillis(-4e10);
  await clock.advance(1);
  assert.equal(runs, 1);
  await clock.advance(900_000);
  assert.equal(runs, 11);
  schedule.stop();
  await clock.advance(900_000);
  assert.equal(runs, 11);
});
