// The query engine and a naive evaluation agree on 18,000 random questions, on two cores.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkPieces } from './check-pieces.ts';

test('merges, moments, diffs and values over time are what a naive evaluation says', async (t) => {
  const counts = await checkPieces(t, 'oracle.ts', 450, [40]);
  // Of the others the answer is that there is nothing.
  assert.ok(counts['found something'] >= 10_000, JSON.stringify(counts));
});
