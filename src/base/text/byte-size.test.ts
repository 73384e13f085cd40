// Tests of sizes as text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatByteSize, parseByteSize } from './byte-size.ts';

test('numbers with units, and zero', () => {
  const check = (text: string, want: number): void => assert.equal(parseByteSize(text), want);
  check('0', 0);
  check(' 0 ', 0);
  check('0B', 0);
  check('4096B', 4096);
  check('12B', 12);
  check('1k', 1024);
  check('512MB', 512 * 2 ** 20);
  check('1.5GiB', 1.5 * 2 ** 30);
  check(' 2 tb ', 2 * 2 ** 40);
  check('1P', 2 ** 50);
});

test('errors quote a text that is not a size', () => {
  for (const text of [
    '',
    'MB',
    '-1',
    '50',
    '4096',
    '00',
    '0.5',
    '5I',
    '5IB',
    '1XB',
    '1e3',
    '1 MB 2',
    '100EB',
    '1,5GB',
  ]) {
    assert.throws(() => parseByteSize(text), {
      code: 'invalid-argument',
      message: /cannot read size/,
    });
  }
});

test('sizes are written as they are read', () => {
  const check = (bytes: number, want: string): void => {
    assert.equal(formatByteSize(bytes), want);
    assert.equal(parseByteSize(want), bytes);
  };
  check(0, '0');
  check(1, '1B');
  check(1500, '1500B');
  check(1024, '1KiB');
  check(4 * 2 ** 30, '4GiB');
  check(1536 * 2 ** 20, '1536MiB');
});
