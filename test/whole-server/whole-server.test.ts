// Tests the whole server over the network with random events, from a new seed each time; planted
// faults must be found.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../src/base/testing/rounds.ts';
import { runProgram } from '../crash/run-program.ts';

const seconds = 5;

test('every answer is that of a plain evaluation, whatever the server lived through', async (t) => {
  const seed = testSeed();
  t.diagnostic(`seed ${seed}: node test/whole-server/live.ts ${seed} ${seconds}`);
  const end = await runProgram('../whole-server/live.ts', [seed, seconds]);
  assert.equal(end.code, 0, end.stderr);
  t.diagnostic(end.stdout.trim());
  const { questions } = JSON.parse(end.stdout) as { questions: number };
  assert.ok(questions > 0);
});
