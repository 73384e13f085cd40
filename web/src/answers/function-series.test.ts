// Tests of the values of functions over time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pointsOf } from './function-series.ts';

test('buckets stand at their places, as rates; what has no profiles is a gap', () => {
  const at = (seconds: number): string => new Date(seconds * 1_000).toISOString();
  const json = {
    buckets: {
      time: [at(100), at(120), at(130)],
      coveredNanos: ['10', '5', '0'],
      snapshots: [0, 0, 2],
    },
    functions: [
      {
        name: 'a',
        flat: { values: ['10', '10', '6'] },
        cumulative: { values: ['20', '20', '12'] },
      },
    ],
  };
  const span = { from: 95_000, to: 139_000 };
  const covered = [null, 10, null, 5, null];
  assert.deepEqual(
    [...pointsOf(json, 'flat', span, 10)],
    [['a', { values: [null, 1, null, 2, 3], covered }]],
  );
  const cumulative = pointsOf(json, 'cumulative', span, 10).get('a');
  assert.deepEqual(cumulative, { values: [null, 2, null, 4, 6], covered });
});
