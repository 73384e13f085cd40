// Tests that killing the server finds a compaction that forgets a delete.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runProgram } from '../run-program.ts';

test('a delete that a compaction forgets is found', async () => {
  const end = await runProgram('kill-server.ts', [10, 1], 'deletion-ignored-by-compaction');
  assert.match(end.stderr, /was never sent, or is deleted|has \d+ rows, and had|round \d+/);
});
