// 50,000 single bit flips in 1 MiB of logs, blocks and deletions: no value is wrong silently.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runProgram } from './run-program.ts';

const flipsMin = 50_000;
const processes = 2;
const bytesMin = 2 ** 20 / processes;
const every = Math.floor((8 * processes * bytesMin) / flipsMin);
/** Stores that a process does not reach. */
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

for (const bug of [
  'checksum-ignored',
  'checksum-of-a-block-ignored',
  'checksum-of-deletions-ignored',
]) {
  test(`found: ${bug}`, async () => {
    const end = await runProgram('flip-bits.ts', [1, bytesMin, every, flipsMin / 50], bug);
    assert.equal(end.code, 1, end.stderr);
  });
}
