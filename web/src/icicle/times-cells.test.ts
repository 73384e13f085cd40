// Tests of heatmap cells: positions, times, and keyboard movement.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  bucketAt,
  fillCells,
  toBuckets,
  makeGrid,
  moveBucket,
  strength,
  timesBetween,
  type TimesAnswer,
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

test('cells are longer than the period of samples, so that ticks are no stripes', () => {
  const answerOf = (stepMillis: number, unit: string, ...values: number[]): TimesAnswer => {
    const buckets = values.map((_, i) => i * 3);
    const line = { labels: {}, total: '0', buckets, values: values.map(String) };
    const rest = { more: { lines: 0, total: '0' }, untimed: '0', warnings: [] };
    return { ...answer, ...rest, stepMillis, unit, lines: [line] };
  };
  const period = 52_693_702;
  const filled = fillCells(answerOf(20, 'nanoseconds', period, 2 * period, period));
  assert.equal(filled.stepMillis, 100);
  const [{ buckets, values }] = filled.lines;
  assert.deepEqual(
    [buckets, values],
    [
      [0, 1],
      [`${3 * period}`, `${period}`],
    ],
  );
  const check = (given: TimesAnswer): void => assert.equal(fillCells(given), given);
  // Answers that stay unchanged: samples at 100 Hz, buckets of a second, counts, waits, and no
  // values.
  check(answerOf(20, 'nanoseconds', 10_000_000));
  check(answerOf(1_000, 'nanoseconds', period));
  check(answerOf(20, 'count', 1));
  check(answerOf(20, 'nanoseconds', 3_000_000_000));
  check(answerOf(20, 'nanoseconds'));
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
