import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomBelow, seededRandom } from '../../base/random.ts';
import { selectLargest } from './select-largest.ts';

test('the value of each rank is that of sorting', () => {
  const random = seededRandom(5);
  const inputs = [
    [7],
    [1, 2],
    [2, 1],
    [3, 3, 3, 3],
    Array.from({ length: 40 }, (_, i) => i),
    Array.from({ length: 40 }, (_, i) => 40 - i),
    Array.from({ length: 60 }, () => randomBelow(random, 7)),
    Array.from({ length: 300 }, () => Math.floor(2 ** (randomBelow(random, 500) / 10))),
    Array.from({ length: 300 }, () => 2 ** 50 + randomBelow(random, 5)),
  ];
  for (const input of inputs) {
    const sorted = input.toSorted((a, b) => b - a);
    const found = input.map((_, i) => selectLargest(Float64Array.from(input), i + 1));
    assert.deepEqual(found, sorted);
  }
});

test('sorted and equal values are found in linear time', () => {
  const length = 1_000_000;
  const ascending = Float64Array.from({ length }, (_, i) => i);
  assert.equal(selectLargest(ascending, 8_192), length - 8_192);
  assert.equal(selectLargest(new Float64Array(length).fill(3), 8_192), 3);
});
