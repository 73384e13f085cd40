// Tests of int64 values read by their words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberAt, wordsOf } from './int64.ts';

test('a value is the double nearest to it, also of a part of a column', () => {
  const values = [0n, 1n, -1n, 2n ** 31n, -(2n ** 31n), 2n ** 32n, 2n ** 53n - 1n, 2n ** 63n - 1n];
  const column = BigInt64Array.from([7n, ...values, 9n]);
  const words = wordsOf(column.subarray(1, -1));
  assert.equal(words.length, 2 * values.length);
  assert.deepEqual(
    values.map((_, i) => numberAt(words, i)),
    values.map(Number),
  );
});
