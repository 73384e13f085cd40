// Tests that digests joined from groups equal digests of the profiles themselves, for any range.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomBelow, seededRandom } from '../../base/random.ts';
import { computeDigest } from '../../model/profiles/profile-digest.ts';
import type { ProfileColumns } from '../../model/profiles/profile-columns.ts';
import { DigestGroups } from './digest-groups.ts';
import { columnsIn } from './lazy-columns.ts';

const random = seededRandom(5);

/**
 * Returns columns in order of time. In every 100 profiles, `sameMoment` have the time of the
 * previous profile.
 */
function makeColumns(profileCount: number, sameMoment: number): ProfileColumns {
  const count = { length: profileCount };
  let time = -3n;
  const below = (limit: number): bigint => BigInt(randomBelow(random, limit));
  return {
    profileCount,
    timeNanos: BigInt64Array.from(count, () => {
      if (randomBelow(random, 100) >= sameMoment) time += below(1_000);
      return time;
    }),
    durationNanos: BigInt64Array.from(count, () => below(2_000) - 100n),
    period: BigInt64Array.from(count, (_, i) => (i < 1_600 ? 10n : below(2))),
    total: BigInt64Array.from(count, () => below(1_000) - 500n),
    count: Uint32Array.from(count, () => randomBelow(random, 50)),
  };
}

/** Compares the digests of many ranges; later ranges reuse the groups of earlier ones. */
function check(columns: ProfileColumns): void {
  const { profileCount } = columns;
  const rowCounts = columns.count.map((count) => count + 1);
  const groups = new DigestGroups(columns, rowCounts);
  for (let turn = 0; turn < 60; turn += 1) {
    const first = turn === 0 ? 0 : randomBelow(random, profileCount);
    const length = randomBelow(random, turn % 2 === 0 ? profileCount : 600);
    const end = turn === 0 ? profileCount : Math.min(profileCount, first + 1 + length);
    const rowCount = rowCounts.subarray(first, end).reduce((a, b) => a + b, 0);
    const want = computeDigest(columnsIn(columns, first, end), rowCount);
    assert.deepEqual(groups.sumDigests(first, end), want, `${first} .. ${end}`);
  }
}

test('any range of many profiles', () => {
  check(makeColumns(4_000, 0));
  check(makeColumns(3_000, 30));
});

test('groups whose border is inside a long moment, and a single moment', () => {
  check(makeColumns(3_000, 99));
  check(makeColumns(1_500, 100));
});

test('fewer profiles than a group has', () => {
  check(makeColumns(1, 0));
  check(makeColumns(511, 20));
});
