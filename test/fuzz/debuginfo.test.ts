// Damaged debug information, entries and answers, on two cores: 6,000, or 200,000 in full.
import { test } from 'node:test';
import { rounds } from '../../src/base/testing/rounds.ts';
import { checkPieces } from './check-pieces.ts';

test('no damaged file does more than be refused, and none takes long', async (t) => {
  await checkPieces(t, 'debuginfo.ts', rounds(6, 200));
});
