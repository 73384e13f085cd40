// Compares set operations on refs with the same operations on plain sets.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ascending, filtered, union } from './postings.ts';

const refs = fc.uniqueArray(fc.nat(300), { maxLength: 120 });
const sorted = (values: Iterable<number>): number[] => [...values].sort((x, y) => x - y);
const set = (values: readonly number[]): Uint32Array => Uint32Array.from(values).sort();

test('union, intersection and difference equal those of sets', () => {
  fc.assert(
    fc.property(fc.array(refs, { maxLength: 12 }), refs, refs, (sets, a, b) => {
      assert.deepEqual([...union(sets.map(set))], sorted(new Set(sets.flat())));
      const [left, right] = [set(a), set(b)];
      const common = a.filter((ref) => b.includes(ref));
      assert.deepEqual([...filtered(left, right, true)], sorted(common));
      const own = a.filter((ref) => !b.includes(ref));
      assert.deepEqual([...filtered(left, right, false)], sorted(own));
    }),
  );
});

test('many refs are sorted as few are, each once', () => {
  const many = fc.array(fc.nat(100_000), { minLength: 4_096, maxLength: 6_000 });
  fc.assert(
    fc.property(many, (values) => {
      assert.deepEqual([...ascending(Uint32Array.from(values))], sorted(new Set(values)));
    }),
    { numRuns: 20 },
  );
});
