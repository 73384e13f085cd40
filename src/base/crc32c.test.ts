// Tests of the checksum with published examples, and of its seed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32c } from './crc32c.ts';

function check(bytes: Uint8Array, want: number): void {
  assert.equal(crc32c(bytes), want);
}

test('equals the vectors of RFC 3720', () => {
  check(new Uint8Array(0), 0);
  check(new TextEncoder().encode('123456789'), 0xe3069283);
  check(new Uint8Array(32), 0x8a9136aa);
  check(new Uint8Array(32).fill(0xff), 0x62a8ab43);
  check(
    Uint8Array.from({ length: 32 }, (_, i) => i),
    0x46dd794e,
  );
});

test('continues over pieces of any length', () => {
  const bytes = Uint8Array.from({ length: 61 }, (_, i) => (i * 37) & 255);
  const whole = crc32c(bytes);
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    assert.equal(crc32c(bytes, cut, bytes.length, crc32c(bytes, 0, cut)), whole);
  }
});

test('a seed changes the result', () => {
  const bytes = new TextEncoder().encode('record');
  assert.notEqual(crc32c(bytes, 0, bytes.length, 7), crc32c(bytes));
});
