// Tests of the metrics graph's columns and axes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  bridgeHoles,
  metricsData,
  buildLegend,
  partlyCovered,
  seriesDrawnMax,
  splitByCoverage,
} from '../answers/metrics-data.ts';
import { parseMeasure } from '../format/measure.ts';
import type { MetricsSeries } from '../rpc/messages.gen.ts';
import { toTimestamp } from '../rpc/timestamp.ts';
import { timeAxisTexts, valueAxisTexts } from './axis.ts';
import { lineLooks } from './line-looks.ts';

function series(
  labels: readonly (readonly [string, string])[],
  points: readonly (readonly [seconds: number, value: number, coveredSeconds?: number])[],
): MetricsSeries {
  return {
    labelset: { labels: labels.map(([name, value]) => ({ name, value })) },
    samples: points.map(([seconds, rate, coveredSeconds = 10]) => ({
      timestamp: toTimestamp(BigInt(seconds) * 1_000_000_000n),
      value: 0n,
      // A value for Parca's page, which this page does not use.
      valuePerSecond: 0.001,
      duration: 10_000_000_000n,
      count: 1,
      rate,
      coveredNanos: BigInt(coveredSeconds) * 1_000_000_000n,
    })),
    periodType: undefined,
    sampleType: undefined,
    total: 0n,
    coveredNanos: 0n,
    snapshots: 0,
    average: points.reduce((sum, [, value]) => sum + value, 0),
  };
}

test('series share one time axis, and come by name', () => {
  const a = series(
    [['job', 'a']],
    [
      [0, 1],
      [10, 2],
    ],
  );
  const b = series(
    [['job', 'b']],
    [
      [5, 3],
      [10, 4],
    ],
  );
  const data = metricsData([a, b], 10_000, 1);
  assert.deepEqual(data.times, [0, 5, 10]);
  assert.deepEqual(data.values, [
    [1, null, 2],
    [null, 3, 4],
  ]);
  assert.deepEqual(
    data.series.map(({ title, max }) => [title, max]),
    [
      ['job=a', 2],
      ['job=b', 4],
    ],
  );
  assert.deepEqual(bridgeHoles(data.values[0], data.values), [1, undefined, 2]);
});

test('a bucket that is covered less than half as long as most is dashed, and says so', () => {
  const points = [
    [0, 1, 3],
    [10, 2, 10],
    [20, 3, 9],
    [30, 4, 4],
    [40, 5, 10],
  ] as const;
  const data = metricsData([series([['job', 'a']], points)], 10_000, 1);
  assert.deepEqual(splitByCoverage(data, 0), [
    [null, 2, 3, null, 5],
    [1, 2, 3, 4, 5],
  ]);
  const parts = data.times.map((_, row) => partlyCovered(data, 0, row));
  assert.deepEqual(parts, [3, undefined, undefined, 4, undefined]);
  // A program that is profiled for one second in ten during the complete range.
  const seldom = [
    [0, 2, 1],
    [10, 3, 1],
  ] as const;
  assert.deepEqual(splitByCoverage(metricsData([series([], seldom)], 10_000, 1), 0), [
    [2, 3],
    [null, null],
  ]);
});

test('a legend adds up to all that was asked, drawn or not', () => {
  const all = Array.from({ length: 22 }, (_, i) => series([['pod', `${i}`]], [[0, i + 1]]));
  const data = metricsData(all, 10_000, 1);
  const legend = buildLegend(data, all.slice(0, 5));
  assert.equal(legend.series.length, seriesDrawnMax);
  // The two smallest series have no line; only five series have values in the requested range.
  assert.equal(legend.hiddenCount, 2);
  assert.ok(Math.abs(legend.hiddenShare - 3 / 15) < 1e-9);
  const drawn = legend.shares.filter((share) => share > 0);
  assert.deepEqual(drawn, [5 / 15, 4 / 15, 3 / 15]);
});

test('a time nobody covers is a gap', () => {
  const data = metricsData(
    [
      series(
        [],
        [
          [0, 1],
          [10, 1],
          [200, 1],
        ],
      ),
    ],
    10_000,
    1,
  );
  assert.deepEqual(data.times, [0, 10, 105, 200]);
  assert.deepEqual(bridgeHoles(data.values[0], data.values), [1, 1, null, 1]);
  assert.equal(data.series[0].title, 'all');
});

