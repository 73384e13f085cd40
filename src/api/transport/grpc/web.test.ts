import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finishAtOnce } from '../../../base/pacer.ts';
import { decodeBase64Groups } from './web.ts';

test('base64 in pieces', () => {
  const text = ['a', 'bc', 'def', '']
    .map((piece) => Buffer.from(piece).toString('base64'))
    .join('');
  assert.equal(finishAtOnce(decodeBase64Groups(Buffer.from(text))).toString(), 'abcdef');
});

test('long base64 is decoded in steps, wherever its groups are cut', () => {
  const bytes = Buffer.from(Array.from({ length: 300_001 }, (_, i) => i % 251));
  const [first, last] = [bytes.subarray(0, 100_000), bytes.subarray(100_000)];
  for (const pieces of [[bytes], [first, last]]) {
    const text = pieces.map((piece) => piece.toString('base64')).join('');
    const steps = decodeBase64Groups(Buffer.from(`\n${text}`));
    assert.equal(steps.next().done, false);
    assert.deepEqual(finishAtOnce(steps), bytes);
  }
});
