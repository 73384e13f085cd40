// 100,000 random texts to the parser of queries, on two cores.
import { test } from 'node:test';
import { checkPieces } from './check-pieces.ts';

test('no text does more than be refused, and none takes long', async (t) => {
  await checkPieces(t, 'queries.ts', 100);
});
