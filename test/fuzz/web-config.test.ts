// Random web config files and credentials, on two cores: 500 files and 2,000 headers, or 240 times
// as many in full.
import { test } from 'node:test';
import { rounds } from '../../src/base/testing/rounds.ts';
import { checkPieces } from './check-pieces.ts';

test('no file does more than be refused, and no damaged credentials let anybody in', async (t) => {
  await checkPieces(t, 'web-config.ts', rounds(2, 480));
});
