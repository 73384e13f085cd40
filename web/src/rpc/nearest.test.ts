// Tests the choice between the profiles before and after a range.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearestTime } from './nearest.ts';

test('the nearer side', () => {
  const check = (earlier: number | undefined, later: number | undefined, want?: number): void =>
    assert.equal(nearestTime({ earlier, later }, { from: 1_000, to: 1_200 }), want);
  check(900, 1_500, 900);
  check(500, 1_300, 1_300);
  check(undefined, 1_300, 1_300);
  check(500, undefined, 500);
  check(undefined, undefined);
});
