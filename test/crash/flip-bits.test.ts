// Flips single bits in 1 MiB of logs, blocks and deletions: 300 flips, or 50,000 in a full test. No
// value is silently wrong.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rounds } from '../../src/base/testing/rounds.ts';
import { runProgram } from './run-program.ts';

const flipsMin = rounds(300, 50_000);
const processes = 2;
const bytesMin = 2 ** 20 / processes;
/** Correction for rounding: a store may have one flip fewer. */
const roundedOff = 0.98;
const every = Math.floor((8 * processes * bytesMin * roundedOff) / flipsMin);
/** Maximum number of seeds for each process; no process uses that many. */
const storesMax = 10_000;

test('a flipped bit is noticed or harmless', async (t) => {
  const runs = Array.from({ length: processes }, (_, i) =>
    runProgram('flip-bits.ts', [1 + i * storesMax, bytesMin, every]),
  );
  let flips = 0;
  for (const { code, stdout, stderr } of await Promise.all(runs)) {
    assert.equal(code, 0, stderr);
    t.diagnostic(stdout.trim());
    const counts: { flips: number } = JSON.parse(stdout);
    flips += counts.flips;
  }
  assert.ok(flips >= flipsMin, `${flips} flips`);
});
