import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../base/errors.ts';
import { encodeStatusMessage, parseTimeout, statusTrailers } from './grpc-headers.ts';

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

test('status messages are percent-encoded UTF-8', () => {
  const check = (text: string, want: string) => assert.equal(encodeStatusMessage(text), want);
  check('plain text, "quoted"', 'plain text, "quoted"');
  check('100%', '100%25');
  check('a\nb', 'a%0Ab');
  check('é €', '%C3%A9 %E2%82%AC');
  check('lone \ud800', 'lone %EF%BF%BD');
});

test('trailers of success, of an error, of a bug', () => {
  assert.deepEqual(statusTrailers(), { 'grpc-status': '0' });
  assert.deepEqual(statusTrailers(new AppError('not-found', 'no')), {
    'grpc-status': '5',
    'grpc-message': 'no',
  });
  assert.equal(statusTrailers(new TypeError('x'))['grpc-status'], '13');
});
