import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareNextRun } from './next-run.ts';

test('calls before a run share it; calls during it share the next one', async () => {
  let begun = 0;
  let atOnce = 0;
  const ask = shareNextRun(async () => {
    begun += 1;
    atOnce += 1;
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal((atOnce -= 1), 0);
    if (begun === 3) throw new Error('the third fails');
    return begun;
  });
  const first = Array.from({ length: 100 }, ask);
  await first[0];
  assert.deepEqual(new Set(await Promise.all(first)), new Set([1]));
  const second = ask();
  while (begun < 2) await new Promise((resolve) => setImmediate(resolve));
  const third = ask();
  assert.equal(await second, 2);
  await assert.rejects(third, /the third fails/);
  assert.equal(await ask(), 4);
});
