import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CurrentCaller, everyone, runAs } from '../current-caller.ts';
import { Pacer } from '../pacer.ts';
import { createClock } from './clock.ts';
import { createSliceTurns } from './slice-turns.ts';

/**
 * Creates turns with a clock that moves when a slice runs, and counts the turns of the event loop.
 */
function createTrial() {
  let now = 0;
  let turn = 0;
  const count = (): void => {
    turn += 1;
    if (turn < 30) setImmediate(count);
  };
  setImmediate(count);
  const turns = createSliceTurns(() => now);
  const seen: { name: string; turn: number }[] = [];
  const slice = (caller: CurrentCaller, name: string, millis: number): Promise<void> =>
    runAs(
      caller,
      () =>
        new Promise((resolve) => {
          turns.next(() => {
            seen.push({ name, turn });
            now += millis;
            resolve();
          });
        }),
    );
  /** Returns the names of the slices, grouped by the turn in which they ran. */
  const byTurn = (): string[] =>
    [...Map.groupBy(seen, (one) => one.turn).values()].map((all) =>
      all.map(({ name }) => name).join(' '),
    );
  return { turns, slice, byTurn, now: () => now, pass: (millis: number) => void (now += millis) };
}

test('slices that wait share a turn until its time is spent', async () => {
  const { slice, byTurn } = createTrial();
  const again = slice('', 'a', 3).then(() => slice('', 'b', 3));
  const others = ['c', 'd', 'e', 'f'].map((name) => slice('', name, 3));
  await Promise.all([again, ...others]);
  // After four slices of 3 ms, more than 10 ms have passed. The added slice runs after the others.
  assert.deepEqual(byTurn(), ['a c d e', 'f b']);
});

test('a slice that takes too long is the only one in its turn', async () => {
  const { slice, byTurn } = createTrial();
  await Promise.all([slice('', 'a', 50), slice('', 'b', 50), slice('', 'c', 1)]);
  assert.deepEqual(byTurn(), ['a', 'b', 'c']);
});

test('a client waits for one slice of a fleet, not for all of them', async () => {
  const { slice, byTurn } = createTrial();
  const fleet = Array.from({ length: 8 }, (_, i) => slice(`10.0.7.${i % 4}`, `f${i}`, 5));
  const client = slice('10.0.0.1', 'client', 5).then(() => slice('10.0.0.1', 'client again', 5));
  await Promise.all([...fleet, client, slice('', 'job', 5)]);
  assert.deepEqual(byTurn(), ['f0 client', 'job f1', 'client again f2', 'f3 f4', 'f5 f6', 'f7']);
});

test('work that everybody waits for is first, once in each turn', async () => {
  const { slice, byTurn } = createTrial();
  const log = async (): Promise<void> => {
    for (const name of ['l0', 'l1', 'l2']) await slice(everyone, name, 4);
  };
  await Promise.all([...['a', 'b', 'c'].map((name) => slice('10.0.7.1', name, 4)), log()]);
  assert.deepEqual(byTurn(), ['l0 a b', 'l1 c', 'l2']);
});

test('work that begins after slices has the rest of the time of their turn', async () => {
  const { turns, slice, now, pass } = createTrial();
  await slice('', 'a', 6);
  // After these ticks, the slices of the turn have ended, but the turn goes on.
  await new Promise<void>((resolve) => process.nextTick(() => process.nextTick(resolve)));
  const seen = [turns.isSpent(now())];
  pass(4);
  seen.push(turns.isSpent(now()));
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  seen.push(turns.isSpent(now()));
  assert.deepEqual(seen, [false, true, false]);
});

test('twenty tasks together hold no turn for longer than one of them', async () => {
  const clock = createClock();
  const seen = { turnMillis: 0, longestMillis: 0 };
  let isOver = false;
  const reset = (): void => {
    seen.longestMillis = Math.max(seen.longestMillis, seen.turnMillis);
    seen.turnMillis = 0;
    if (!isOver) setImmediate(reset);
  };
  setImmediate(reset);
  const busy = (millis: number): void => {
    const end = performance.now() + millis;
    while (performance.now() < end);
    seen.turnMillis += millis;
  };
  const task = async (): Promise<void> => {
    const pacer = new Pacer(clock);
    for (let i = 0; i < 10; i += 1) {
      busy(1);
      await pacer.pause();
    }
  };
  // All tasks begin in one turn, like requests that arrive together, and each runs its first
  // millisecond. With a timer for each pause, a later turn would run a slice of 3 ms of each task.
  await Promise.all(Array.from({ length: 20 }, task));
  isOver = true;
  await new Promise((resolve) => void setImmediate(resolve));
  assert.ok(seen.longestMillis <= 30, `${seen.longestMillis} ms of slices in one turn`);
});
