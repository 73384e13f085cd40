import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computeDigest, type ProfileDigest } from './profile-digest.ts';
import { toColumns } from './testing/to-columns.ts';

function check(
  profiles: readonly (readonly [time: bigint, duration: bigint, period: bigint])[],
  want: Partial<ProfileDigest>,
): void {
  const columns = toColumns(
    profiles.map(([timeNanos, durationNanos, period], i) => {
      return { timeNanos, durationNanos, period, total: i % 2 === 0 ? 5n : -7n, count: 3 };
    }),
  );
  const digest: Partial<ProfileDigest> = computeDigest(columns, 11);
  assert.deepEqual({ ...digest, ...want }, digest);
}

test('a digest has the sums and times of its profiles', () => {
  const alone = { spacingMinNanos: 0, spacingMaxNanos: 0, coveredNanos: 0, lastDurationNanos: 4 };
  check([[-3n, 4n, 9n]], { ...alone, profileCount: 1, rowCount: 11, firstNanos: -3n, period: 9n });
  const pair = [
    [100n, 10n, 1n],
    [130n, 50n, 2n],
    [170n, 60n, 2n],
  ] as const;
  check(pair, { total: 3n, magnitude: 17, count: 9, firstNanos: 100n, lastNanos: 170n });
  check(pair, { period: undefined, spacingMinNanos: 30, spacingMaxNanos: 40 });
  check(pair, { coveredNanos: 10 + 40, lastDurationNanos: 60 });
});

test('the longest of several profiles at one moment covers the time after it', () => {
  const columns = [
    [0n, 7n, 1n],
    [0n, 3n, 1n],
    [20n, 1n, 1n],
    [20n, 5n, 1n],
    [20n, 2n, 1n],
  ] as const;
  check(columns, {
    spacingMinNanos: 0,
    spacingMaxNanos: 20,
    coveredNanos: 7,
    lastDurationNanos: 5,
  });
});

test('times at the ends of int64', () => {
  const ends = [
    [-(2n ** 63n), 1n, 1n],
    [2n ** 63n - 1n, -1n, 1n],
  ] as const;
  check(ends, { spacingMaxNanos: 2 ** 64, coveredNanos: 1, lastDurationNanos: -1 });
});
