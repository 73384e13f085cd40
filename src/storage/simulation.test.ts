// Thousands of crashes on a simulated disk. STORAGE_SIMULATION_SEED replays one seed,
// STORAGE_SIMULATION_SEEDS runs that many.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulate, type SimulationCounts } from './fake/simulation.ts';

const cyclesPerSeed = 8;
const onlySeed = process.env['STORAGE_SIMULATION_SEED'];
const first = onlySeed === undefined ? 1 : Number(onlySeed);
const seeds = onlySeed === undefined ? Number(process.env['STORAGE_SIMULATION_SEEDS'] ?? 250) : 1;

test('nothing acknowledged is lost, doubled or changed by any crash', async (t) => {
  const counts: SimulationCounts = {
    cycles: 0,
    acknowledged: 0,
    refused: 0,
    powerLosses: 0,
    kills: 0,
  };
  for (let seed = first; seed < first + seeds; seed += 1) {
    await simulate(seed, cyclesPerSeed, counts).catch((error: unknown) => {
      throw new Error(`replay with STORAGE_SIMULATION_SEED=${seed}`, { cause: error });
    });
  }
  t.diagnostic(JSON.stringify(counts));
  assert.equal(counts.cycles, seeds * cyclesPerSeed);
  if (onlySeed === undefined) assert.ok(counts.acknowledged > counts.cycles && counts.refused > 0);
});
