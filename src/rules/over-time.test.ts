// Tests of functions over time. The expected numbers are what Prometheus 2.42 returns.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RangeFunction } from '../promql-like/expression.ts';
import { overTime } from './over-time.ts';

const second = 1_000_000_000n;

/** Checks a function over the window of a minute that ends after 60 s, for `10=1 20=2`. */
function check(name: RangeFunction, written: string, want: number | undefined): void {
  const pairs = written.split(' ').map((point) => point.split('='));
  const timeNanos = BigInt64Array.from(pairs, ([time]) => BigInt(time) * second);
  const points = { timeNanos, values: Float64Array.from(pairs, ([, value]) => Number(value)) };
  const found = overTime[name](points, { fromNanos: 0n, toNanos: 60n * second });
  assert.equal(found?.toFixed(6), want?.toFixed(6), `${name} ${written}`);
}

test('values of a window', () => {
  check('avg_over_time', '10=1 20=5', 3);
  check('sum_over_time', '10=1 20=5', 6);
  check('min_over_time', '10=4 20=2 30=7', 2);
  check('max_over_time', '10=4 20=9 30=7', 9);
  check('count_over_time', '10=4 20=9 30=7', 3);
  check('last_over_time', '10=4 20=9', 9);
});

test('growth reaches to the ends of the window where points are near', () => {
  check('increase', '10=100 20=110 30=120 40=130 50=140', 60);
  check('rate', '10=100 20=110 30=120 40=130 50=140', 1);
  // The last point is long before the end of the window, so only the growth in half of the usual
  // time between points is added.
  check('increase', '5=100 15=110 25=120', 30);
  // A counter begins at 0, so before its first point it can have grown at most by the value of that
  // point.
  check('increase', '10=2 20=12 30=22 40=32 50=42', 52);
  // A counter that started again at 0 has grown by its new value.
  check('increase', '10=5 20=15 30=5 40=15 50=25', 48.75);
  check('increase', '30=5', undefined);
  check('increase', '10=3 20=3', 0);
});
