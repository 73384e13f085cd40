// Tests which values are dropped from a full map.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LeastRecent } from './least-recent.ts';

test('the least recently used value goes first', () => {
  const values = new LeastRecent<number>(10, (value) => value);
  assert.deepEqual(values.put('a', 4), []);
  assert.deepEqual(values.put('b', 5), []);
  assert.equal(values.get('a'), 4);
  assert.deepEqual(values.put('c', 3), [['b', 5]]);
  assert.deepEqual([values.names(), values.all(), values.weight], [['a', 'c'], [4, 3], 7]);
  assert.deepEqual(values.put('d', 11).length, 3);
  assert.deepEqual([values.names(), values.weight], [[], 0]);
});

test('a value that grows counts with its weight when it is put again', () => {
  const values = new LeastRecent<number[]>(10, ({ length }) => length);
  const grown = [1, 2];
  values.put('grown', grown);
  values.put('other', [1, 2, 3]);
  grown.push(3, 4, 5, 6);
  values.put('grown', grown);
  assert.equal(values.weight, 9);
  grown.push(7);
  values.remove('grown');
  assert.equal(values.weight, 3);
});
