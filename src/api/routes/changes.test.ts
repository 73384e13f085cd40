import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BaseScale } from '../../report/base-ratio.ts';
import { readChangesRequest } from './changes.ts';

/** 1,000,000 seconds after 1970. */
const nowMillis = 1_000_000_000;
const second = 1_000_000_000n;

function merge(query: string, from: bigint, to: bigint) {
  return { mode: 'merge', query, range: { from, to } } as const;
}

test('parameters of both sides, and their defaults', () => {
  const check = (
    parameters: string,
    base: ReturnType<typeof merge> | undefined,
    baseScale: BaseScale = 'time',
  ): void => {
    const { select } = readChangesRequest(
      `/x?query=cpu&start=100&end=200&${parameters}`,
      nowMillis,
    );
    const compared = merge('cpu', 100n * second, 200n * second);
    assert.deepEqual(select, { mode: 'diff', base, compared, baseScale });
  };
  check('', undefined);
  check('base_query=mem', merge('mem', 100n * second, 200n * second));
  check('base_start=10&base_end=20', merge('cpu', 10n * second, 20n * second));
  check('base_query=mem&base_start=150', merge('mem', 150n * second, 200n * second));
  check('base_query=mem&normalize=total', merge('mem', 100n * second, 200n * second), 'total');
});

test('the measure and the number of functions', () => {
  const { measure, limit, select } = readChangesRequest('/x?query=cpu', nowMillis);
  assert.deepEqual([measure, limit], ['flat', 100]);
  const now = 1_000_000n * second;
  assert.deepEqual(select.compared, merge('cpu', now - 3_600n * second, now));
  const given = readChangesRequest('/x?query=cpu&sort=cumulative&limit=0', nowMillis);
  assert.deepEqual([given.measure, given.limit], ['cumulative', 0]);
});

test('a wrong parameter is named', () => {
  const check = (parameters: string, message: RegExp): void => {
    assert.throws(() => readChangesRequest(`/x?${parameters}`, nowMillis), message);
  };
  check('', /^AppError: query: cannot be blank\.$/);
  check('query=x&normalise=time', /unknown parameter "normalise": did you mean normalize\?/);
  check('query=x&normalize=on', /normalize: must be time, total, load, none, not "on"/);
  check('query=x&limit=-1', /limit: must be a number from 0 to 10000, not "-1"/);
  check('query=x&limit=10001', /limit: must be a number from 0 to 10000, not "10001"/);
  check('query=x&base_start=now&base_end=now-1s', /^AppError: base_start must be before base_end$/);
});
