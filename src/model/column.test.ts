// Growing columns keep all written elements, no matter when they are moved.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { grown, grownInSteps, withCapacity } from './column.ts';

test('a grown column keeps its elements', () => {
  const column = Int32Array.of(1, 2, 3);
  assert.equal(grown(column, 3), column);
  assert.deepEqual([...grown(column, 17).subarray(0, 4)], [1, 2, 3, 0]);
  assert.equal(grown(column, 17).length, 32);
});

test('the first rows of a column get exact room, later ones spare room', () => {
  const first = withCapacity(Int32Array.of(7, 8), 2, 100);
  assert.deepEqual([first.length, ...first.subarray(0, 3)], [102, 7, 8, 0]);
  assert.equal(withCapacity(first, 90, 12), first);
  const second = withCapacity(first, 102, 1);
  assert.deepEqual([second.length, ...second.subarray(0, 3)], [204, 7, 8, 0]);
});

for (const perCall of [1, 7, 5_000]) {
  test(`a column that grows in steps keeps its elements, ${perCall} elements a call`, () => {
    let column = new Uint32Array(1 << 17);
    const count = 1 << 20;
    for (let row = 0; row < count; row += perCall) {
      column = grownInSteps(column, row + perCall, row);
      for (let i = row; i < row + perCall; i += 1) column[i] = i * 3;
    }
    for (let i = 0; i < count; i += 1) if (column[i] !== i * 3) assert.equal(column[i], i * 3);
    assert.ok(column.length <= 1 << 21);
  });
}

test('the last element may change until it is settled', () => {
  // This resembles a column of row starts, whose last element is the start of the next row.
  let column = new Uint32Array(1 << 19);
  const count = 1 << 20;
  for (let row = 0; row + 2 < count; row += 1) {
    column = grownInSteps(column, row + 2, row);
    column[row + 1] = 0;
    column[row + 1] = column[row] + 2;
  }
  for (let row = 0; row + 1 < count; row += 1) if (column[row] !== row * 2) assert.fail(`${row}`);
});
