// Tests of estimates for generated series, with a change and without.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../base/random.ts';
import { type Estimate, estimateChange, makeDesign } from './change-model.ts';

const hourMillis = 3_600_000;
const monday = Date.UTC(2026, 0, 5);

interface Made {
  readonly hours: number;
  readonly at: number;
  readonly share: number;
  readonly change: number;
  /**
   * Amplitude of the daily cycle, and standard deviation of the noise between hours, both relative
   * to the share.
   */
  readonly daily: number;
  readonly noise: number;
  readonly perHour: number;
}

function estimate(seed: number, made: Made): Estimate | undefined {
  const random = seededRandom(seed);
  const unit = (): number => (random.uint32() + 1) / 2 ** 32;
  const normal = (): number => Math.sqrt(-2 * Math.log(unit())) * Math.cos(2 * Math.PI * unit());
  const starts = Float64Array.from({ length: made.hours }, (_, i) => monday + i * hourMillis);
  const samples = new Float32Array(made.hours).fill(made.perHour);
  const own = Float32Array.from(starts, (_, i) => {
    const cycle = 1 + made.daily * Math.sin((2 * Math.PI * i) / 24);
    const share =
      made.share * cycle * Math.exp(made.noise * normal()) + (i < made.at ? 0 : made.change);
    const mean = made.perHour * share;
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()));
  });
  const [before, after] = [
    { from: 0, to: made.at },
    { from: made.at, to: made.hours },
  ];
  return estimateChange(makeDesign(starts, { before, after, shape: 'step' }, false), own, samples);
}

const usual: Made = {
  hours: 120,
  at: 96,
  share: 0.1,
  change: 0,
  daily: 0.2,
  noise: 0.1,
  perHour: 2_000,
};

test('a change is within three standard errors of the estimate', () => {
  for (let seed = 1; seed <= 30; seed += 1) {
    const found = estimate(seed, { ...usual, change: 0.05 });
    assert.ok(found !== undefined && found.score > 4, `seed ${seed}`);
    assert.ok(Math.abs(found.difference - 0.05) < 3 * found.error, `seed ${seed}`);
    assert.ok(Math.abs(found.share - 0.1) < 0.01);
  }
});

test('a daily cycle is no change, although half a day differs from all days before', () => {
  const scores = Array.from({ length: 60 }, (_, i) => {
    const made = { ...usual, hours: 102, daily: 0.4, noise: 0.03 };
    return estimate(1_000 + i, made)?.score ?? 0;
  });
  assert.ok(Math.max(...scores.map(Math.abs)) < 4, String(Math.max(...scores)));
});

test('the noise between hours counts, not only that of samples', () => {
  const scores = Array.from({ length: 60 }, (_, i) => {
    const made = { ...usual, noise: 0.3, perHour: 1_000_000 };
    return estimate(2_000 + i, made)?.score ?? 0;
  });
  // If the error came only from the number of samples, even a tenth of this noise would give scores
  // above 10.
  assert.ok(Math.max(...scores.map(Math.abs)) < 4, String(Math.max(...scores)));
});

test('a function that is never seen, and too few windows', () => {
  assert.equal(estimate(1, { ...usual, share: 0 }), undefined);
  assert.equal(estimate(1, { ...usual, hours: 5, at: 3 }), undefined);
});
