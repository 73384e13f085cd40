import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oldDays } from './retention.ts';
import { dayNanos } from './schema.ts';

function check(profiles: readonly number[], today: number, keepDays: number, want: string): void {
  const days = profiles.flatMap((day) =>
    ['profiles', 'stacks'].map((table) => ({ table, day: BigInt(day) })),
  );
  const now = BigInt(today) * dayNanos + 5n;
  const old = oldDays(days, now, BigInt(keepDays) * dayNanos);
  assert.equal(old.map(({ table, day }) => `${table} ${day}`).join(), want);
}

test('days of all tables are dropped after their retention', () => {
  check([10, 11, 14], 14, 3, 'profiles 10,stacks 10');
  check([10, 11, 14], 14, 4, '');
  check([], 14, 3, '');
});

test('a clock that is fast or slow drops nothing early', () => {
  check([10, 11, 14], 500, 3, 'profiles 10,stacks 10');
  check([10, 11, 500], 14, 3, 'profiles 10,stacks 10');
});
