// Tests that the random test of the whole server finds planted faults.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rounds } from '../../src/base/testing/rounds.ts';
import { runProgram } from '../crash/run-program.ts';
import { plantedFaults } from './planted-faults.ts';

const secondsMax = 60;

/**
 * Faults to plant. The first is found within seconds; for others, the test waits for a call that
 * never returns.
 */
const faults = plantedFaults.slice(0, rounds(1, plantedFaults.length));

for (const { name } of faults) {
  test(`found: ${name}`, async (t) => {
    const end = await runProgram('../whole-server/live.ts', [1, secondsMax], name);
    t.diagnostic(end.stderr.split('\n')[0].slice(0, 300));
    assert.equal(end.code, 1, `not found, or not planted: ${end.stderr}`);
  });
}
