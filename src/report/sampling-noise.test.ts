// Tests of intervals around differences, with results calculated by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unscaled } from './base-ratio.ts';
import { SamplingNoise } from './sampling-noise.ts';

function near(actual: number, expected: number): void {
  assert.ok(Math.abs(actual - expected) < 1e-6 * Math.abs(expected), `${actual}, not ${expected}`);
}

test('numbers of samples, each worth 10', () => {
  const side = { total: 1000n, sampleCount: 100 };
  const noise = new SamplingNoise(side, side, unscaled, false);
  assert.equal(noise.comparedSamples(60n), 6);
  assert.equal(noise.baseSamples(30n), 3);
  near(noise.halfWidth(60n, 30n), 10 * 1.96 * Math.sqrt(6 + 1 + (3 + 1)));
});

test('6 against 0 is no chance, 5 against 0 is, as two Poisson means are compared exactly', () => {
  const side = { total: 100n, sampleCount: 100 };
  const noise = new SamplingNoise(side, side, unscaled, false);
  // If both sides are equal, the probability that all n samples are on one side is 2 * 0.5^n: 3 %
  // for 6 samples, 6 % for 5.
  assert.ok(noise.halfWidth(6n, 0n) < 6);
  assert.ok(noise.halfWidth(5n, 0n) > 5);
  assert.ok(noise.halfWidth(0n, 6n) < 6);
});

test('a base that was profiled for half as long is worth twice', () => {
  const compared = { total: 1000n, sampleCount: 1000 };
  const base = { total: 500n, sampleCount: 500 };
  const noise = new SamplingNoise(compared, base, { numerator: 2n, denominator: 1n }, false);
  assert.equal(noise.baseSamples(50n), 50);
  near(noise.halfWidth(80n, 50n), 1.96 * Math.sqrt(1 * (80 + 1) + 4 * (50 + 1)));
});

test('shares: 30 of 100 against 10 of 50', () => {
  const compared = { total: 1000n, sampleCount: 100 };
  const base = { total: 100n, sampleCount: 50 };
  const noise = new SamplingNoise(compared, base, { numerator: 10n, denominator: 1n }, true);
  const variance = ((31 / 102) * (71 / 102)) / 102 + ((11 / 52) * (41 / 52)) / 52;
  near(noise.halfWidth(300n, 20n), 1000 * 1.96 * Math.sqrt(variance));
});

test('a side of nothing would have had samples like the other', () => {
  const noise = new SamplingNoise(
    { total: 1000n, sampleCount: 100 },
    { total: 0n, sampleCount: 0 },
    unscaled,
    false,
  );
  assert.equal(noise.baseSamples(0n), 0);
  near(noise.halfWidth(1000n, 0n), 10 * 1.96 * Math.sqrt(102));
  const nothing = { total: 0n, sampleCount: 0 };
  assert.equal(new SamplingNoise(nothing, nothing, unscaled, false).halfWidth(0n, 0n), 0);
});
