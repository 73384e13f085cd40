// Tests damaged web config files and credentials for a second, or 3 minutes in a full test.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rounds, testSeed } from '../../src/base/testing/rounds.ts';
import { runProgram } from '../crash/run-program.ts';

test('no file does more than be refused, and no damaged credentials let anybody in', async (t) => {
  const given = [testSeed(), `${rounds(1, 180)}s`];
  const { code, stdout, stderr } = await runProgram('../fuzz/web-config.ts', given);
  assert.equal(code, 0, stderr);
  const counts = JSON.parse(stdout) as Record<string, number>;
  assert.deepEqual(Object.keys(counts), ['files', 'accepted', 'headers', 'letIn']);
  for (const [name, count] of Object.entries(counts)) assert.ok(count > 0, name);
  t.diagnostic(stdout.trim());
});
