// Tests of the times of scrapes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sleep } from '../base/clock.ts';
import { createFakeClock } from '../base/fake/clock.ts';
import { firstDelayMillis, nextStartMillis, skippedTicks, type Schedule } from './schedule.ts';

test('first ticks have the offset as their remainder', () => {
  const check = (wall: number, share: number, want: number): void =>
    assert.equal(firstDelayMillis(wall, 10_000, share), want);
  check(0, 0, 0);
  check(0, 0.25, 2_500);
  check(2_500, 0.25, 0);
  check(2_501, 0.25, 9_999);
  check(1_700_000_003_000, 0.1, 8_000);
  const wall = fc.integer({ min: 0, max: 4e12 });
  const share = fc.double({ min: 0, max: 0.999999, noNaN: true });
  fc.assert(
    fc.property(wall, fc.integer({ min: 1, max: 1e9 }), share, (now, interval, offset) => {
      const delay = firstDelayMillis(now, interval, offset);
      assert.ok(delay >= 0 && delay < interval);
      assert.equal((now + delay) % interval, Math.floor(offset * interval));
    }),
  );
});

const ticks: Schedule = { firstMillis: 300, intervalMillis: 1_000, backToBackMillis: undefined };

test('ticks do not drift, and those that passed are skipped', () => {
  const check = (startMillis: number, endMillis: number, want: number): void =>
    assert.equal(nextStartMillis(ticks, { startMillis, endMillis, isGood: true }), want);
  check(300, 350, 1_300);
  check(304.7, 350, 1_300);
  check(1_300, 1_300, 2_300);
  check(300, 1_299, 1_300);
  check(300, 1_300, 2_300);
  check(300, 5_000, 5_300);
});

test('spans follow back to back', () => {
  const schedule: Schedule = { ...ticks, backToBackMillis: 1_000 };
  const next = (startMillis: number, endMillis: number, isGood = true): number =>
    nextStartMillis(schedule, { startMillis, endMillis, isGood });
  assert.equal(next(300, 1_303), 1_303);
  assert.equal(next(300, 1_299), 1_299);
  // A target that fails or ignores `seconds` is not flooded with requests.
  assert.equal(next(300, 310), 1_300);
  assert.equal(next(1_303, 1_310, false), 2_300);
});

test('ticks that pass during a scrape are counted', () => {
  const ticking = { firstMillis: 300, intervalMillis: 1_000, backToBackMillis: undefined };
  const skippedAfter = (endMillis: number, schedule: Schedule = ticking): number => {
    const last = { startMillis: 310, endMillis, isGood: true };
    return skippedTicks(schedule, 300, nextStartMillis(schedule, last));
  };
  assert.deepEqual(
    [400, 1_299, 1_300, 2_310].map((end) => skippedAfter(end)),
    [0, 0, 1, 2],
  );
  assert.equal(skippedAfter(5_000, { ...ticking, backToBackMillis: 1_000 }), 0);
});

test('the fake clock fires in order, each timer at its time', async () => {
  const clock = createFakeClock(1_000);
  const seen: string[] = [];
  const note = (name: string): void => void seen.push(`${name} ${clock.monotonicMillis()}`);
  clock.setTimer(20, () => note('b'));
  clock.setTimer(10, () => {
    note('a');
    clock.setTimer(5, () => note('nested'));
  });
  clock.setTimer(15, () => note('never')).cancel();
  void sleep(clock, 30).then(() => note('slept'));
  await clock.advance(25);
  assert.deepEqual(seen, ['a 10', 'nested 15', 'b 20']);
  assert.equal(clock.nowMillis(), 1_025);
  await clock.advance(5);
  assert.equal(seen.at(-1), 'slept 30');
  assert.equal(clock.pendingTimers(), 0);
});
