// Tests of the timetable: each entry runs once, in the order of times, and none that was removed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../base/fake/clock.ts';
import { randomBelow, seededRandom } from '../base/random.ts';
import { type Entry, Timetable } from './timetable.ts';

test('entries run at their times, however they are added and removed', async () => {
  const clock = createFakeClock();
  const timetable = new Timetable(clock);
  const random = seededRandom(7);
  const ran: Entry[] = [];
  const entries = Array.from({ length: 2_000 }, (): Entry => ({
    dueMillis: randomBelow(random, 500),
    place: -1,
    run() {
      assert.equal(clock.monotonicMillis(), this.dueMillis);
      ran.push(this);
    },
  }));
  for (const entry of entries) timetable.add(entry);
  const kept = entries.filter(() => randomBelow(random, 10) < 7);
  const isKept = new Set(kept);
  for (const entry of entries) if (!isKept.has(entry)) timetable.remove(entry);
  assert.equal(clock.pendingTimers(), 1);
  await clock.advance(600);
  const times = (list: readonly Entry[]): number[] => list.map(({ dueMillis }) => dueMillis);
  assert.equal(ran.length, kept.length);
  assert.deepEqual(new Set(ran), isKept);
  assert.deepEqual(
    times(ran),
    times(kept).sort((a, b) => a - b),
  );
  assert.equal(clock.pendingTimers(), 0);
});

test('an entry may be added again while it runs, and a long wait takes several timers', async () => {
  const clock = createFakeClock();
  const timetable = new Timetable(clock);
  const day = 86_400_000;
  const ran: number[] = [];
  const entry = {
    dueMillis: day,
    place: -1,
    run() {
      ran.push(clock.monotonicMillis());
      entry.dueMillis += day;
      timetable.add(entry);
    },
  };
  timetable.add(entry);
  await clock.advance(2 * day + 1);
  assert.deepEqual(ran, [day, 2 * day]);
  timetable.remove(entry);
  timetable.remove(entry);
  assert.equal(clock.pendingTimers(), 0);
});
