// Tests damaged debug information of every kind, with a new seed: for 0.25 seconds per parser, or
// three minutes in a full test.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rounds, testSeed } from '../../src/base/testing/rounds.ts';
import { runProgram } from '../crash/run-program.ts';

const processes = 2;
const secondsEach = rounds(0.25, 180) / processes;

test('no damaged file does more than be refused, and none takes long', async (t) => {
  const seed = testSeed();
  const runs = Array.from({ length: processes }, (_, i) =>
    runProgram('../fuzz/debuginfo.ts', [seed + 10_000_000 * i, secondsEach]),
  );
  for (const { code, stdout, stderr } of await Promise.all(runs)) {
    assert.equal(code, 0, stderr);
    t.diagnostic(stdout.trim());
    const counts = Object.entries(JSON.parse(stdout) as Record<string, number>);
    assert.equal(counts.length, 38);
    // There must be inputs that were read, and inputs that were refused.
    for (const [name, count] of counts) assert.ok(count > 0, name);
  }
});
