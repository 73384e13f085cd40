// Tests of encoded graphs over time, read back by the generated classes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parca } from '../../../proto/gen/query.js';
import { parseProfileType } from '../../model/profile-type.ts';
import type { MetricsSeries } from '../../query/interface.ts';
import { noNameGaps } from '../../model/name-gaps.ts';
import { encodeRange } from './encode-range.ts';

function makeSeries(job: string, values: readonly bigint[]): MetricsSeries {
  return {
    labels: [{ name: 'job', value: job }],
    periodType: { type: 'cpu', unit: 'nanoseconds' },
    sampleType: { type: 'samples', unit: 'count' },
    timeNanos: BigInt64Array.from(values, (_, i) => BigInt(i) * 1_500_000_000n),
    value: BigInt64Array.from(values),
    valuePerSecond: Float64Array.from(values, Number),
    durationNanos: BigInt64Array.from(values, () => 10n),
    count: Uint32Array.from(values, (_, i) => i),
    total: values.reduce((sum, value) => sum + value, 0n),
    average: values.length / 4,
  };
}

test('series come in their order, with pauses in between', async () => {
  const series = [makeSeries('a', [1n, -(2n ** 62n)]), makeSeries('b', []), makeSeries('ä', [0n])];
  let pauses = 0;
  const pause = async (): Promise<void> => void (pauses += 1);
  const type = 'process_cpu:samples:count:cpu:nanoseconds:delta';
  const profileTypes = [parseProfileType(type)];
  const answer = {
    profileTypes,
    series,
    missing: ['one', 'two'],
    nameGaps: noNameGaps,
    notes: ['a note'],
  };
  const bytes = await encodeRange(answer, { pause });
  assert.equal(pauses, series.length);
  const got = parca.query.v1alpha1.QueryRangeResponse.decode(bytes);
  assert.deepEqual([got.warnings, got.profileTypes], [['one', 'two', 'a note'], [type]]);
  const read = got.series.map(({ labelset, samples, sampleType, periodType, total, average }) => ({
    job: labelset?.labels?.[0]?.value,
    totals: [String(total), average],
    types: [sampleType?.unit, periodType?.unit],
    samples: (samples ?? []).map(({ timestamp, value, valuePerSecond, duration, count }) => [
      `${String(timestamp?.seconds)}.${timestamp?.nanos}`,
      String(value),
      valuePerSecond,
      String(duration),
      count,
    ]),
  }));
  const types = ['count', 'nanoseconds'];
  assert.deepEqual(read, [
    {
      job: 'a',
      types,
      totals: [String(1n - 2n ** 62n), 0.5],
      samples: [
        ['0.0', '1', 1, '10', 0],
        ['1.500000000', String(-(2n ** 62n)), -(2 ** 62), '10', 1],
      ],
    },
    { job: 'b', types, totals: ['0', 0], samples: [] },
    { job: 'ä', types, totals: ['0', 0.25], samples: [['0.0', '0', 0, '10', 0]] },
  ]);
});
