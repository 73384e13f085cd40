// Tests of the search in a tree.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeFlameGraph, fixtureT, rowsOfStacks } from '../../testing/made-up-profile.ts';
import { wholeView } from '../canvas/view.ts';
import { buildTree } from './build-tree.ts';
import { createNameMatcher, hitColumns, matchNames, searchTree } from './search.ts';
import { unpackStrings } from './strings.ts';
import type { SiblingOrder, Tree } from './tree.ts';

function makeTree(stacks: readonly string[], order: SiblingOrder = 'name', cut = 0n): Tree {
  const rows = rowsOfStacks(stacks);
  const totals = { total: rows[0].cumulative + cut, trimmed: cut, isDiff: false };
  return buildTree(encodeFlameGraph(rows), totals, order);
}

function rowNamed(tree: Tree, name: string): number {
  const index = unpackStrings(tree.names).indexOf(name);
  return tree.name.indexOf(index);
}

test('search counts each stack once and knows own shares', () => {
  const tree = makeTree(fixtureT);
  const names = unpackStrings(tree.names);
  const run = (text: string, mode: 'text' | 'regex' | 'case') => {
    const matcher = createNameMatcher(text, mode);
    assert.ok(matcher.ok, text);
    const found = searchTree(tree, matchNames(names, matcher.matches));
    return [found.functions, found.rows.length, found.share.toFixed(3), found.selfShare.toFixed(3)];
  };
  assert.deepEqual(run('/json', 'text'), [1, 1, '0.300', '0.300']);
  assert.deepEqual(run('Serve|json', 'regex'), [2, 2, '0.600', '0.400']);
  assert.deepEqual(run('serve', 'case'), [0, 0, '0.000', '0.000']);
  assert.deepEqual(run('root', 'text'), [0, 0, '0.000', '0.000']);
  const bad = createNameMatcher('(', 'regex');
  assert.ok(!bad.ok && /group/i.test(bad.message));
});

test('hits narrower than a pixel light one column', () => {
  const tree = makeTree(fixtureT);
  const lit = hitColumns(tree, Uint32Array.of(rowNamed(tree, 'tiny.one')), wholeView, 100);
  assert.deepEqual([lit.indexOf(1), lit.reduce((sum, bit) => sum + bit, 0)], [99, 1]);
});
