// The query engine and a naive evaluation agree on 18,000 random questions, on two cores.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkPieces } from './check-pieces.ts';

test('every report, mode, filter and stage is what a naive evaluation says', async (t) => {
  const counts = await checkPieces(t, 'oracle.ts', 450, [40]);
  const { questions, nothing, increase, ...found } = counts;
  assert.equal(questions, 18_000);
  // Of the others the answer is that there is nothing.
  assert.ok(questions - nothing >= 10_000, JSON.stringify(counts));
  assert.ok(increase >= 1_000, JSON.stringify(counts));
  // Ten reports, of which all but the chart have diffs, and two kinds of graphs over time.
  assert.equal(Object.keys(found).length, 10 + 9 + 2);
});
