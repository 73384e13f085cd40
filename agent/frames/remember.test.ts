// Tests of remembered names.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { remember } from './remember.ts';

test('each name is made once, until there are too many', () => {
  const made: string[] = [];
  const makeName = remember((name) => {
    made.push(name);
    return `${name}()`;
  });
  assert.deepEqual([makeName('a'), makeName('b'), makeName('a')], ['a()', 'b()', 'a()']);
  assert.deepEqual(made, ['a', 'b']);
  for (let i = 0; i < 16_384; i += 1) makeName(String(i));
  assert.equal(makeName('a'), 'a()');
  assert.deepEqual(made.slice(-1), ['a']);
  assert.equal(made.length, 2 + 16_384 + 1);
});
