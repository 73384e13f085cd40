// Tests of int64 values that are read as words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dividedBy, numberAt, asWords } from './int64.ts';

test('a value is the double nearest to it, also of a part of a column', () => {
  const values = [0n, 1n, -1n, 2n ** 31n, -(2n ** 31n), 2n ** 32n, 2n ** 53n - 1n, 2n ** 63n - 1n];
  const column = BigInt64Array.from([7n, ...values, 9n]);
  const words = asWords(column.subarray(1, -1));
  assert.equal(words.length, 2 * values.length);
  assert.deepEqual(
    values.map((_, i) => numberAt(words, i)),
    values.map(Number),
  );
});

test('values are divided to the nearest whole number', () => {
  const values = BigInt64Array.of(10n, -10n, 5n, -5n, 0n, 2n ** 63n - 1n, 3n);
  assert.deepEqual([...dividedBy(values, 2)], [5n, -5n, 3n, -3n, 0n, 2n ** 62n, 2n]);
  assert.deepEqual([...dividedBy(BigInt64Array.of(100n, -7n), 1.25)], [80n, -6n]);
});
