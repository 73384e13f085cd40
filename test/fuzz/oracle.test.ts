// Tests on two cores that the query engine and a naive evaluation agree on 1,280 random queries, or
// 18,000 in a full test.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rounds } from '../../src/base/testing/rounds.ts';
import { checkPieces } from './check-pieces.ts';

const seeds = rounds(32, 450);
const questionsPerSeed = 40;

test('every report, mode, filter and stage is what a naive evaluation says', async (t) => {
  const counts = await checkPieces(t, 'oracle.ts', seeds, [questionsPerSeed]);
  const { questions, nothing, increase, within, except, leaf, derived, ...found } = counts;
  assert.equal(questions, seeds * questionsPerSeed);
  // At least five of nine queries have an answer that is not empty.
  assert.ok((questions - nothing) * 9 >= questions * 5, JSON.stringify(counts));
  assert.ok(increase >= rounds(60, 900), JSON.stringify(counts));
  assert.ok(within >= rounds(20, 300) && except >= rounds(84, 1_200), JSON.stringify(counts));
  assert.ok(leaf >= rounds(10, 140) && derived >= rounds(5, 70), JSON.stringify(counts));
  // Ten reports, nine of which have diffs (the chart does not), and two kinds of graphs over time.
  assert.equal(Object.keys(found).length, 10 + 9 + 2);
});
