// Cells of the heatmap: where they are, which times they stand for, and how keys move.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  bucketAt,
  toBuckets,
  makeGrid,
  moveBucket,
  strength,
  timesBetween,
} from './times-cells.ts';

const start = Date.parse('2026-11-27T06:00:00Z');
const answer = { start: '2026-11-27T06:00:00Z', stepMillis: 20, columnMillis: 1_000 };

test('a grid has a column for each second, and cells are found and named by time', () => {
  const grid = makeGrid(answer, start + 9_999, false);
  assert.deepEqual(grid, { startMillis: start, stepMillis: 20, columns: 10, rows: 50 });
  assert.equal(bucketAt(grid, 0, 0), 0);
  assert.equal(bucketAt(grid, 0.25, 0.5), 2 * 50 + 25);
  assert.equal(bucketAt(grid, 1.5, 2), 499);
  assert.deepEqual(timesBetween(grid, 125, 50), { from: start + 1_000, to: start + 2_519 });
  assert.deepEqual(toBuckets(grid, { from: start + 1_000, to: start + 2_519 }), [50, 125]);
  assert.deepEqual(toBuckets(grid, { from: 0, to: start + 99_000 }), [0, 499]);
});

test('a flat grid has one row', () => {
  const grid = makeGrid({ ...answer, stepMillis: 500 }, start + 2_600, true);
  assert.deepEqual(grid, { startMillis: start, stepMillis: 500, columns: 6, rows: 1 });
});

test('keys move by cells and stay in the grid', () => {
  const grid = makeGrid(answer, start + 1_999, false);
  assert.equal(moveBucket(grid, 0, 'ArrowDown'), 1);
  assert.equal(moveBucket(grid, 0, 'ArrowRight'), 50);
  assert.equal(moveBucket(grid, 0, 'ArrowLeft'), 0);
  assert.equal(moveBucket(grid, 3, 'End'), 99);
  assert.equal(moveBucket(grid, 3, 'x'), undefined);
});

test('a small value is visible next to a large one', () => {
  assert.equal(strength(0, 10), 0);
  assert.equal(strength(10, 10), 1);
  assert.ok(strength(1, 100) > 0.2);
});
