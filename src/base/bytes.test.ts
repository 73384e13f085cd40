// Tests that numbers are read as they were written, up to the limits of each range.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteReader, ByteWriter } from './bytes.ts';

const bigs = [
  0n,
  1n,
  127n,
  128n,
  2n ** 28n,
  2n ** 32n,
  2n ** 35n,
  2n ** 63n - 1n,
  -1n,
  -(2n ** 63n),
];
const numbers = [0, 1, 127, 128, 16_383, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1];
const signed = [0, 1, -1, 63, -64, 64, 2 ** 31 - 1, -(2 ** 31)];

test('numbers and texts come back', () => {
  const writer = new ByteWriter(1);
  for (const value of bigs) {
    writer.i64(value);
    writer.varintBig(value);
  }
  for (const value of numbers) {
    writer.u64(value);
    writer.varint(value);
  }
  for (const value of signed) writer.zigzag(value);
  writer.text('größe');
  writer.u8(255);
  const reader = new ByteReader(writer.copy());
  for (const value of bigs) {
    assert.equal(reader.i64(), value);
    assert.equal(reader.varintBig(), value);
  }
  for (const value of numbers) {
    assert.equal(reader.u64(), value);
    assert.equal(reader.varint(), value);
  }
  for (const value of signed) assert.equal(reader.zigzag(), value);
  assert.equal(reader.text(), 'größe');
  assert.equal(reader.u8(), 255);
  assert.equal(reader.at, reader.end);
});

test('reading past the end or a number without end fails', () => {
  const early = { code: 'data-loss' };
  assert.throws(() => new ByteReader(new Uint8Array(3)).u32(), early);
  assert.throws(() => new ByteReader(new Uint8Array([200])).varint(), early);
  assert.throws(() => new ByteReader(new Uint8Array([1, 2]), 0, 0).varint(), early);
  assert.throws(() => new ByteReader(new Uint8Array([9, 65])).text(), early);
  const endless = new Uint8Array(20).fill(0x80);
  assert.throws(() => new ByteReader(endless).varint(), early);
  assert.throws(() => new ByteReader(endless).varintBig(), early);
});
