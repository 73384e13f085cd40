// Compares the order of keys with the result of a sort; keys are added a few at a time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomBelow, seededRandom } from '../../base/random.ts';
import { KeyOrder } from './key-order.ts';

/** Orders 0 first, then odd keys, then even keys, each in descending order. */
function compare(a: number, b: number): number {
  if (a === 0 || b === 0) return a - b;
  return (b % 2) - (a % 2) || b - a;
}

test('places of keys rise in their order, also of keys that came earlier', () => {
  const random = seededRandom(5);
  const order = new KeyOrder(compare);
  const known = new Set<number>();
  for (const count of [0, 1, 1, 40, 3, 3, 500, 2, 0, 30]) {
    const keys = Uint32Array.from({ length: count }, () => randomBelow(random, 2_000));
    for (const key of keys) known.add(key);
    const places = order.rank(keys);
    const wanted = [...known].sort(compare).map((key, i) => [key, i + 1]);
    assert.deepEqual(
      wanted.map(([key]) => [key, places[key]]),
      wanted,
    );
  }
});

test('keys that are known are not compared again', () => {
  let calls = 0;
  const order = new KeyOrder((a, b) => {
    calls += 1;
    return a - b;
  });
  order.rank(Uint32Array.of(3, 1, 2));
  const before = calls;
  assert.ok(before > 0);
  order.rank(Uint32Array.of(2, 3, 3, 1));
  assert.equal(calls, before);
});
