// Tests of block names: they have equal length, sort by time, and are unique.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../base/random.ts';
import { createBlockId, parseCreatedNanos } from './block-names.ts';

test('names sort as their times, and differ at one time', () => {
  const random = seededRandom(1);
  const times = [-1n, 0n, 1n, 35n, 36n, 1_763_728_000_000_000_000n, 2n ** 63n - 1n];
  const ids = times.flatMap((time) => [createBlockId(time, random), createBlockId(time, random)]);
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id, /^[0-9a-z]{13}-[0-9a-z]{14}$/);
  const later = ids.filter((_, i) => i >= 4 && i % 2 === 0);
  assert.deepEqual(
    later.toSorted((a, b) => (a < b ? -1 : 1)),
    later,
  );
  assert.deepEqual(
    ids.filter((_, i) => i % 2 === 0).map(parseCreatedNanos),
    times.map((time) => (time < 0n ? 0n : time)),
  );
  // The time of an id in another form is unknown.
  assert.equal(parseCreatedNanos('block-1'), 2n ** 63n - 1n);
});
