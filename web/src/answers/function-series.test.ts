// Tests of function values over time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FunctionsJson, joinAnswers, toPoints } from './function-series.ts';

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
    [...toPoints(json, 'flat', span, 10)],
    [['a', { values: [null, 1, null, 2, 3], covered }]],
  );
  const cumulative = toPoints(json, 'cumulative', span, 10).get('a');
  assert.deepEqual(cumulative, { values: [null, 2, null, 4, 6], covered });
});

test('buckets that an answer leaves out are those of the last one; a cut one is new', () => {
  const at = (seconds: number): string => new Date(seconds * 1_000).toISOString();
  const makeAnswer = (seconds: readonly number[], more: Partial<FunctionsJson> = {}) => ({
    unit: 'nanoseconds',
    profileTypes: ['cpu'],
    buckets: {
      time: seconds.map(at),
      coveredNanos: seconds.map((one) => `${one}`),
      snapshots: seconds.map(() => 0),
    },
    functions: [
      {
        name: 'a',
        flat: { values: seconds.map((one) => `${one}1`) },
        cumulative: { values: seconds.map((one) => `${one}2`) },
      },
    ],
    ...more,
  });
  const last = makeAnswer([90, 100, 110, 120, 130]);
  const leftOut = { from: at(90), to: at(129) };
  // The range now begins inside the bucket at 100 s.
  const short = makeAnswer([100, 130, 140], { leftOut, settled: 'next' });
  const buckets = { ...short.buckets, coveredNanos: ['4', '130', '140'] };
  const answer = { ...short, buckets };
  const joined = joinAnswers(last, answer, 104_000);
  assert.ok(joined);
  assert.deepEqual(joined.buckets.time, [100, 110, 120, 130, 140].map(at));
  assert.deepEqual(joined.buckets.coveredNanos, ['4', '110', '120', '130', '140']);
  assert.deepEqual(joined.functions[0].flat.values, ['1001', '1101', '1201', '1301', '1401']);
  assert.equal(joined.settled, 'next');
  assert.equal(joinAnswers({ ...last, unit: 'count' }, answer, 104_000), undefined);
});
