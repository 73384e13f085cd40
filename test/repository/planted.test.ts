// Tests that the source contains the strings that planted bugs replace, so that a rename cannot
// disarm them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { plantedBugs } from '../crash/planted-bugs.ts';
import { plantedFaults } from '../whole-server/planted-faults.ts';

const root = new URL('../../', import.meta.url);

test('the text of each planted bug is in its file exactly once', () => {
  const counts = [...plantedBugs, ...plantedFaults].map(({ name, file, find }) => {
    const count = readFileSync(new URL(file, root), 'utf8').split(find).length - 1;
    return `${name}: ${count}`;
  });
  assert.deepEqual(
    counts.filter((line) => !line.endsWith(': 1')),
    [],
  );
});
