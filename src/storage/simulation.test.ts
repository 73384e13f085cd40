// Thousands of crashes on a simulated disk, a million with TEST_FULL=1; TEST_SEED=n repeats one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulate, type SimulationCounts } from './fake/simulation.ts';

const cyclesPerSeed = 8;
const onlySeed = process.env['TEST_SEED'];
const first = Number(onlySeed ?? 1);
const manySeeds = process.env['TEST_FULL'] === '1' ? 125_000 : 200;
const seeds = onlySeed === undefined ? manySeeds : 1;

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
      throw new Error(`repeat it with TEST_SEED=${seed}`, { cause: error });
    });
  }
  t.diagnostic(JSON.stringify(counts));
  assert.equal(counts.cycles, seeds * cyclesPerSeed);
  if (onlySeed === undefined) assert.ok(counts.acknowledged > counts.cycles && counts.refused > 0);
});
