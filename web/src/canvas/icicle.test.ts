// Tests of the icicle's model on fixture T, encoded and read as the server's Arrow answer is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeFlameGraph, fixtureT, rowsOfStacks } from '../../testing/made-up-profile.ts';
import { buildTree } from '../tree/build-tree.ts';
import { planDraw, runOfNarrow } from './draw-plan.ts';
import { hitTest } from './hit-test.ts';
import { createNameMatcher, hitColumns, matchNames, searchTree } from '../tree/search.ts';
import { StringReader, unpackStrings } from '../tree/strings.ts';
import {
  depthCount,
  depthOf,
  noString,
  pathTo,
  type SiblingOrder,
  type Tree,
} from '../tree/tree.ts';
import { wholeView } from './view.ts';
import { levelsMax, printPath, resolvePath } from '../tree/zoom-path.ts';

function treeOf(stacks: readonly string[], order: SiblingOrder = 'name', cut = 0n): Tree {
  const rows = rowsOfStacks(stacks);
  const totals = { total: rows[0].cumulative + cut, trimmed: cut, isDiff: false };
  return buildTree(encodeFlameGraph(rows), totals, order);
}

function describe(tree: Tree): string[] {
  const names = unpackStrings(tree.names);
  return [...tree.x.keys()].map(
    (row) =>
      `${depthOf(tree, row)} ${names[tree.name[row]]} ` +
      `${tree.x[row].toFixed(3)}+${tree.width[row].toFixed(3)} ${tree.flat[row] / 10_000_000n}`,
  );
}

function textsOf(tree: Tree) {
  const names = new StringReader(tree.names);
  const strings = new StringReader(tree.strings);
  return {
    name: (index: number) => names.get(index),
    module: (index: number) => strings.get(index),
  };
}

function rowNamed(tree: Tree, name: string): number {
  const index = unpackStrings(tree.names).indexOf(name);
  return tree.name.indexOf(index);
}

test('fixture T is laid out by name with exact values', () => {
  assert.deepEqual(describe(treeOf(fixtureT)), [
    '0 root 0.000+1.000 0',
    '1 main.main 0.000+0.600 0',
    '1 runtime.gcBgMark 0.600+0.399 399',
    '1 tiny.one 0.999+0.001 1',
    '2 svc.(*H).Serve 0.000+0.600 100',
    '3 db.Query 0.000+0.200 200',
    '3 encoding/json.Marshal 0.200+0.300 300',
  ]);
});

test('siblings by value; the cut of the server stays as empty space', () => {
  const tree = treeOf(fixtureT, 'value', 10_000_000_000n);
  assert.deepEqual(describe(tree).slice(4), [
    '2 svc.(*H).Serve 0.000+0.300 100',
    '3 encoding/json.Marshal 0.000+0.150 300',
    '3 db.Query 0.150+0.100 200',
  ]);
  assert.equal(tree.width[0], 1);
});

test('values beyond 2^53 stay exact', () => {
  const value = 2n ** 53n + 1n;
  const rows = rowsOfStacks([`a;b ${value}`], 1n);
  const tree = buildTree(
    encodeFlameGraph(rows),
    { total: value, trimmed: 0n, isDiff: false },
    'name',
  );
  assert.equal(tree.cumulative[2], value);
  assert.equal(tree.flat[2], value);
});

test('an empty profile is one row', () => {
  const tree = treeOf([]);
  assert.deepEqual([tree.count, depthCount(tree), tree.width[0]], [1, 1, 0]);
});

test('frames without a function are named by module and address', () => {
  const bare = rowsOfStacks(['0x1f20;main.main 5', '0x1f20 1'], 1n, () => ({}));
  const tree = buildTree(encodeFlameGraph(bare), { total: 6n, trimmed: 0n, isDiff: false }, 'name');
  assert.equal(rowNamed(tree, '0x1f20'), 1);
  const rows = rowsOfStacks(['0x1f20 5'], 1n, () => ({ module: '/usr/lib/libc.so.6' }));
  const withModule = buildTree(
    encodeFlameGraph(rows),
    { total: 5n, trimmed: 0n, isDiff: false },
    'name',
  );
  assert.ok(rowNamed(withModule, 'libc.so.6+0x1f20') > 0);
  assert.notEqual(withModule.module[1], noString);
});

test('a thousand levels need no recursion', () => {
  const deep = Array.from({ length: 1_000 }, (_, i) => `f${i}`).join(';');
  const tree = treeOf([`${deep} 7`]);
  assert.equal(depthCount(tree), 1_001);
  assert.equal(pathTo(tree, 1_000).length, 1_001);
  const path = printPath(tree, 1_000, textsOf(tree));
  assert.equal(path.length, levelsMax * 5);
  assert.equal(resolvePath(tree, path, textsOf(tree)).row, levelsMax);
});

