// Tests of what makes the icicle readable: fitted names, the walk of the cursor, packages, views.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeFlameGraph, fixtureT, rowsOfStacks } from '../../testing/made-up-profile.ts';
import { buildTree } from './build-tree.ts';
import { NameFitter } from '../canvas/fit-name.ts';
import { packageOf, unknownGroup } from './grouping.ts';
import { TreeTexts, functionTotals, widestFrame } from './tree-texts.ts';
import type { Tree } from './tree.ts';
import { between, clampView, panBy, zoomAround } from '../canvas/view.ts';
import { type Move, walk } from './walk.ts';

function treeOf(stacks: readonly string[]): Tree {
  const rows = rowsOfStacks(stacks);
  const totals = { total: rows[0].cumulative, trimmed: 0n, isDiff: false };
  return buildTree(encodeFlameGraph(rows), totals, 'name');
}

test('the longest form that fits is drawn, then its middle is cut, then nothing', () => {
  const fitter = new NameFitter(() => 7);
  const fit = (characters: number) =>
    fitter.fit('github.com/prometheus/http.(*Server).ServeHTTP', characters * 7);
  assert.equal(fit(100), 'github.com/prometheus/http.(*Server).ServeHTTP');
  assert.equal(fit(30), 'g.c/p/http.(*Server).ServeHTTP');
  assert.equal(fit(24), 'http.(*Server).ServeHTTP');
  assert.equal(fit(19), '(*Server).ServeHTTP');
  assert.equal(fit(9), 'ServeHTTP');
  assert.equal(fit(6), 'S…HTTP');
  assert.equal(fit(3), '');
});

test('arrows walk to the widest callee, to siblings and cousins, and stop at the edges', () => {
  const tree = treeOf(fixtureT);
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
  const tree = treeOf(['a;f;f 5', 'b;f 3', 'c 2']);
  const index = new TreeTexts(tree).indexOf('f');
  assert.ok(index !== undefined);
  assert.deepEqual(functionTotals(tree, index), { share: 0.8, frames: 3 });
  assert.equal(tree.width[widestFrame(tree, index) ?? 0], 0.5);
});

test('packages by the rule of each language', () => {
  const cases: readonly (readonly [name: string, file: string, want: string])[] = [
    ['encoding/json.(*Decoder).Decode', '/usr/lib/go/src/encoding/json/decode.go', 'encoding/json'],
    ['github.com/a/b.Map[go.shape.int]', '/src/b.go', 'github.com/a/b'],
    ['main.main', 'main.go', 'main'],
    ['tokio::runtime::run', 'src/lib.rs', 'tokio'],
    ['<alloc::vec::Vec<T> as core::iter::Extend<U>>::extend', '', 'alloc'],
    ['send', '/app/node_modules/fastify/lib/reply.js', 'fastify'],
    ['send', 'node_modules/@scope/pkg/x.mjs', '@scope/pkg'],
    ['onTick', '/app/src/scrape/loop.ts', 'scrape'],
    ['emit', 'node:events', 'node'],
    ['java.util.HashMap.get', 'HashMap.java', 'java.util'],
    ['memcpy', '', 'libc.so.6'],
    ['Garbage Collection', '', 'runtime'],
    // Which is drawn in grey.
    ['(idle)', '', unknownGroup],
  ];
  for (const [name, file, want] of cases) {
    assert.equal(packageOf(name, file, '/usr/lib/libc.so.6'), want, name);
  }
});

test('views zoom around the pointer, stay inside and meet their target', () => {
  assert.deepEqual(zoomAround({ from: 0, to: 1 }, 0.5, 0.5), { from: 0.25, to: 0.75 });
  assert.deepEqual(zoomAround({ from: 0, to: 0.5 }, 0, 4), { from: 0, to: 1 });
  assert.deepEqual(panBy({ from: 0.5, to: 0.75 }, 10), { from: 0.75, to: 1 });
  assert.deepEqual(clampView(-1, 0.5), { from: 0, to: 0.5 });
  const target = { from: 0.4, to: 0.4001 };
  assert.deepEqual(between({ from: 0, to: 1 }, target, 1), target);
  const half = between({ from: 0, to: 1 }, target, 0.5);
  assert.ok(Math.abs(half.to - half.from - 0.01) < 1e-9, 'half way is the geometric mean');
  assert.ok(half.from < 0.4 && half.to > 0.4001, 'the target is inside all the way');
});
