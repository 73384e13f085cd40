// Tests damaged frames, base64 and compressed messages, for a second each; tools/campaigns.mjs runs
// them for longer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../src/base/testing/rounds.ts';
import { runProgram } from '../crash/run-program.ts';

for (const target of ['grpc', 'grpc-web-text', 'compressed']) {
  test(`${target}: whatever comes is read or refused, in bounded time and memory`, async (t) => {
    const seed = testSeed();
    const { code, stdout, stderr } = await runProgram('../fuzz/frames.ts', [target, seed, 1]);
    assert.equal(code, 0, `TEST_SEED=${seed}: ${stderr}`);
    const { inputs, read, refused } = JSON.parse(stdout) as Record<string, number>;
    assert.ok(inputs > 20 && read > 0 && refused > 0, stdout);
    t.diagnostic(stdout.trim());
  });
}
