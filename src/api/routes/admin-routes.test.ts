// Tests of the parameters of a delete.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDeleteRequest } from './admin-routes.ts';

const nowMillis = Date.UTC(2026, 10, 21, 10);

test('a delete reaches over all of time, or between start and end', () => {
  const path = '/api/v1/admin/delete';
  assert.deepEqual(readDeleteRequest(`${path}?query=cpu%7B%7D`, nowMillis), {
    query: 'cpu{}',
    isDryRun: false,
    range: { from: -(2n ** 63n), to: 2n ** 63n - 1n },
  });
  assert.deepEqual(
    readDeleteRequest(`${path}?query=a&start=now-1h&end=1763719200&dry_run=true`, nowMillis),
    {
      query: 'a',
      isDryRun: true,
      range: { from: BigInt(nowMillis - 3_600_000) * 1_000_000n, to: 1_763_719_200_000_000_000n },
    },
  );
});

test('a wrong parameter is named', () => {
  const check = (parameters: string, message: RegExp): void =>
    assert.throws(() => readDeleteRequest(`/d?${parameters}`, nowMillis), message);
  check('', /query: cannot be blank/);
  check('query=a&query=b', /too many values for parameter query/);
  check('query=a&from=now', /unknown parameter "from"/);
  check('query=a&start=soon', /start: cannot read time "soon"/);
});
