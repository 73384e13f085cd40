import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pacer } from '../pacer.ts';
import { createClock } from './clock.ts';
import { createSliceTurns } from './slice-turns.ts';

test('one slice runs in each turn of the event loop, in the order of the calls', async () => {
  const turns = createSliceTurns();
  let turn = 0;
  const count = (): void => {
    turn += 1;
    if (turn < 8) setImmediate(count);
  };
  setImmediate(count);
  const seen: string[] = [];
  const slice = (name: string): Promise<void> =>
    new Promise((resolve) => {
      turns.next(() => {
        seen.push(`${name} ${turn}`);
        resolve();
      });
    });
  const again = slice('a').then(() => slice('a'));
  await Promise.all([again, slice('b'), slice('c')]);
  assert.deepEqual(
    seen.map((one) => one[0]),
    ['a', 'b', 'c', 'a'],
  );
  assert.equal(new Set(seen.map((one) => one.slice(2))).size, 4, seen.join());
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
