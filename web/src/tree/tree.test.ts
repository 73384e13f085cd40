// Tests of the tree of fixture T, parsed from an Arrow answer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeFlameGraph, fixtureT, rowsOfStacks } from '../../testing/made-up-profile.ts';
import { buildTree } from './build-tree.ts';
import { StringReader, unpackStrings } from './strings.ts';
import { functionTotals, TreeTexts, widestFrame } from './tree-texts.ts';
import { depthCount, findDepth, noString, pathTo, type SiblingOrder, type Tree } from './tree.ts';
import { type Move, walk } from './walk.ts';
import { levelsMax, printPath, resolvePath } from './zoom-path.ts';

function makeTree(stacks: readonly string[], order: SiblingOrder = 'name', cut = 0n): Tree {
  const rows = rowsOfStacks(stacks);
  const totals = { total: rows[0].cumulative + cut, trimmed: cut, isDiff: false };
  return buildTree(encodeFlameGraph(rows), totals, order);
}

function describe(tree: Tree): string[] {
  const names = unpackStrings(tree.names);
  return [...tree.x.keys()].map(
    (row) =>
      `${findDepth(tree, row)} ${names[tree.name[row]]} ` +
      `${tree.x[row].toFixed(3)}+${tree.width[row].toFixed(3)} ${tree.flat[row] / 10_000_000n}`,
  );
}

function readTexts(tree: Tree) {
  const names = new StringReader(tree.names);
  const strings = new StringReader(tree.strings);
  return {
    name: (index: number) => names.get(index),
    binary: (index: number) => strings.get(index),
  };
}

function rowNamed(tree: Tree, name: string): number {
  const index = unpackStrings(tree.names).indexOf(name);
  return tree.name.indexOf(index);
}

test('fixture T is laid out by name with exact values', () => {
  assert.deepEqual(describe(makeTree(fixtureT)), [
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
  const tree = makeTree(fixtureT, 'value', 10_000_000_000n);
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
  const tree = makeTree([]);
  assert.deepEqual([tree.count, depthCount(tree), tree.width[0]], [1, 1, 0]);
});

test('frames without a function are named by binary and address', () => {
  const bare = rowsOfStacks(['0x1f20;main.main 5', '0x1f20 1'], 1n, () => ({}));
  const tree = buildTree(encodeFlameGraph(bare), { total: 6n, trimmed: 0n, isDiff: false }, 'name');
  assert.equal(rowNamed(tree, '0x1f20'), 1);
  const rows = rowsOfStacks(['0x1f20 5'], 1n, () => ({ binary: '/usr/lib/libc.so.6' }));
  const withBinary = buildTree(
    encodeFlameGraph(rows),
    { total: 5n, trimmed: 0n, isDiff: false },
    'name',
  );
  assert.ok(rowNamed(withBinary, 'libc.so.6+0x1f20') > 0);
  assert.notEqual(withBinary.binary[1], noString);
});

test('a thousand levels need no recursion', () => {
  const deep = Array.from({ length: 1_000 }, (_, i) => `f${i}`).join(';');
  const tree = makeTree([`${deep} 7`]);
  assert.equal(depthCount(tree), 1_001);
  assert.equal(pathTo(tree, 1_000).length, 1_001);
  const path = printPath(tree, 1_000, readTexts(tree));
  assert.equal(path.length, levelsMax * 5);
  assert.equal(resolvePath(tree, path, readTexts(tree)).row, levelsMax);
});

test('a zoom path finds its frame in other data, or the deepest that exists', () => {
  const tree = makeTree(fixtureT);
  const marshal = rowNamed(tree, 'encoding/json.Marshal');
  const path = printPath(tree, marshal, readTexts(tree));
  assert.equal(path.length, 15);
  assert.deepEqual(resolvePath(tree, path, readTexts(tree)), { row: marshal, missing: 0 });

  const other = makeTree(['main.main;svc.(*H).Serve;db.Query 5', 'x 9']);
  const found = resolvePath(other, path, readTexts(other));
  assert.deepEqual(found, { row: rowNamed(other, 'svc.(*H).Serve'), missing: 1 });
  assert.deepEqual(resolvePath(makeTree([]), path, readTexts(tree)), { row: 0, missing: 3 });
});

test('groups carry the share of what their frames have themselves', () => {
  const { binary, package: packages } = makeTree(fixtureT).groups;
  const shares = binary.texts.map((text, i) => [text, binary.selfShare[i].toFixed(3)]);
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

test('arrows walk to the widest callee, to siblings and cousins, and stop at the edges', () => {
  const tree = makeTree(fixtureT);
  const texts = new TreeTexts(tree);
  const name = (row: number) => texts.name(tree.name[row]);
  const from = (start: string, move: Move) => {
    const index = texts.indexOf(start);
    return name(walk(tree, index === undefined ? 0 : tree.name.indexOf(index), move));
  };
  assert.equal(from('root', 'down'), 'main.main');
  assert.equal(from('svc.(*H).Serve', 'down'), 'encoding/json.Marshal');
  assert.equal(from('encoding/json.Marshal', 'left'), 'db.Query');
  assert.equal(from('db.Query', 'left'), 'db.Query');
  assert.equal(from('main.main', 'right'), 'runtime.gcBgMark');
  assert.equal(from('tiny.one', 'right'), 'tiny.one');
  assert.equal(from('db.Query', 'root'), 'root');
  assert.equal(from('root', 'up'), 'root');
  assert.equal(from('root', 'leaf'), 'encoding/json.Marshal');
});

test('a function in several places is counted once a stack', () => {
  const tree = makeTree(['a;f;f 5', 'b;f 3', 'c 2']);
  const index = new TreeTexts(tree).indexOf('f');
  assert.ok(index !== undefined);
  assert.deepEqual(functionTotals(tree, index), { share: 0.8, frames: 3 });
  assert.equal(tree.width[widestFrame(tree, index) ?? 0], 0.5);
});

test('a frame without a function is named by its address, also below a label row', () => {
  const [root, ...rows] = rowsOfStacks(['main.main 5']);
  const [frame] = rows;
  const labelled = [
    { ...root, children: [1] },
    { ...frame, name: undefined, pod: 'a', isLabelRow: true, children: [2] },
    { ...frame, name: undefined, pod: 'a', binary: '/app', address: 0x1f20n, parent: 1, depth: 2 },
  ];
  const totals = { total: root.cumulative, trimmed: 0n, isDiff: false };
  const tree = buildTree(encodeFlameGraph(labelled), totals, 'name');
  const names = unpackStrings(tree.names);
  assert.deepEqual(
    [...tree.name].map((name) => names[name]),
    ['root', 'pod=a', 'app+0x1f20'],
  );
});
