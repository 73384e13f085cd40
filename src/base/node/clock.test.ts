// Tests of the real clock's timers. Node's timers are replaced, because 25 days are too long for a
// test.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClock } from './clock.ts';

const hourMillis = 3_600_000;
const dayMillis = 24 * hourMillis;

test('a timer may be longer than those of node, and is cancelled at any time', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const clock = createClock();
  const fired: string[] = [];
  clock.setTimer(100 * dayMillis, () => fired.push('long'), true);
  clock.setTimer(1_000, () => fired.push('short'), true);
  const cancelled = clock.setTimer(60 * dayMillis, () => fired.push('cancelled'), true);
  t.mock.timers.tick(2_000);
  assert.deepEqual(fired, ['short']);
  const pass = (days: number): void => {
    for (let hour = 0; hour < days * 24; hour += 1) t.mock.timers.tick(hourMillis);
  };
  pass(30);
  cancelled.cancel();
  pass(69);
  assert.deepEqual(fired, ['short']);
  pass(2);
  assert.deepEqual(fired, ['short', 'long']);
});
