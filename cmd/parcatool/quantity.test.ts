import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatQuantity, formatShare } from './quantity.ts';

test('three digits and a unit', () => {
  const check = (value: bigint, unit: string, want: string): void =>
    assert.equal(formatQuantity(value, unit), want);
  check(0n, 'nanoseconds', '0');
  check(999n, 'nanoseconds', '999ns');
  check(1_500n, 'nanoseconds', '1.50µs');
  check(12_345_678n, 'nanoseconds', '12.3ms');
  check(59_000_000_000n, 'nanoseconds', '59.0s');
  check(90_000_000_000n, 'nanoseconds', '1.50min');
  check(7_200_000_000_000n, 'nanoseconds', '2.00h');
  check(-1_048_576n, 'bytes', '-1.00MiB');
  check(1_023n, 'bytes', '1023B');
  check(123_456_789n, 'count', '123456789');
});

test('shares', () => {
  assert.equal(formatShare(1n, 3n), '33.3%');
  assert.equal(formatShare(1n, 0n), '-');
  assert.equal(formatShare(-1n, 2n), '-50.0%');
});
