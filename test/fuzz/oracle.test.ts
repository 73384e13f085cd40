// The query engine and a naive evaluation agree on 18,000 random questions, on two cores.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runProgram } from '../crash/run-program.ts';

const processes = 2;
const storesPerProcess = 225;
const questionsPerStore = 40;

test('merges, moments, diffs and values over time are what a naive evaluation says', async (t) => {
  const runs = Array.from({ length: processes }, (_, i) =>
    runProgram('../fuzz/oracle.ts', [
      1 + i * storesPerProcess,
      storesPerProcess,
      questionsPerStore,
    ]),
  );
  let found = 0;
  for (const { code, stdout, stderr } of await Promise.all(runs)) {
    assert.equal(code, 0, stderr);
    const counts: Record<string, number> = JSON.parse(stdout);
    t.diagnostic(stdout);
    found += counts['found something'];
  }
  // Of the others the answer is that there is nothing.
  assert.ok(found >= 10_000, `${found} questions found something`);
});
