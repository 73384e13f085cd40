import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labelsKey, type StoredSeries } from './history.ts';
import { planRequests } from './plan-requests.ts';

function makeSeries(
  name: string,
  durationNanos: bigint,
  times: readonly bigint[],
): [string, StoredSeries] {
  const labels = new Map([['job', name]]);
  const profiles = new Map(times.map((time) => [time, { value: 1n, durationNanos }]));
  return [labelsKey(labels), { labels, profiles }];
}

function planned(end: bigint, ...series: readonly [string, StoredSeries][]): string[] {
  return planRequests(new Map(series), { start: 0n, end }).map(({ range, profiles }) => {
    const each = profiles.map(
      ({ labels, timeNanos, value }) => `${labels.get('job')}@${timeNanos}=${value}`,
    );
    return `${range.start}-${range.end}: ${each.join(' ')}`;
  });
}

test('a request has one profile of a series at most, and all profiles of a time', () => {
  const web = makeSeries('web', 0n, [10n, 20n, 30n]);
  const db = makeSeries('db', 0n, [10n, 25n]);
  assert.deepEqual(planned(99n, web, db), [
    '10-10: web@10=1 db@10=1',
    '20-25: web@20=1 db@25=1',
    '30-30: web@30=1',
  ]);
  assert.deepEqual(planned(99n), []);
});

test('a request is not larger than its limit, but for profiles of one time', () => {
  const many = Array.from({ length: 100 }, (_, i) => makeSeries(`s${i}`, 0n, [BigInt(i)]));
  assert.deepEqual(
    planned(99n, ...many).map((one) => one.split(':')[0]),
    ['0-63', '64-99'],
  );
  const together = Array.from({ length: 100 }, (_, i) => makeSeries(`s${i}`, 0n, [5n]));
  assert.deepEqual(
    planned(99n, ...together).map((one) => one.split(':')[0]),
    ['5-5'],
  );
});

test('profiles that overlap are summed by windows, which the range cuts', () => {
  const each = makeSeries('web', 10n, [11n, 12n, 13n, 19n, 20n, 21n, 22n]);
  assert.deepEqual(planned(24n, each), ['10-19: web@10=4', '20-24: web@20=3']);
});
