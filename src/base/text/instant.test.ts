import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../errors.ts';
import { parseInstant, parseRfc3339 } from './instant.ts';

const nowMillis = Date.UTC(2026, 10, 21, 12);

test('every form is the same moment', () => {
  const check = (text: string, iso: string, nanos = 0n): void =>
    assert.equal(parseInstant(text, nowMillis), BigInt(Date.parse(iso)) * 1_000_000n + nanos, text);
  check('now', '2026-11-21T12:00:00Z');
  check('now-1h', '2026-11-21T11:00:00Z');
  check('now-1d12h', '2026-11-20T00:00:00Z');
  check('now+500ms', '2026-11-21T12:00:00.500Z');
  check('now-0', '2026-11-21T12:00:00Z');
  check('2026-11-21T10:00:00Z', '2026-11-21T10:00:00Z');
  check('2026-11-21T12:00:00.000000001+02:00', '2026-11-21T10:00:00Z', 1n);
  check('1795255200', '2026-11-21T10:00:00Z');
  check('1795255200.25', '2026-11-21T10:00:00.250Z');
  check('1795255200000', '2026-11-21T10:00:00Z');
  check('0', '1970-01-01T00:00:00Z');
});

test('anything else is refused, with the forms that are known', () => {
  const texts = ['', 'yesterday', 'now-', 'now-1x', 'now - 1h', '-5', '1e9', '2026-11-21'];
  for (const text of [...texts, '2026-13-21T10:00:00Z', '1795255200000.5', '99999999999']) {
    assert.throws(
      () => parseInstant(text, nowMillis),
      (error) => error instanceof AppError && error.code === 'invalid-argument',
      text,
    );
  }
  assert.throws(() => parseInstant('soon', 0), /cannot read time "soon": expected RFC 3339/);
});

test('times before 1970 count down', () => {
  assert.equal(parseRfc3339('1969-12-31T23:59:59.5Z'), -500_000_000n);
  assert.equal(parseRfc3339('12:00'), undefined);
});
