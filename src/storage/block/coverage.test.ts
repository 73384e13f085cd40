// Tests of the profiles in a range. Deletions, in any order, split the range into several.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TimeRange } from '../interface.ts';
import { runsIn } from './coverage.ts';

const times = BigInt64Array.of(10n, 20n, 20n, 30n, 40n, 50n);

function check(range: TimeRange, deleted: TimeRange[], want: readonly [number, number][]): void {
  const runs = want.map(([first, end]) => ({ first, end }));
  for (const order of [deleted, deleted.toReversed()]) {
    assert.deepEqual(runsIn(times, range, order), runs);
  }
}

test('runs of times in a range, without deleted ones', () => {
  const all = { from: -(2n ** 63n), to: 2n ** 63n - 1n };
  const at = (from: bigint, to = from): TimeRange => ({ from, to });
  check(all, [], [[0, 6]]);
  check(at(20n, 40n), [], [[1, 5]]);
  check(at(21n, 29n), [], []);
  check(at(60n, 90n), [], []);
  check(
    all,
    [at(20n)],
    [
      [0, 1],
      [3, 6],
    ],
  );
  check(all, [at(0n, 20n), at(15n, 35n)], [[4, 6]]);
  check(
    all,
    [at(50n, 60n), at(30n), at(5n, 12n)],
    [
      [1, 3],
      [4, 5],
    ],
  );
  check(at(20n, 30n), [all], []);
});
