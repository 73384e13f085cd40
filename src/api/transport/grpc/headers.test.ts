import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../../base/errors.ts';
import { encodeStatusMessage, statusTrailers } from './headers.ts';

test('status messages are percent-encoded UTF-8', () => {
  const check = (text: string, want: string) => assert.equal(encodeStatusMessage(text), want);
  check('plain text, "quoted"', 'plain text, "quoted"');
  check('100%', '100%25');
  check(' no such label: ', '%20no such label:%20');
  check('   ', '%20%20%20');
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
