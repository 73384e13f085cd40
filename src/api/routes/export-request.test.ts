import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../base/errors.ts';
import { readExportRequest } from './export-request.ts';

const nowMillis = 1_795_255_200_000;

test('times in every form, and the last hour as pprof by default', () => {
  const to = BigInt(nowMillis) * 1_000_000n;
  const from = to - 3_600_000_000_000n;
  const check = (parameters: string, format = 'pprof'): void =>
    assert.deepEqual(
      readExportRequest(`/x?query=cpu%7Ba%3D%22b%22%7D&${parameters}`, nowMillis, undefined),
      { query: 'cpu{a="b"}', range: { from, to }, format },
    );
  check('');
  check('start=now-60m&format=collapsed', 'collapsed');
  check('start=1795251600&end=1795255200000&format=firefox', 'firefox');
  check(
    'start=2026-11-21T09:00:00Z&end=2026-11-21T10:00:00%2B00:00&format=speedscope',
    'speedscope',
  );
  assert.equal(readExportRequest('?query=cpu', nowMillis, 'pgo').format, 'pgo');
});

test('a wrong parameter is named', () => {
  const check = (parameters: string, message: RegExp): void =>
    assert.throws(
      () => readExportRequest(`/x${parameters}`, nowMillis, undefined),
      (error) =>
        error instanceof AppError &&
        error.code === 'invalid-argument' &&
        message.test(error.message),
      parameters,
    );
  check('', /^query: cannot be blank\.$/);
  check('?query=', /^query: cannot be blank\.$/);
  check('?query=x&from=1', /unknown parameter "from": known are query, start, end, format/);
  check('?query=x&formats=pprof', /did you mean format\?/);
  check('?query=x&query=y', /too many values for parameter query/);
  check('?query=x&start=soon', /^start: cannot read time "soon"/);
  check('?query=x&end=now-1q', /^end: cannot read duration "1q"/);
  check('?query=x&start=now&end=now-1s', /start timestamp must be before end/);
  check('?query=x&format=svg', /must be pprof, collapsed, speedscope, firefox, not "svg"/);
  const pgo = (): unknown => readExportRequest('?query=x&format=pprof', nowMillis, 'pgo');
  assert.throws(pgo, /unknown parameter "format"/);
});
