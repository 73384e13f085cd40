// Tests of requests with huge numbers of empty messages, each of which takes two bytes.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { AppError } from '../../base/errors.ts';
import { mapInputLimits, setInputLimits } from '../../base/input-limits.ts';
import { emptyMessages } from '../testing/empty-messages.ts';
import { sharedStacks } from '../../../test/abuse/bodies/otlp.ts';
import { decodeOtlp, TooMuchWork } from './decode.ts';

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
  // The limit also holds if the messages are distributed over several parent messages.
  const halves = Buffer.concat([emptyMessages(6, 1, 2), emptyMessages(6, 1, 2)]);
  assert.throws(() => decodeOtlp(halves), /more than 10 scopes/);
  const tables = Buffer.concat([emptyMessages(30, 2, 5), emptyMessages(30, 2, 5)]);
  assert.throws(() => decodeOtlp(tables), AppError);
});

test('work is messages, and frames of the stacks that samples share', () => {
  const check = (bytes: Uint8Array, isMuch: boolean): void => {
    if (isMuch) assert.throws(() => decodeOtlp(bytes, undefined, 30_000), TooMuchWork);
    else decodeOtlp(bytes, undefined, 30_000);
    // Without a limit, all of the request is decoded.
    decodeOtlp(bytes);
  };
  for (const path of [
    [1, 2, 2, 2],
    [2, 1],
    [2, 5],
    [2, 6],
    [2, 7],
  ]) {
    check(emptyMessages(20_000, ...path), false);
    check(emptyMessages(40_000, ...path), true);
  }
  const few = sharedStacks(1, 100, 100);
  const many = sharedStacks(10, 100, 200);
  assert.ok(many.length < 100_000, `${many.length} bytes`);
  check(few, false);
  check(many, true);
});
