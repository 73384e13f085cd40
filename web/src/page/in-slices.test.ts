// Tests that an update in slices is made once more at once, for a pointer that never rests.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { updateInSlices } from './in-slices.ts';

test('an update is begun in slices, and made at once a little later', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const calls: string[] = [];
  const superseded = new AbortController();
  updateInSlices(() => calls.push('shown'), new AbortController().signal);
  updateInSlices(() => calls.push('superseded'), superseded.signal);
  assert.deepEqual(calls, ['shown', 'superseded']);
  superseded.abort();
  t.mock.timers.tick(10_000);
  assert.deepEqual(calls, ['shown', 'superseded', 'shown']);
});
