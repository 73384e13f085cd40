// Tests of options in the headers of requests: limits and tags.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../../base/errors.ts';
import { parseTimeout, readRequestOptions } from './request-options.ts';

test('headers and the timeout parameter; the sooner of two deadlines', () => {
  const check = (headers: Record<string, string>, url: string, want: object): void =>
    assert.deepEqual(readRequestOptions(headers, url).limits, want);
  check({}, '/api/x?query=a', {});
  check({ 'grpc-timeout': '2S' }, '/x', { timeMillisMax: 2000 });
  check({}, '/x?timeout=1m30s', { timeMillisMax: 90_000 });
  check({}, '/x?a=b&timeout=2.5', { timeMillisMax: 2500 });
  check({ 'grpc-timeout': '9S' }, '/x?timeout=200ms', { timeMillisMax: 200 });
  check({ 'grpc-timeout': '5n' }, '/x', { timeMillisMax: 1 });
  const headers = { 'parca-query-max-rows': '1000', 'parca-query-max-memory': '64MiB' };
  check(headers, '/x', { rowsMax: 1000, memoryBytesMax: 64 * 1024 * 1024 });
});

test('timeouts in all units', () => {
  const check = (text: string | undefined, want: number | undefined) =>
    assert.equal(parseTimeout(text), want);
  check(undefined, undefined);
  check('2H', 7_200_000);
  check('3M', 180_000);
  check('10S', 10_000);
  check('99999999m', 99_999_999);
  check('500u', 0.5);
  check('0n', 0);
  for (const wrong of ['', '1', 'S', '-1S', '1.5S', '123456789S', '1s']) {
    assert.throws(() => parseTimeout(wrong), /cannot parse grpc-timeout/, wrong);
  }
});

test('a tag, or none', () => {
  const tag = `Page_1.${'x'.repeat(57)}`;
  assert.equal(tag.length, 64);
  assert.deepEqual(readRequestOptions({ 'parca-query-tag': tag }, '/x').tags, [tag]);
  assert.deepEqual(readRequestOptions({}, '/x').tags, []);
});

test('a request sets how long it waits for names; the parameter wins', () => {
  const readNamesMillis = (url: string): number | undefined =>
    readRequestOptions({ 'parca-symbolizer-wait': '500ms' }, url).limits.namesMillisMax;
  assert.equal(readNamesMillis('/x'), 500);
  assert.equal(readNamesMillis('/x?symbolizer-wait=1.5'), 1_500);
  assert.equal(readNamesMillis('/x?symbolizer-wait=0'), 0);
  assert.equal(readNamesMillis('/x?symbolizer-wait=10s&timeout=5s'), 10_000);
  assert.equal(readRequestOptions({}, '/x').limits.namesMillisMax, undefined);
});

test('a wrong header is named', () => {
  const check = (headers: Record<string, string>, url: string, message: RegExp): void =>
    assert.throws(
      () => readRequestOptions(headers, url),
      (error) =>
        error instanceof AppError &&
        error.code === 'invalid-argument' &&
        message.test(error.message),
    );
  check({ 'grpc-timeout': 'soon' }, '/x', /cannot parse grpc-timeout "soon"/);
  check({}, '/x?timeout=0', /^timeout: must be longer than 0/);
  check({}, '/x?timeout=-1s', /^timeout: must be longer than 0/);
  check({}, '/x?timeout=soon', /^timeout: cannot read duration "soon"/);
  check({ 'parca-query-max-rows': 'all' }, '/x', /^parca-query-max-rows: must be a number of rows/);
  check({ 'parca-query-max-memory': '1 lot' }, '/x', /^parca-query-max-memory: cannot read size/);
  check({}, '/x?symbolizer-wait=2m', /^symbolizer-wait: must be 0 to 60s, not 2m/);
  check({}, '/x?symbolizer-wait=-1s', /^symbolizer-wait: must be 0 to 60s/);
  const soon = { 'parca-symbolizer-wait': 'soon' };
  check(soon, '/x', /^parca-symbolizer-wait: cannot read duration "soon"/);
  const tagged = /^parca-query-tag: must be 1 to 64 letters, digits, "_", "\." or "-", not "/;
  for (const tag of ['', 'a b', 'é', 'x'.repeat(65)])
    check({ 'parca-query-tag': tag }, '/x', tagged);
});