test('hit test finds frames, gaps and runs of narrow frames', () => {
  const tree = treeOf(fixtureT);
  const at = (depth: number, x: number, pixel = 1e-4) => hitTest(tree, depth, x, pixel)?.row;
  assert.equal(at(0, 0.5), 0);
  assert.equal(at(1, 0.7), rowNamed(tree, 'runtime.gcBgMark'));
  assert.equal(at(3, 0.25), rowNamed(tree, 'encoding/json.Marshal'));
  assert.equal(at(3, 0.55), undefined, 'own time of Serve is empty');
  assert.equal(at(4, 0.1), undefined);
  const narrow = hitTest(tree, 1, 0.9991, 0.002);
  assert.deepEqual([narrow?.row, narrow?.frames], [rowNamed(tree, 'tiny.one'), 1]);
});

const viewport = { width: 100, height: 200, scrollTop: 0, rowHeight: 20, labelWidthMin: 20 };

test('the plan has a box a frame and one run for what is narrower than a pixel', () => {
  const tree = treeOf(fixtureT);
  const plan = planDraw(tree, wholeView, viewport);
  const boxes = Array.from({ length: plan.boxCount }, (_, i) => [
    plan.boxRow[i],
    plan.boxX[i],
    plan.boxY[i],
    plan.boxWidth[i],
  ]);
  assert.deepEqual(boxes, [
    [0, 0, 0, 100],
    [1, 0, 20, 60],
    [2, 60, 20, 40],
    [runOfNarrow, 99, 20, 1],
    [4, 0, 40, 60],
    [5, 0, 60, 20],
    [6, 20, 60, 30],
  ]);
});

test('zooming draws only what is inside, scrolling only visible depths', () => {
  const tree = treeOf(fixtureT);
  const zoomed = planDraw(tree, { from: 0.25, to: 0.35 }, viewport);
  assert.deepEqual([...zoomed.boxRow.subarray(0, zoomed.boxCount)], [0, 1, 4, 6]);
  const scrolled = planDraw(tree, wholeView, { ...viewport, height: 10, scrollTop: 45 });
  assert.deepEqual([...scrolled.boxRow.subarray(0, scrolled.boxCount)], [4]);
});

test('many narrow frames cost as many boxes as there are pixels', () => {
  const wide = Array.from({ length: 3_000 }, (_, i) => `f${String(i).padStart(5, '0')} 1`);
  const tree = treeOf([...wide, 'g 3000']);
  const plan = planDraw(tree, wholeView, viewport);
  assert.deepEqual(
    [...plan.boxRow.subarray(0, plan.boxCount)],
    [0, runOfNarrow, rowNamed(tree, 'g')],
  );
  assert.equal(plan.boxWidth[1], 50);
});

test('search counts each stack once and knows own shares', () => {
  const tree = treeOf(fixtureT);
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
  const tree = treeOf(fixtureT);
  const lit = hitColumns(tree, Uint32Array.of(rowNamed(tree, 'tiny.one')), wholeView, 100);
  assert.deepEqual([lit.indexOf(1), lit.reduce((sum, bit) => sum + bit, 0)], [99, 1]);
});

test('a zoom path finds its frame in other data, or the deepest that exists', () => {
  const tree = treeOf(fixtureT);
  const marshal = rowNamed(tree, 'encoding/json.Marshal');
  const path = printPath(tree, marshal, textsOf(tree));
  assert.equal(path.length, 15);
  assert.deepEqual(resolvePath(tree, path, textsOf(tree)), { row: marshal, missing: 0 });

  const other = treeOf(['main.main;svc.(*H).Serve;db.Query 5', 'x 9']);
  const found = resolvePath(other, path, textsOf(other));
  assert.deepEqual(found, { row: rowNamed(other, 'svc.(*H).Serve'), missing: 1 });
  assert.deepEqual(resolvePath(treeOf([]), path, textsOf(tree)), { row: 0, missing: 3 });
});

test('groups carry the share of what their frames have themselves', () => {
  const { module, package: packages } = treeOf(fixtureT).groups;
  const shares = module.texts.map((text, i) => [text, module.selfShare[i].toFixed(3)]);
  assert.deepEqual(
    shares.sort(([a], [b]) => (a < b ? -1 : 1)),
    [
      ['(unknown)', '0.000'],
      ['api', '0.601'],
      ['rt.so', '0.399'],
    ],
  );
  assert.ok(packages.texts.includes('encoding/json') && packages.texts.includes('svc'));
});
