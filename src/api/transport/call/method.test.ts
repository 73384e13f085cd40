import assert from 'node:assert/strict';
import { test } from 'node:test';
import { methodPath } from './method.ts';

test('the method is the end of the path', () => {
  const check = (path: string, want: string) => assert.equal(methodPath(path), want);
  check('/a.B/C', '/a.B/C');
  check('/api/a.B/C', '/a.B/C');
  check('/x/y/api/a.B/C?q=/1/2', '/a.B/C');
  check('/C', '/C');
  check('', '');
});
