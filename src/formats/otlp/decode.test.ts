// Tests of requests with very many empty messages, of which each takes two bytes.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { AppError } from '../../base/errors.ts';
import { mapInputLimits, setInputLimits } from '../../base/input-limits.ts';
import { emptyMessages } from '../testing/empty-messages.ts';
import { decodeOtlp } from './decode.ts';

const initial = mapInputLimits((limit) => limit.initial);
afterEach(() => setInputLimits(initial));

test('empty messages of each kind have a limit', () => {
  setInputLimits({
    ...initial,
    seriesPerRequest: 10,
    labelsPerSeries: 3,
    profileSamples: 20,
    profileSymbols: 40,
  });
  const check = (most: number, what: string, ...fields: readonly number[]): void => {
    decodeOtlp(emptyMessages(most, ...fields));
    assert.throws(
      () => decodeOtlp(emptyMessages(most + 1, ...fields)),
      (error) =>
        error instanceof AppError &&
        error.code === 'resource-exhausted' &&
        error.message.includes(`more than ${most} ${what}`),
      what,
    );
  };
  check(10, 'resources', 1);
  check(10, 'scopes', 1, 2);
  check(10, 'profiles', 1, 2, 2);
  check(20, 'samples', 1, 2, 2, 2);
  check(30, 'attributes', 1, 1, 1);
  check(30, 'attributes', 1, 2, 1, 3);
  // Over all messages that hold them.
  const halves = Buffer.concat([emptyMessages(6, 1, 2), emptyMessages(6, 1, 2)]);
  assert.throws(() => decodeOtlp(halves), /more than 10 scopes/);
  const tables = Buffer.concat([emptyMessages(30, 2, 5), emptyMessages(30, 2, 5)]);
  assert.throws(() => decodeOtlp(tables), AppError);
});
