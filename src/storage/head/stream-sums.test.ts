// Tests that the running sums of a head's streams equal the sums of their profiles, in any order of
// arrival.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Dictionary } from '../../model/dictionary.ts';
import { applyProfile, keyOfProfile } from '../testing/fill-head.ts';
import { internStack } from '../fake/intern.ts';
import { Head } from './head.ts';

test('sums of spans equal those of their profiles, late ones included', () => {
  const batch = fc.record({
    times: fc.array(fc.nat(2_000), { minLength: 40, maxLength: 120 }),
    from: fc.nat(800),
    length: fc.integer({ min: 200, max: 2_000 }),
  });
  fc.assert(
    fc.property(fc.array(batch, { minLength: 1, maxLength: 4 }), (batches) => {
      const head = new Head(new Dictionary([1, 2, 3]), 1 << 16);
      const stack = internStack(head.dictionary, ['leaf', 'main']);
      const stored = new Map<number, bigint>();
      for (const { times, from, length } of batches) {
        for (const time of times) {
          const value = BigInt(time % 7) - 3n;
          const rows = [[stack, 0, value, 2n * value]] as const;
          applyProfile(head, { time: BigInt(time), rows, valueColumns: 2 });
          stored.set(time, value);
        }
        const ref = head.findStream(keyOfProfile({ time: 0n, rows: [], valueColumns: 2 }));
        const range = { from: BigInt(from), to: BigInt(from + length) };
        const own = [...stored].filter(([time]) => from <= time && time <= from + length);
        const presence = own.length === 0 ? 'none' : own.length === stored.size ? 'all' : 'some';
        assert.equal(head.presenceIn(ref, range), presence);
        const span = head.spanIn(ref, range);
        if (span === undefined) {
          assert.equal(own.length, 0);
          continue;
        }
        for (const valueColumn of [0, 1]) {
          const sums = head.spanSums(ref, span, valueColumn);
          assert.equal(sums !== undefined, own.length >= 64);
          if (sums === undefined) continue;
          const factor = BigInt(valueColumn + 1);
          const want = own.reduce((sum, [, value]) => sum + factor * value, 0n);
          assert.equal(sums.total[own.length] - sums.total[0], want);
          const filled = own.filter(([, value]) => value !== 0n).length;
          assert.equal(sums.count[own.length] - sums.count[0], filled);
          const size = own.reduce((sum, [, value]) => sum + Math.abs(Number(factor * value)), 0);
          assert.equal(sums.magnitude, size);
        }
      }
    }),
    { numRuns: 30 },
  );
});
