// Tests 320 crashes and recoveries of the store, or 50,000 in a full test, on a simulated disk and
// on two cores.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rounds } from '../../src/base/testing/rounds.ts';
import { noSimulationCounts } from '../../src/storage/fake/simulation.ts';
import { runProgram } from './run-program.ts';

const processes = 2;
const seedsPerProcess = rounds(8, 1_250);
const cyclesPerSeed = 20;

test('crashes lose nothing, double nothing, change nothing', async (t) => {
  const runs = Array.from({ length: processes }, (_, i) =>
    runProgram('simulate.ts', [1 + i * seedsPerProcess, seedsPerProcess, cyclesPerSeed]),
  );
  const total = noSimulationCounts();
  for (const { code, stdout, stderr } of await Promise.all(runs)) {
    assert.equal(code, 0, stderr);
    const counts: Record<string, number> = JSON.parse(stdout);
    for (const [name, count] of Object.entries(counts)) total[name as keyof typeof total] += count;
  }
  t.diagnostic(JSON.stringify(total));
  assert.equal(total.cycles, processes * seedsPerProcess * cyclesPerSeed);
});
