// Tests the tests: each bug that is planted in the store must be found.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plantedBugs } from '../planted-bugs.ts';
import { runProgram } from '../run-program.ts';

/** Number of seeds; simulation.test.ts uses more. */
const seeds = 400;
const cyclesPerSeed = 20;

for (const { name, foundBy } of plantedBugs) {
  test(`found: ${name}`, async (t) => {
    const end =
      foundBy === undefined
        ? await runProgram('simulate.ts', [1, seeds, cyclesPerSeed], name)
        : await runProgram(`../../${foundBy}`, [], name);
    t.diagnostic(end.stderr.split('\n')[0]);
    assert.equal(end.code, 1, `not found, or not planted: ${end.stderr}`);
  });
}
