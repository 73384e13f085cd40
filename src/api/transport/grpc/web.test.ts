import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeBase64Groups } from './web.ts';

test('base64 in pieces', () => {
  const text = ['a', 'bc', 'def', '']
    .map((piece) => Buffer.from(piece).toString('base64'))
    .join('');
  assert.equal(decodeBase64Groups(Buffer.from(text)).toString(), 'abcdef');
});
