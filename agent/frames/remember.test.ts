// Tests of caching names.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heldNamesBytesMax } from '../limits.ts';
import { nameBytes, remember } from './remember.ts';

test('each name is made once, until there are too many', () => {
  const made: string[] = [];
  const makeName = remember((name) => {
    made.push(name);
    return `${name}()`;
  });
  assert.deepEqual([makeName('a'), makeName('b'), makeName('a')], ['a()', 'b()', 'a()']);
  assert.deepEqual(made, ['a', 'b']);
  const long = 'x'.repeat(1_000);
  const count = Math.ceil(heldNamesBytesMax / nameBytes(long) / 2);
  for (let i = 0; i < count; i += 1) makeName(long + i);
  assert.equal(makeName('a'), 'a()');
  assert.deepEqual(made.slice(-1), ['a']);
  assert.equal(made.length, 2 + count + 1);
});
