// kill -9 of the real server, 100 times, while clients write, ask and delete.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runProgram } from './run-program.ts';

const rounds = 100;

test(`${rounds} kills of the server lose nothing that was acknowledged`, async (t) => {
  const seed = Math.floor(Math.random() * 1_000_000);
  const end = await runProgram('kill-server.ts', [rounds, seed]);
  assert.equal(end.code, 0, end.stderr);
  t.diagnostic(end.stdout.trim());
  const counts: Record<string, number> = JSON.parse(end.stdout);
  assert.ok(counts['acknowledged'] > rounds);
  // Kills meet these only where they take place.
  for (const work of ['cuts', 'compactions', 'deletes', 'retired']) {
    assert.ok(counts[work] > 0, `no ${work}`);
  }
});

test('a delete that a compaction forgets is found', async () => {
  const end = await runProgram('kill-server.ts', [10, 1], 'deletion-ignored-by-compaction');
  assert.match(end.stderr, /was never sent, or is deleted|has \d+ rows, and had|round \d+/);
});