test('the line without labels lacks those of the others', () => {
  const points: [number, number][] = [[0, 1]];
  const lines = [series([], points), series([['job', 'api']], points)];
  const titles = metricsData(lines, 10_000, 1).series.map(({ title }) => title);
  assert.deepEqual(titles, ['job=api', 'no job']);
});

test('the line without labels has its share in the legend', () => {
  const points: [number, number][] = [[0, 1]];
  const lines = [series([], points), series([['job', 'api']], points)];
  const answer = lines.map((line, i) => ({ ...line, average: i + 1 }));
  const { shares, hiddenShare } = buildLegend(metricsData(lines, 10_000, 1), answer);
  assert.deepEqual(shares, [2 / 3, 1 / 3]);
  assert.ok(Math.abs(hiddenShare) < 1e-9);
});

test('a time left out is a gap, however short', () => {
  const times = (leftOut: { from: number; to: number }, ...seconds: number[]) => {
    const points = seconds.map((time): [number, number] => [time, 1]);
    return metricsData([series([], points)], 10_000, 1, leftOut).times;
  };
  assert.deepEqual(times({ from: 12_000, to: 25_000 }, 0, 10, 30, 40), [0, 10, 20, 30, 40]);
  // A bucket that contains both ends has no gap.
  assert.deepEqual(times({ from: 12_000, to: 15_000 }, 0, 10, 20), [0, 10, 20]);
  assert.deepEqual(times({ from: 50_000, to: 60_000 }, 0, 10, 30, 40), [0, 10, 30, 40]);
});

test('only the biggest series are drawn', () => {
  const many = Array.from({ length: 30 }, (_, i) => series([['pod', `${i}`]], [[0, i]]));
  const data = metricsData(many, 10_000, 2);
  assert.equal(data.series.length, seriesDrawnMax);
  assert.equal(data.hiddenCount, 10);
  assert.deepEqual(
    data.series.map(({ title }) => title),
    data.series.map(({ title }) => title).toSorted(),
  );
  assert.equal(Math.max(...data.series.map(({ max }) => max)), 58);
  assert.deepEqual(data.rest, { low: [0], high: [18] });
  assert.deepEqual(metricsData([], 10_000, 1).times, []);
});

test('an axis has one unit', () => {
  const plain = (texts: readonly string[]) => texts.map((text) => text.replaceAll('\u202f', ' '));
  const cpu = parseMeasure('process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta');
  const heap = parseMeasure('memory:inuse_space:bytes:space:bytes');
  const allocations = parseMeasure('memory:alloc_objects:count:space:bytes:delta');
  assert.deepEqual(plain(valueAxisTexts([0, 0.005, 0.01], 0.012, cpu)), [
    '0 mcores',
    '5 mcores',
    '10 mcores',
  ]);
  assert.deepEqual(plain(valueAxisTexts([0, 0.5], 0.6, cpu)), ['0 cores', '0.5 cores']);
  assert.deepEqual(plain(valueAxisTexts([0, 1_048_576], 2_000_000, heap)), ['0 MiB', '1 MiB']);
  assert.deepEqual(plain(valueAxisTexts([0, 5_000], 9_000, allocations)), ['0 k/s', '5 k/s']);
});

test('times are as short as the range allows', () => {
  const noon = Date.parse('2026-11-21T12:00:00Z') / 1e3;
  assert.deepEqual(timeAxisTexts([noon, noon + 30], 30, true), ['12:00:00', '12:00:30']);
  assert.deepEqual(timeAxisTexts([noon, noon + 43_200], 43_200, true), ['12:00', '22 Nov']);
});

test('lines look as their names say, whatever their order and values', () => {
  const names = ['job=api', 'job=db', 'job=web', 'job=cache', 'job=mail', 'job=auth', 'job=cron'];
  const looks = lineLooks(names);
  assert.equal(new Set(looks.map(({ colour }) => colour)).size, names.length);
  assert.deepEqual(lineLooks(names.toReversed()), looks.toReversed());
  assert.deepEqual(lineLooks(['job=cron']).length, 1);
  const many = lineLooks(Array.from({ length: seriesDrawnMax }, (_, i) => `pod=web-${i}`));
  assert.equal(new Set(many.map((look) => JSON.stringify(look))).size, seriesDrawnMax);
});
