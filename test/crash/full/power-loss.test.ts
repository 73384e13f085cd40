// Cuts the power of each real file system 20 times while a process writes. Also tests that this
// finds a missing sync.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diskKinds } from '../loop-disk.ts';
import { runProgram } from '../run-program.ts';
import type { WriterCounts } from '../writer-process.ts';

const cycles = 20;

for (const { name } of diskKinds) {
  test(`${name}: ${cycles} power losses lose nothing that was acknowledged`, async (t) => {
    const seed = randomSeed();
    const end = await runProgram('power-loss.ts', [name, cycles, seed]);
    assert.equal(end.code, 0, end.stderr);
    const counts: { cycles: number } & WriterCounts = JSON.parse(end.stdout);
    t.diagnostic(JSON.stringify(counts));
    assert.equal(counts.cycles, cycles);
    assert.ok(counts.acknowledged > cycles);
    assert.ok(counts.compacted > 0 && counts.deleted > 0);
  });

  test(`${name}: a sync that is left out is found`, async () => {
    const end = await runProgram('power-loss.ts', [name, cycles, 1], 'log-sync-skipped');
    assert.match(end.stderr, /was acknowledged and is lost/);
  });
}

/** Returns a random seed, which a failure reports. A seed is a day, counted from 2026 on. */
function randomSeed(): number {
  return 1 + Math.floor(Math.random() * 50_000);
}
