import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Random, seededRandom } from '../../../src/base/random.ts';
import { compareRuns, type Measured } from './compare-runs.ts';
import { type Comparison, correctByHolm, judgeAll } from './judge.ts';

/** Returns a normally distributed number with mean 0 and standard deviation 1. */
function normal(random: Random): number {
  const [u, v] = [random.uint32() + 1, random.uint32()].map((word) => word / 2 ** 32);
  return Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * v);
}

/**
 * Simulates runs with `mean` samples on average. In addition to this noise, runs differ from each
 * other by `runNoise`.
 */
function simulate(
  random: Random,
  runs: number,
  mean: number,
  runNoise: number,
  speeds: readonly number[],
): Measured {
  const values = Array.from({ length: runs }, (_, i) => {
    const own = mean * speeds[i] * (1 + runNoise * normal(random));
    return Math.max(0, Math.round(own + Math.sqrt(own) * normal(random)));
  });
  const samples = values.reduce((sum, value) => sum + value, 0);
  return { values, samples, allSamples: 50 * samples, sampleValue: 1 };
}

interface World {
  /** True if runs are pairs. `drift` makes both runs of a pair slower or faster together. */
  readonly isPaired?: boolean;
  readonly drift?: number;
  readonly runs: number;
  readonly mean: number;
  readonly runNoise: number;
  readonly assumed: number;
}

/** Returns comparisons of `count` functions. Only the first function has grown. */
function compare(random: Random, world: World, count: number, growth: number, limit: number) {
  return Array.from({ length: count }, (_, i): Comparison => {
    const factor = i === 0 ? 1 + growth : 1;
    const { runs, mean, runNoise, assumed, isPaired = false, drift = 0 } = world;
    const speeds = Array.from({ length: runs }, () => 1 + drift * normal(random));
    const difference = compareRuns(
      simulate(random, runs, mean, runNoise, speeds),
      simulate(random, runs, mean * factor, runNoise, speeds),
      assumed,
      isPaired,
    );
    return { difference, limit: limit * world.mean, reference: 0, family: 'function' };
  });
}

const worlds: readonly World[] = [
  { runs: 3, mean: 400, runNoise: 0.03, assumed: 0 },
  { runs: 10, mean: 100, runNoise: 0.1, assumed: 0 },
  { runs: 1, mean: 300, runNoise: 0, assumed: 0 },
  { runs: 2, mean: 1_000, runNoise: 0.04, assumed: 0.04 },
  { runs: 10, mean: 400, runNoise: 0.03, assumed: 0, isPaired: true, drift: 0.1 },
  { runs: 10, mean: 400, runNoise: 0.03, assumed: 0, isPaired: true, drift: 0 },
];

test('of checks without a change, no more fail than allowed', () => {
  const random = seededRandom(7);
  const [checks, alpha] = [200, 0.1];
  let all = 0;
  for (const world of worlds) {
    let failed = 0;
    for (let i = 0; i < checks; i += 1) {
      // Without a limit, the result depends only on chance.
      const judgements = judgeAll(compare(random, world, 10, 0, 0), alpha);
      if (judgements.some(({ outcome }) => outcome === 'exceeded')) failed += 1;
    }
    // The test allows three standard deviations above the expected number.
    const most = checks * alpha + 3 * Math.sqrt(checks * alpha * (1 - alpha));
    assert.ok(failed <= most, `${failed} of ${checks} failed in ${JSON.stringify(world)}`);
    all += failed;
  }
  // A check that never fails would pass this test, too.
  assert.ok(all > 0);
});

