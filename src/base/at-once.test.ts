import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { forEachAtOnce } from './at-once.ts';

test('items begin in order, and no more than the count are unfinished', async () => {
  const begun: number[] = [];
  let [unfinished, most] = [0, 0];
  await forEachAtOnce([5, 4, 3, 2, 1], 2, async (millis) => {
    begun.push(millis);
    unfinished += 1;
    most = Math.max(most, unfinished);
    await delay(millis);
    unfinished -= 1;
  });
  assert.deepEqual(begun, [5, 4, 3, 2, 1]);
  assert.deepEqual([unfinished, most], [0, 2]);
});

test('a failure ends it after unfinished work, and no other item begins', async () => {
  const ended: number[] = [];
  const working = forEachAtOnce([1, 2, 3, 4], 2, async (item) => {
    if (item === 2) throw new Error('two');
    await delay(5);
    ended.push(item);
  });
  await assert.rejects(working, /two/);
  assert.deepEqual(ended, [1]);
});
