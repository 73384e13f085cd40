// Tests of finding the nearest profiles.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RangeQuestion } from '../rpc/api.ts';
import { RpcError, grpcNotFound } from '../rpc/grpc-web.ts';
import { toTimestamp } from '../rpc/messages.ts';
import { findNearestData, nearestTime } from './nearest-data.ts';

const { signal } = new AbortController();

/** What a server with profiles at these milliseconds answers; delta buckets start at their step. */
function apiWith(times: readonly number[]) {
  return {
    async queryRange({ span, stepMillis }: RangeQuestion) {
      const inside = times.filter((time) => time >= span.from && time <= span.to);
      if (inside.length === 0) throw new RpcError(grpcNotFound, 'No data found');
      const series = seriesAt(inside.map((time) => Math.floor(time / stepMillis) * stepMillis));
      return { series: [series], warnings: [] };
    },
  };
}

function seriesAt(times: readonly number[]) {
  const samples = times.map((time) => ({
    timestamp: toTimestamp(BigInt(time) * 1_000_000n),
    ...{ value: 1n, valuePerSecond: 1, duration: 1n, count: 1 },
  }));
  return { labelset: undefined, samples, periodType: undefined, sampleType: undefined };
}

test('the nearest of all points', () => {
  const series = [seriesAt([100, 900]), seriesAt([1_500])];
  assert.equal(nearestTime(series, { from: 1_000, to: 1_200 }), 900);
  assert.equal(nearestTime(series, { from: 1_300, to: 1_400 }), 1_500);
  assert.equal(nearestTime([], { from: 0, to: 1 }), undefined);
});

test('the hour is found first, then the profile in it', async () => {
  const day = 86_400_000;
  const span = { from: 20_000 * day, to: 20_000 * day + 60_000 };
  const find = (...times: number[]) => findNearestData(apiWith(times), 'q', span, signal);
  const before = span.from - 5 * day + 50 * 60_000;
  assert.equal(await find(before - 600_000, before), before);
  assert.equal(await find(before, span.to + 3 * day), span.to + 3 * day);
  assert.equal(await find(), undefined);
});
