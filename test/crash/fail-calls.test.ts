// Tests failing disk calls in a workload that changes the disk 2,000 times: one call fails, or a
// call and all later calls fail.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rounds } from '../../src/base/testing/rounds.ts';
import { runProgram } from './run-program.ts';

const changesMin = 2_000;
const processes = 2;
/** Number of calls from one failing call to the next; tools/campaigns.mjs lets every call fail. */
const every = rounds(2_200, 20);
const readsEvery = 10;

test('whatever call fails, nothing is lost and the store goes on', async (t) => {
  const runs = Array.from({ length: processes }, (_, i) =>
    runProgram('fail-calls.ts', [changesMin, every, (i * every) / processes, readsEvery]),
  );
  let failures = 0;
  for (const { code, stdout, stderr } of await Promise.all(runs)) {
    assert.equal(code, 0, stderr);
    const counts: { changes: number; failures: number } = JSON.parse(stdout);
    assert.ok(counts.changes >= changesMin);
    failures += counts.failures;
  }
  t.diagnostic(`${failures} failures`);
  assert.ok(failures > (2 * changesMin) / every);
});
