// Tests kill -9 of the real server while clients write, query and delete: three times, or 100 times
// in a full test.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFull, rounds } from '../../src/base/testing/rounds.ts';
import { runProgram } from './run-program.ts';

const kills = rounds(3, 100);

test(`${kills} kills of the server lose nothing that was acknowledged`, async (t) => {
  const seed = Math.floor(Math.random() * 1_000_000);
  const end = await runProgram('kill-server.ts', [kills, seed]);
  assert.equal(end.code, 0, end.stderr);
  t.diagnostic(end.stdout.trim());
  const counts: Record<string, number> = JSON.parse(end.stdout);
  assert.ok(counts['acknowledged'] > kills);
  // With only three kills, one of these events may not occur.
  if (!isFull) return;
  for (const work of ['cuts', 'compactions', 'deletes', 'retired']) {
    assert.ok(counts[work] > 0, `no ${work}`);
  }
});
