// A harness that never fails proves nothing: bugs planted in the engine, each must be found.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plantedBugs } from './planted-bugs.ts';
import { runProgram } from './run-program.ts';

/** A part of what simulation.test.ts runs. */
const seeds = 600;
const cyclesPerSeed = 20;

for (const { name } of plantedBugs) {
  test(`found: ${name}`, async (t) => {
    const end = await runProgram('simulate.ts', [1, seeds, cyclesPerSeed], name);
    t.diagnostic(end.stderr.split('\n')[0]);
    assert.equal(end.code, 1, `not found, or not planted: ${end.stderr}`);
  });
}
