// Tests of drawing: planned boxes, hit tests, fitted names, and views.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeFlameGraph, fixtureT, rowsOfStacks } from '../../testing/made-up-profile.ts';
import { buildTree } from '../tree/build-tree.ts';
import { unpackStrings } from '../tree/strings.ts';
import type { SiblingOrder, Tree } from '../tree/tree.ts';
import { planDraw, runOfNarrow } from './draw-plan.ts';
import { NameFitter } from './fit-name.ts';
import { hitTest } from './hit-test.ts';
import { between, clampView, panBy, wholeView, zoomAround } from './view.ts';

function makeTree(stacks: readonly string[], order: SiblingOrder = 'name', cut = 0n): Tree {
  const rows = rowsOfStacks(stacks);
  const totals = { total: rows[0].cumulative + cut, trimmed: cut, isDiff: false };
  return buildTree(encodeFlameGraph(rows), totals, order);
}

const viewport = { width: 100, height: 200, scrollTop: 0, rowHeight: 20, labelWidthMin: 20 };

function rowNamed(tree: Tree, name: string): number {
  const index = unpackStrings(tree.names).indexOf(name);
  return tree.name.indexOf(index);
}

test('hit test finds frames, gaps and runs of narrow frames', () => {
  const tree = makeTree(fixtureT);
  const at = (depth: number, x: number, pixel = 1e-4) => hitTest(tree, depth, x, pixel)?.row;
  assert.equal(at(0, 0.5), 0);
  assert.equal(at(1, 0.7), rowNamed(tree, 'runtime.gcBgMark'));
  assert.equal(at(3, 0.25), rowNamed(tree, 'encoding/json.Marshal'));
  assert.equal(at(3, 0.55), undefined, 'own time of Serve is empty');
  assert.equal(at(4, 0.1), undefined);
  const narrow = hitTest(tree, 1, 0.9991, 0.002);
  assert.deepEqual([narrow?.row, narrow?.frames], [rowNamed(tree, 'tiny.one'), 1]);
});

test('a flipped plan has the root at the lower edge, and the same boxes', () => {
  const tree = makeTree(fixtureT);
  const plan = planDraw(tree, wholeView, viewport);
  const flipped = planDraw(tree, wholeView, { ...viewport, isFlipped: true });
  assert.deepEqual(
    Array.from(flipped.boxY.subarray(0, flipped.boxCount)),
    Array.from(plan.boxY.subarray(0, plan.boxCount), (y) => 180 - y),
  );
  assert.deepEqual(flipped.boxX, plan.boxX);
  const scrolled = planDraw(tree, wholeView, { ...viewport, isFlipped: true, scrollTop: 20 });
  assert.deepEqual([scrolled.boxRow[0], scrolled.boxY[0]], [1, 180], 'the root is out of sight');
});

test('the plan has a box a frame and one run for what is narrower than a pixel', () => {
  const tree = makeTree(fixtureT);
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
  const tree = makeTree(fixtureT);
  const zoomed = planDraw(tree, { from: 0.25, to: 0.35 }, viewport);
  assert.deepEqual([...zoomed.boxRow.subarray(0, zoomed.boxCount)], [0, 1, 4, 6]);
  const scrolled = planDraw(tree, wholeView, { ...viewport, height: 10, scrollTop: 45 });
  assert.deepEqual([...scrolled.boxRow.subarray(0, scrolled.boxCount)], [4]);
});

test('many narrow frames cost as many boxes as there are pixels', () => {
  const wide = Array.from({ length: 3_000 }, (_, i) => `f${String(i).padStart(5, '0')} 1`);
  const tree = makeTree([...wide, 'g 3000']);
  const plan = planDraw(tree, wholeView, viewport);
  assert.deepEqual(
    [...plan.boxRow.subarray(0, plan.boxCount)],
    [0, runOfNarrow, rowNamed(tree, 'g')],
  );
  assert.equal(plan.boxWidth[1], 50);
});

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
