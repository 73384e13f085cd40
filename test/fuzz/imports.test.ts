// Damaged files of foreign formats and OTLP requests, on two cores: 30,000, or 500,000 in full.
import { test } from 'node:test';
import { rounds } from '../../src/base/testing/rounds.ts';
import { checkPieces } from './check-pieces.ts';

test('no file does more than be refused, and none grows or takes long', async (t) => {
  await checkPieces(t, 'imports.ts', rounds(6, 100));
});
