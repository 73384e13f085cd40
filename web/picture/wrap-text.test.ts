// Tests of breaking texts into lines.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wrapText } from './wrap-text.ts';

test('words are kept whole where they fit, and the last line says that there is more', () => {
  const check = (text: string, want: readonly string[]): void =>
    assert.deepEqual(wrapText(text, 10, 2), want);
  check('', []);
  check('one two', ['one two']);
  check('one two three', ['one two', 'three']);
  check('one two 33', ['one two 33']);
  check('0123456789abc de', ['0123456789', 'abc de']);
  check('one two three four five', ['one two', 'three fou…']);
  check('a\r\nb\u202ec\u0000d', ['a b c d']);
  check('\ud800', ['\ufffd']);
});
