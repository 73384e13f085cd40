// Tests of the load ratio, which changed functions do not affect.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findLoadRatio } from './load-ratio.ts';

/** Flat values of functions 0, 1, ...; each sample has the value 10. */
function side(...values: number[]) {
  return { values: new Map(values.map((value, i) => [i, value])), samplesPerValue: 0.1 };
}

test('the median of functions is the load, whatever a few of them do', () => {
  const base = side(1_000, 2_000, 3_000, 4_000, 5_000, 0);
  const twice = side(2_000, 4_000, 6_000, 8_000, 10_000, 0);
  assert.deepEqual(findLoadRatio(twice, base), { ratio: 2, relativeError: 0, functionCount: 5 });
  const spike = side(2_000, 4_000, 6_000, 8_000, 500_000, 90_000);
  assert.equal(findLoadRatio(spike, base)?.ratio.toFixed(6), '2.000000');
});

test('functions with few samples, or on one side, do not count', () => {
  const base = side(1_000, 1_000, 1_000, 1_000, 1_000, 190, 0, 5_000);
  const now = side(1_000, 1_000, 1_000, 1_000, 1_000, 9_000, 9_000, 0);
  assert.equal(findLoadRatio(now, base)?.functionCount, 5);
  const few = side(1_000, 1_000, 1_000, 1_000);
  assert.equal(findLoadRatio(few, few), undefined);
});

test('programs that share a small part have no common load', () => {
  const shared = [300, 300, 300, 300, 300];
  assert.equal(findLoadRatio(side(...shared, 9_000), side(...shared, 0, 100)), undefined);
  assert.equal(findLoadRatio(side(...shared, 1_000), side(...shared, 0, 100))?.ratio, 1);
});

test('the error is that of the median', () => {
  const base = side(...Array.from({ length: 9 }, () => 1_000));
  const now = side(800, 850, 900, 950, 1_000, 1_050, 1_100, 1_150, 1_200);
  const { ratio = 0, relativeError = 0 } = findLoadRatio(now, base) ?? {};
  assert.equal(ratio.toFixed(6), '1.000000');
  assert.ok(relativeError > 0.04 && relativeError < 0.09, String(relativeError));
});
