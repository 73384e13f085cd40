// Tests that flipping single bits finds bugs in the use of checksums.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runProgram } from '../run-program.ts';

const bytes = 2 ** 19;
/** Number of bits from one flipped bit to the next. */
const every = 167;
const flipsMax = 1_000;

for (const bug of [
  'checksum-ignored',
  'checksum-of-a-block-ignored',
  'checksum-of-deletions-ignored',
]) {
  test(`found: ${bug}`, async () => {
    const end = await runProgram('flip-bits.ts', [1, bytes, every, flipsMax], bug);
    assert.equal(end.code, 1, end.stderr);
  });
}
