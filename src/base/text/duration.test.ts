// Tests of durations as text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatDuration, parseDuration, parseGoDuration } from './duration.ts';

test('Prometheus durations', () => {
  const check = (text: string, want: number): void => assert.equal(parseDuration(text), want);
  check('0', 0);
  check('0s', 0);
  check('10s', 10_000);
  check('1d12h', 129_600_000);
  check('1m30s500ms', 90_500);
  check('1y', 365 * 86_400_000);
  check('2w', 14 * 86_400_000);
  check('90m', 5_400_000);
  for (const bad of ['', '1', '-1s', '1.5h', '1s1m', '1h1h', ' 1s', '1 s', 's', '1us', '999999y']) {
    assert.throws(() => parseDuration(bad), /cannot read duration .*: expected a duration/, bad);
  }
});

test('printed durations read back', () => {
  const check = (millis: number, want: string): void => assert.equal(formatDuration(millis), want);
  check(0, '0s');
  check(90_000, '1m30s');
  check(86_400_000, '1d');
  check(7 * 86_400_000, '1w');
  check(10 * 86_400_000, '10d');
  check(1_500, '1s500ms');
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9e12 }), (millis) => {
      assert.equal(parseDuration(formatDuration(millis)), millis);
    }),
  );
});

test('Go durations', () => {
  const check = (text: string, want: number): void => assert.equal(parseGoDuration(text), want);
  check('0', 0);
  check('1m30s', 90_000);
  check('1.5h', 5_400_000);
  check('300ms', 300);
  check('-2s', -2_000);
  check('+.5s', 500);
  check('1µs', 0.001);
  check('1h1m1s1ms', 3_661_001);
  for (const bad of ['', '1', 's', '1d', '1 s', '--1s', '.s', '1s-1s', '99999999h']) {
    assert.throws(() => parseGoDuration(bad), /cannot read duration .*: expected a duration/, bad);
  }
});
