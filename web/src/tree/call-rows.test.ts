// Tests of call tree rows, and of the frame around a range.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeFlameGraph, rowsOfStacks } from '../../testing/made-up-profile.ts';
import { buildTree } from './build-tree.ts';
import { callRows, carryOpen, closedAbove, hotPath, countLevels } from './call-rows.ts';
import { TreeTexts } from './tree-texts.ts';
import type { Tree } from './tree.ts';
import { frameAround } from './walk.ts';

function makeTree(stacks: readonly string[]): Tree {
  const rows = rowsOfStacks(stacks);
  const totals = { total: rows[0].cumulative, trimmed: 0n, isDiff: false };
  return buildTree(encodeFlameGraph(rows), totals, 'name');
}

const stacks = ['a;b;c 60', 'a;d 10', 'e;f;g 29', 'h 1'];
const tree = makeTree(stacks);
const texts = new TreeTexts(tree);
const names = (of: Tree, rows: Iterable<number>): string =>
  Array.from(rows, (row) => new TreeTexts(of).name(of.name[row])).join(' ');
const findRow = (of: Tree, name: string): number =>
  of.name.indexOf(new TreeTexts(of).indexOf(name) ?? 0);

test('callees of open rows follow them, the largest first', () => {
  assert.equal(names(tree, callRows(tree, 0, new Set())), 'root');
  const open = new Set([0, findRow(tree, 'a'), findRow(tree, 'f')]);
  assert.equal(names(tree, callRows(tree, 0, open)), 'root a b d e h');
  assert.equal(names(tree, callRows(tree, findRow(tree, 'a'), open)), 'a b d');
  assert.equal(countLevels(tree, findRow(tree, 'a'), findRow(tree, 'b')), 2);
});

test('the hot path goes down while one callee has much of its caller', () => {
  assert.equal(names(tree, hotPath(tree, 0)), 'root a b');
  assert.equal(names(tree, hotPath(tree, findRow(tree, 'e'))), 'e f');
  const even = makeTree(Array.from({ length: 10 }, (_, i) => `a;f${i};x 1`));
  assert.equal(names(even, hotPath(even, 0)), 'root a');
});

test('open rows are found in new data, and what leads to a row is opened', () => {
  const later = makeTree(['a;b;c 10', 'aa;e 50']);
  const open = new Set([0, findRow(tree, 'a'), findRow(tree, 'e'), findRow(tree, 'b')]);
  const carried = carryOpen(tree, open, texts, later, new TreeTexts(later));
  assert.equal(
    names(
      later,
      [...carried].sort((a, b) => a - b),
    ),
    'root a b',
  );
  assert.equal(names(tree, closedAbove(tree, findRow(tree, 'g'), new Set([0]))), 'e f');
});

test('the frame around a range is the innermost that is under all of it', () => {
  const around = (from: number, to: number): string =>
    names(tree, [frameAround(tree, { from, to })]);
  assert.equal(around(0, 1), 'root');
  assert.equal(around(0.1, 0.5), 'c');
  assert.equal(around(0.1, 0.65), 'a');
  assert.equal(around(0.1, 0.8), 'root');
  assert.equal(around(0.75, 0.9), 'g');
});
