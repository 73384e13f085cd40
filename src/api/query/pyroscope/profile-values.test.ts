// Tests of answers about single profiles for Pyroscope's clients: exemplars, averages, ids.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Long from 'long';
import { google, querier, types } from '../../../../proto/gen/pyroscope.js';
import { createClock } from '../../../base/node/clock.ts';
import { parseProfileType } from '../../../model/profile-type.ts';
import { rejects } from '../../../query/testing/ask.ts';
import { TestStore } from '../../../query/testing/test-store.ts';
import { querierMethods } from './querier-service.ts';
import { call, pyroscopeEngine } from './testing/ask-pyroscope.ts';

const q = querier.v1;
const cpu = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds';
const start = 1_700_000_000_000;

const store = new TestStore();
const add = (millis: number, pod: string, rows: string): void =>
  store.add({
    type: parseProfileType(`${cpu}:delta`),
    labels: { job: 'shop', pod },
    timeNanos: BigInt(start + millis) * 1_000_000n + 77n,
    durationNanos: 1n,
    rows,
  });
add(1_000, 'a', 'f 10');
add(2_000, 'b', 'f;g 30 span_id=00000000000000ab\nf;h 4 span_id=00000000000000cd');
add(2_000, 'c', 'f 5');
add(12_000, 'a', 'f;g 7');
const methods = querierMethods({ engine: pyroscopeEngine(store), clock: createClock() });
const asked = {
  profileTypeID: cpu,
  labelSelector: '{}',
  start: Long.fromNumber(start),
  end: Long.fromNumber(start + 20_000),
};

async function series(more: object) {
  const answer = await call(
    methods,
    'SelectSeries',
    { request: q.SelectSeriesRequest, response: q.SelectSeriesResponse },
    { ...asked, step: 10, ...more },
  );
  return answer.series.map(({ labels, points }) => ({
    labels: labels.map(({ value }) => value).join(' '),
    points: points.map(({ value, exemplars }) => ({ value, exemplars })),
  }));
}

test('exemplars: the largest profile of each point, which its id selects', async () => {
  const exemplarType = types.v1.ExemplarType.EXEMPLAR_TYPE_INDIVIDUAL;
  const [line] = await series({ exemplarType, groupBy: ['service_name'] });
  assert.equal(line.labels, 'shop');
  const found = line.points.map(({ value, exemplars: [one] }) => {
    const labels = one.labels.map(({ name, value: text }) => `${name}=${text}`).join(' ');
    return [value, one.timestamp.toNumber() - start, one.value.toNumber(), labels];
  });
  assert.deepEqual(found, [
    [49, 2_000, 34, 'job=shop pod=b'],
    [7, 12_000, 7, 'job=shop pod=a'],
  ]);
  const askForValues = async (profileIdSelector: string[]): Promise<number[]> => {
    const { sample } = await call(
      methods,
      'SelectMergeProfile',
      { request: q.SelectMergeProfileRequest, response: google.v1.Profile },
      { ...asked, profileIdSelector },
    );
    return sample.map(({ value }) => value[0].toNumber()).sort((a, b) => b - a);
  };
  const [first, second] = line.points.map(({ exemplars }) => exemplars[0].profileId);
  assert.deepEqual(await askForValues([first]), [30, 4]);
  assert.deepEqual(await askForValues([second]), [7]);
  assert.deepEqual(
    await askForValues([first.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))]),
    [],
  );
  await rejects(askForValues(['x']), 'invalid-argument', /invalid profile id "x": expected a UUID/);
  await rejects(askForValues([first, second]), 'invalid-argument', /ask for one/);
});

test('exemplars of spans', async () => {
  const exemplarType = types.v1.ExemplarType.EXEMPLAR_TYPE_SPAN;
  const [line] = await series({ exemplarType });
  const found = line.points.map(({ value, exemplars }) => {
    return [value, ...exemplars.map((one) => `${one.spanId} ${one.value.toNumber()}`)];
  });
  assert.deepEqual(found, [[49, '00000000000000ab 30'], [7]]);
});

test('averages: the sum of each step by the number of its profiles', async () => {
  const aggregation = types.v1.TimeSeriesAggregationType.TIME_SERIES_AGGREGATION_TYPE_AVERAGE;
  const [line] = await series({ aggregation });
  assert.deepEqual(
    line.points.map(({ value }) => value),
    [49 / 3, 7],
  );
});
