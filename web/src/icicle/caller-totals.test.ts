// Tests of adding up the callers of a function.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeFlameGraph, rowsOfStacks } from '../../testing/made-up-profile.ts';
import { buildTree } from '../tree/build-tree.ts';
import { TreeTexts } from '../tree/tree-texts.ts';
import { callerTotals } from './caller-totals.ts';

test('callers are added up in every place, recursion counts once', () => {
  // Inverted stacks: each function is followed by its caller.
  const rows = rowsOfStacks(['f;a;main 3', 'f;b 2', 'f;f;a 1', 'f 1', 'pod=x;f;a 3']);
  const totals = { total: rows[0].cumulative, trimmed: 0n, isDiff: false };
  const tree = buildTree(encodeFlameGraph(rows), totals, 'name');
  const check = (callee: string, want: readonly (readonly [string, string])[]): void =>
    assert.deepEqual(
      callerTotals(tree, new TreeTexts(tree), callee).map(({ name, share }) => [
        name,
        share.toFixed(2),
      ]),
      want,
    );
  check('f', [
    ['a', '0.60'],
    ['b', '0.20'],
    ['f', '0.10'],
  ]);
  check('main', []);
  check('nothing', []);
});
