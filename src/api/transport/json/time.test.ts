import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDuration, formatTimestamp, parseDuration, parseTimestamp } from './time.ts';

test('timestamps there and back', () => {
  const check = (text: string, seconds: bigint, nanos: number, printed = text) => {
    assert.deepEqual(parseTimestamp(text), { seconds, nanos }, text);
    assert.equal(formatTimestamp({ seconds, nanos }), printed);
  };
  check('1970-01-01T00:00:00Z', 0n, 0);
  check('2024-02-29T23:59:59.5Z', 1_709_251_199n, 500_000_000, '2024-02-29T23:59:59.500Z');
  check('2024-01-01T00:00:00.000001Z', 1_704_067_200n, 1_000);
  check('2024-01-01T00:00:00.123456789Z', 1_704_067_200n, 123_456_789);
  check('2024-01-01T01:00:00+01:00', 1_704_067_200n, 0, '2024-01-01T00:00:00Z');
  check('2023-12-31T19:00:00-05:00', 1_704_067_200n, 0, '2024-01-01T00:00:00Z');
  check('1969-12-31T23:59:59.900Z', -1n, 900_000_000);
  check('0001-01-01T00:00:00Z', -62_135_596_800n, 0);
  for (const wrong of ['', 'now', '2024-01-01', '2024-13-01T00:00:00Z', '2024-01-01T00:00:00']) {
    assert.throws(() => parseTimestamp(wrong), /invalid timestamp/, wrong);
  }
});

test('durations there and back', () => {
  const check = (text: string, seconds: bigint, nanos: number, printed = text) => {
    assert.deepEqual(parseDuration(text), { seconds, nanos }, text);
    assert.equal(formatDuration({ seconds, nanos }), printed);
  };
  check('0s', 0n, 0);
  check('10s', 10n, 0);
  check('1.5s', 1n, 500_000_000, '1.500s');
  check('-0.000000001s', 0n, -1);
  check('-3.250s', -3n, -250_000_000);
  for (const wrong of ['', '10', '1m', '1.s', '.5s', '1.0000000001s']) {
    assert.throws(() => parseDuration(wrong), /invalid duration/, wrong);
  }
});
