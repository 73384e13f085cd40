// Tests the query parser with 2,000 random strings, or 100,000 in a full test, on two cores.
import { test } from 'node:test';
import { rounds } from '../../src/base/testing/rounds.ts';
import { checkPieces } from './check-pieces.ts';

test('no text does more than be refused, and none takes long', async (t) => {
  await checkPieces(t, 'queries.ts', rounds(2, 100));
});
