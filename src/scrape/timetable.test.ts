// Tests of the timetable: entries run in the order of their times, and each entry runs once, unless
// it was removed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../base/fake/clock.ts';
import { randomBelow, seededRandom } from '../base/random.ts';
import type { SliceTurns } from '../base/clock.ts';
import { startsOfTurnMax, startsOfTurnMin, startsTurnMillis } from './limits.ts';
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

test('a turn starts few of what is due: fewer after a long turn, more after a short one', async () => {
  const fake = createFakeClock();
  /** Callbacks for the next turn of the event loop. */
  const next: (() => void)[] = [];
  const slices: SliceTurns = {
    next: (fire) => void next.push(fire),
    afterTurn: (fire) => void next.push(fire),
    isSpent: () => false,
  };
  let extraMillis = 0;
  const clock = { ...fake, slices, monotonicMillis: () => fake.monotonicMillis() + extraMillis };
  const timetable = new Timetable(clock);
  let started = 0;
  const run = (): void => void (started += 1);
  for (let i = 0; i < 5_000; i += 1) timetable.add({ dueMillis: 0, place: -1, run });
  /** Returns the number of entries that start in the turn after a turn of the given length. */
  const startsAfter = (turnMillis: number): number => {
    const before = started;
    extraMillis += turnMillis;
    assert.equal(fake.pendingTimers(), 0);
    assert.equal(next.length, 1);
    next.pop()?.();
    return started - before;
  };
  await fake.advance(1);
  assert.equal(started, startsOfTurnMin);
  const short = startsTurnMillis / 2;
  const counts = Array.from({ length: 6 }, () => startsAfter(short));
  assert.deepEqual(
    counts,
    [2, 4, 8, 16, 32, 32].map((factor) => factor * startsOfTurnMin),
  );
  assert.equal(counts[5], startsOfTurnMax);
  assert.equal(startsAfter(1.5 * startsTurnMillis), startsOfTurnMax);
  assert.equal(startsAfter(3 * startsTurnMillis), startsOfTurnMax / 2);
  for (let i = 0; i < 6; i += 1) startsAfter(3 * startsTurnMillis);
  assert.equal(startsAfter(3 * startsTurnMillis), startsOfTurnMin);
  // An entry that is added in the meantime waits for its turn, too.
  timetable.add({ dueMillis: 0, place: -1, run });
  while (next.length > 0) startsAfter(short);
  assert.equal(started, 5_001);
});
