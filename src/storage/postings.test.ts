// Sets of refs against plain sets.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { filtered, Postings, union } from './postings.ts';

const refs = fc.uniqueArray(fc.nat(300), { maxLength: 120 });

function postings(values: readonly number[]): Uint32Array {
  const set = new Postings();
  for (const ref of values) set.add(ref);
  return set.view();
}

test('union, intersection and difference equal those of sets', () => {
  fc.assert(
    fc.property(refs, refs, refs, (a, b, c) => {
      const sort = (values: Iterable<number>): number[] => [...values].sort((x, y) => x - y);
      const [left, right, third] = [postings(a), postings(b), postings(c)];
      assert.deepEqual([...left], sort(a));
      assert.deepEqual([...union([left, right, third])], sort(new Set([...a, ...b, ...c])));
      assert.deepEqual([...filtered(left, right, true)], sort(a.filter((ref) => b.includes(ref))));
      assert.deepEqual(
        [...filtered(left, right, false)],
        sort(a.filter((ref) => !b.includes(ref))),
      );
    }),
  );
});

test('adding a ref twice keeps one', () => {
  assert.deepEqual([...postings([5, 3, 5, 9, 3, 1])], [1, 3, 5, 9]);
});
