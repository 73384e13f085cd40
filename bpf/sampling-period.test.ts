import assert from 'node:assert/strict';
import { test } from 'node:test';
import { samplingPeriodNanos } from './sampling-period.ts';

const minute = 60e9;
const milli = 1e6;

/** Returns the largest relative error of the samples of a program that wakes at fixed times. */
function largestError(periodNanos: number, timerNanos: number, share: number): number {
  const phases: number[] = [];
  for (let at = 0; at < minute; at += periodNanos) phases.push((at % timerNanos) / timerNanos);
  let largest = 0;
  for (let start = 0; start < 1; start += 0.01) {
    const met = phases.filter((phase) => (phase - start + 1) % 1 < share).length;
    largest = Math.max(largest, Math.abs(met / (share * phases.length) - 1));
  }
  return largest;
}

test('programs that wake at round times are sampled at all moments of their period', () => {
  const timers = [1, 2, 5, 10, 20, 25, 40, 50, 100, 200, 250, 500, 1_000];
  const errors = timers.map((timer) => largestError(samplingPeriodNanos(19), timer * milli, 0.1));
  assert.ok(Math.max(...errors) < 0.1, errors.join(' '));
  const ofWholePeriod = largestError(1e9 / 19, 10 * milli, 0.1);
  assert.ok(ofWholePeriod > 0.4, `${ofWholePeriod}`);
});

test('a period is as long as the frequency says, to a thousandth or so', () => {
  for (const frequency of [1, 19, 97, 997, 10_000]) {
    const error = samplingPeriodNanos(frequency) / (1e9 / frequency) - 1;
    assert.ok(error > 0 && error < 0.0013, `${error}`);
  }
});