test('a change is found, or the needed number is told and does', () => {
  const random = seededRandom(8);
  const checks = 100;
  for (const [world, growth] of [
    [{ runs: 5, mean: 400, runNoise: 0.03, assumed: 0 }, 0.05],
    [{ runs: 4, mean: 200, runNoise: 0.05, assumed: 0 }, 0.05],
    [{ runs: 5, mean: 400, runNoise: 0.03, assumed: 0 }, 0],
    [{ runs: 1, mean: 400, runNoise: 0, assumed: 0 }, 0.1],
    [{ runs: 8, mean: 400, runNoise: 0.05, assumed: 0, isPaired: true, drift: 0.1 }, 0.05],
  ] as const) {
    let [unclear, decided, passedWrongly] = [0, 0, 0];
    for (let i = 0; i < checks; i += 1) {
      const [first] = judgeAll(compare(random, world, 1, growth, 0.03), 0.01);
      if (first.outcome === 'kept' && growth > 0) passedWrongly += 1;
      if (first.outcome !== 'unclear') continue;
      assert.ok(first.needed !== undefined && first.needed.factor > 1);
      unclear += 1;
      const more = { ...world, runs: Math.ceil(world.runs * Math.min(100, first.needed.factor)) };
      const isOneRun = world.runs === 1;
      const longer = isOneRun ? { ...world, mean: world.mean * first.needed.factor } : more;
      const [again] = judgeAll(compare(random, longer, 1, growth, 0.03), 0.01);
      if (again.outcome !== 'unclear') decided += 1;
    }
    const name = JSON.stringify({ world, growth, unclear, decided, passedWrongly });
    // A limit counts as kept if the 95 % bound is below it, so up to 5 % of true changes exceed it.
    assert.ok(passedWrongly <= checks * 0.05 + 3 * Math.sqrt(checks * 0.05 * 0.95), name);
    assert.ok(unclear > 0 && decided >= unclear * 0.8, name);
  }
});

test('pairs find a change on a machine whose speed varies, and cost little on a quiet one', () => {
  const random = seededRandom(9);
  const found = (world: World): number => {
    let count = 0;
    for (let i = 0; i < 200; i += 1) {
      const [first] = judgeAll(compare(random, world, 1, 0.05, 0.03), 0.01 / 3);
      if (first.outcome === 'exceeded') count += 1;
    }
    return count;
  };
  const world = { runs: 10, mean: 10_000, runNoise: 0.015, assumed: 0 };
  const varying = { ...world, drift: 0.08 };
  const [unpaired, paired] = [found(varying), found({ ...varying, isPaired: true })];
  assert.ok(unpaired <= 10 && paired >= 180, `${unpaired} and ${paired} of 200`);
  const [quiet, quietPaired] = [found(world), found({ ...world, isPaired: true })];
  assert.ok(quiet >= 190 && quietPaired >= 180, `${quiet} and ${quietPaired} of 200`);
});

test("Holm's method multiplies by the number of chances that are not smaller", () => {
  assert.deepEqual(correctByHolm([0.01, 0.04, 0.03, 0.5]), [0.04, 0.09, 0.09, 0.5]);
  assert.deepEqual(correctByHolm([0.6, 0.6]), [1, 1]);
  assert.deepEqual(correctByHolm([]), []);
});

test('means and errors are those of scipy', () => {
  const measured = (values: number[]): Measured => ({
    values,
    samples: 0,
    allSamples: 0,
    sampleValue: 0,
  });
  const base = measured([10.1, 10.4, 9.8, 10.2, 10]);
  const { difference, standardError, freedom } = compareRuns(
    base,
    measured([10.9, 11.2, 10.7, 11.4, 10.6]),
    0,
  );
  // Computed with scipy.stats.ttest_ind(equal_var=False).
  assert.ok(Math.abs(difference / standardError - 4.763099470346713) < 1e-9);
  assert.ok(Math.abs(freedom - 6.96024625057305) < 1e-9);
  const before = measured([10.1, 10.4, 9.8, 10.2, 10, 10.6, 9.9, 10.3]);
  const after = measured([10.9, 11.2, 10.1, 11, 10.6, 11.5, 10.4, 11.1]);
  const pairs = compareRuns(before, after, 0, true);
  // Mean of the eight differences divided by its standard error, from scipy.stats.ttest_rel.
  assert.ok(Math.abs(pairs.difference / pairs.standardError - 9.574271077563363) < 1e-9);
  assert.deepEqual([pairs.freedom, pairs.source], [7, 'pairs']);
});

test('a side without samples is not certain', () => {
  const none: Measured = { values: [0], samples: 0, allSamples: 0, sampleValue: 1 };
  const judge = (samples: number): string => {
    const found: Measured = { values: [samples], samples, allSamples: samples, sampleValue: 1 };
    const difference = compareRuns(none, found, 0);
    return judgeAll([{ difference, limit: 1, reference: 0, family: '' }], 0.025)[0].outcome;
  };
  assert.deepEqual([judge(5), judge(6)], ['unclear', 'exceeded']);
});
