// Looking up many rows of a table together gives the same answers as looking them up one by one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../base/random.ts';
import { LocationTable } from './location-table.ts';
import type { MappingIndex } from './rows.ts';
import { StackTable } from './stack-table.ts';

// With 16,384 slots or more, the index grows in steps, so that some lookups find rows in the old
// slots.
const rows = 20_000;

test('look-ups of many locations say what single ones say, while the table grows', () => {
  const random = seededRandom(1);
  const table = new LocationTable(7);
  const keys = {
    mapping: new Int32Array(rows + 1),
    addressLow: new Uint32Array(rows + 1),
    addressHigh: new Uint32Array(rows + 1),
    linesHash: new Int32Array(rows + 1),
  };
  for (let row = 1; row <= rows; row += 1) {
    keys.mapping[row] = random.uint32() % 3;
    keys.addressLow[row] = random.uint32() % 4_000;
    keys.addressHigh[row] = random.uint32() % 3;
    keys.linesHash[row] = (random.uint32() % 2) - 1;
  }
  const find = (row: number): number =>
    table.find(
      keys.mapping[row] as MappingIndex,
      keys.addressLow[row],
      keys.addressHigh[row],
      keys.linesHash[row],
    );
  const found = new Int32Array(rows + 1);
  for (let row = 1; row <= rows; row += 1) {
    if (find(row) === 0) {
      const { mapping, addressLow, addressHigh, linesHash } = keys;
      const place = mapping[row] as MappingIndex;
      table.add(place, addressLow[row], addressHigh[row], linesHash[row]);
    }
    if (row % 997 !== 0) continue;
    table.findAll(keys, rows, found);
    assert.deepEqual(
      Array.from(found),
      Array.from(found, (_, i) => (i === 0 ? 0 : find(i))),
    );
  }
});

test('look-ups of many stacks say what single ones say, while the table grows', () => {
  const random = seededRandom(2);
  const table = new StackTable(1, 2);
  const low = Int32Array.from({ length: rows }, () => random.uint32() % 9_000);
  const high = Int32Array.from({ length: rows }, () => (random.uint32() % 3) - 1);
  const found = new Uint32Array(rows);
  for (let i = 0; i < rows; i += 1) {
    if (table.find(low[i], high[i]) === 0) table.add(low[i], high[i], [1 + (i % 9)]);
    if (i % 997 !== 0) continue;
    table.findAll(low, high, rows, found);
    assert.deepEqual(
      Array.from(found),
      Array.from(found, (_, at) => table.find(low[at], high[at])),
    );
  }
});
