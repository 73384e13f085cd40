// Tests 2,000 random report requests, or 100,000 in a full test, on two cores: they are decoded,
// answered and encoded.
import { test } from 'node:test';
import { rounds } from '../../src/base/testing/rounds.ts';
import { checkPieces } from './check-pieces.ts';

test('no request does more than be refused, and none takes long', async (t) => {
  await checkPieces(t, 'filters.ts', rounds(1, 100));
});
