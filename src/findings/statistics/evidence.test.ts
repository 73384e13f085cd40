// Tests of e-values when nothing changed, and of the selection among several tests.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../base/random.ts';
import { acceptedFrom, evidenceOf, normalScore } from './evidence.ts';

test('looking after each window does not find more than the rate', () => {
  const random = seededRandom(5);
  const unit = (): number => (random.uint32() + 1) / 2 ** 32;
  const normal = (): number => Math.sqrt(-2 * Math.log(unit())) * Math.cos(2 * Math.PI * unit());
  const [runs, looks] = [4_000, 200];
  let [byEvidence, byScore] = [0, 0];
  for (let run = 0; run < runs; run += 1) {
    let [sum, most, isOver] = [0, 0, false];
    for (let look = 1; look <= looks; look += 1) {
      sum += normal();
      const score = sum / Math.sqrt(look);
      most = Math.max(most, evidenceOf(score, look, 0.3));
      isOver ||= Math.abs(score) > 1.96;
    }
    if (most >= 20) byEvidence += 1;
    if (isOver) byScore += 1;
  }
  // By Ville's inequality, at most 5 % of runs report a change. With a limit of two standard
  // errors, far more runs would report one by chance.
  assert.ok(byEvidence / runs <= 0.05, String(byEvidence));
  assert.ok(byScore / runs > 0.3, String(byScore));
});

test('evidence grows with the score, and is below 1 for small ones', () => {
  const at = (score: number): number => evidenceOf(score, 10_000, 0.03);
  assert.ok(at(0) < 1);
  assert.ok(at(1) < 1);
  assert.ok(at(6) > 100_000);
  assert.equal(at(-6), at(6));
});

test("Student's scores become normal ones of the same probability", () => {
  const check = (score: number, freedom: number, want: number): void => {
    assert.ok(
      Math.abs(normalScore(score, freedom) - want) < 0.02,
      String(normalScore(score, freedom)),
    );
  };
  // These values are from a table of the t-distribution: both quantiles have 2.5 % above them.
  check(2.228, 10, 1.96);
  check(2.571, 5, 1.96);
  check(-2.042, 30, -1.96);
  check(3.169, 10, 2.576);
});

test('e-BH', () => {
  assert.equal(acceptedFrom([], 10, 0.1), Infinity);
  assert.equal(acceptedFrom([99], 10, 0.1), Infinity);
  assert.equal(acceptedFrom([100], 10, 0.1), 100);
  assert.equal(acceptedFrom([1_000, 50, 1], 10, 0.1), 50);
  assert.equal(acceptedFrom([1_000, 40, 1], 10, 0.1), 1_000);
});
