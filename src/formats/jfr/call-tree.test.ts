import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jfrProbesMax } from '../limits.ts';
import { CallTree } from './call-tree.ts';

test('a stack is one node, however it is reached, and its frames are leaf first', () => {
  const tree = new CallTree();
  const add = (frames: readonly number[]): number =>
    frames.reduce((node, frame) => tree.child(node, frame), 0);
  const first = add([5, 6, 7, 7, 7]);
  const second = add([5, 6, 8]);
  assert.equal(add([5, 6, 7, 7, 7]), first);
  assert.equal(add([5, 6, 8]), second);
  assert.equal(tree.count, 7);
  assert.deepEqual(tree.readFrames(first, []), [7, 7, 7, 6, 5]);
  assert.deepEqual(tree.readFrames(second, [1, 2, 3, 4, 5]), [8, 6, 5]);
  // There are so many nodes that the columns and the index grow.
  for (let i = 0; i < 20_000; i += 1) add([i % 100, i % 333, i % 7, 9]);
  assert.equal(add([5, 6, 7, 7, 7]), first);
});

test('stacks that were made to have one hash are refused, and take no time', () => {
  const tree = new CallTree();
  // The frame cancels the parent's bits, so that all pairs have the same hash.
  const multiplier = 0x85eb_ca6b;
  let power = 1;
  // The inverse of an odd number modulo 2^32, by Newton's method.
  for (let i = 0; i < 6; i += 1) power = Math.imul(power, 2 - Math.imul(multiplier, power));
  assert.equal(Math.imul(multiplier, power), 1);
  let parent = 0;
  assert.throws(
    () => {
      for (let i = 0; i < jfrProbesMax + 100; i += 1) {
        parent = tree.child(parent, Math.imul(parent ^ 77, power));
      }
    },
    { code: 'resource-exhausted' },
  );
});
