// Runs a hundred crashes on a simulated disk. test/crash/simulation.test.ts runs many more.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rounds } from '../../base/testing/rounds.ts';
import { noSimulationCounts, simulate } from '../fake/simulation.ts';

test('nothing acknowledged is lost, doubled or changed by any crash', async (t) => {
  const counts = noSimulationCounts();
  for (let seed = 1; seed <= rounds(4, 16); seed += 1) await simulate(seed, 8, counts);
  t.diagnostic(JSON.stringify(counts));
  assert.ok(counts.acknowledged > counts.cycles && counts.rotations > 0 && counts.passes > 0);
});
