import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packBits } from './bits.ts';

test('flags are packed, least significant bit first, and counted', () => {
  for (const length of [0, 1, 8, 31, 32, 33, 64, 65, 300]) {
    const flags = Uint8Array.from({ length }, (_, i) => (i % 3 === 0 || i % 32 === 31 ? 1 : 0));
    const rows = Int32Array.from({ length }, (_, i) => length - 1 - i);
    check(packBits(flags), [...flags]);
    check(packBits(flags, rows), [...flags].reverse());
    check(packBits(flags, Int32Array.of(0, 0).subarray(0, Math.min(length, 2))), [
      ...flags.subarray(0, 1),
      ...flags.subarray(0, length > 1 ? 1 : 0),
    ]);
  }
});

function check(bits: ReturnType<typeof packBits>, want: readonly number[]): void {
  const bytes = new Uint8Array(Math.ceil(want.length / 64) * 8);
  want.forEach((flag, i) => {
    bytes[i >> 3] += flag * 2 ** (i & 7);
  });
  assert.deepEqual(bits, { bytes, ones: want.filter((flag) => flag === 1).length });
}
