// 100,000 random requests of reports, decoded, answered and encoded, on two cores.
import { test } from 'node:test';
import { checkPieces } from './check-pieces.ts';

test('no request does more than be refused, and none takes long', async (t) => {
  await checkPieces(t, 'filters.ts', 100);
});
