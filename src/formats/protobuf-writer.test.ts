// Tests of the protobuf writer, whose output protobufjs reads.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import protobuf from 'protobufjs/minimal.js';
import { asWords } from '../base/int64.ts';
import { ProtobufWriter } from './protobuf-writer.ts';

test('varints of every size', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }), (value) => {
      const writer = new ProtobufWriter();
      writer.varint64(value);
      const read = protobuf.Reader.create(writer.finish()).uint64();
      assert.equal(BigInt(read.toString()), BigInt.asUintN(64, value));
    }),
  );
  for (let bit = 0; bit <= 53; bit += 1) {
    const writer = new ProtobufWriter();
    writer.varint(2 ** bit);
    writer.uint64(1, 1, 2 ** Math.max(0, bit - 22));
    const reader = protobuf.Reader.create(writer.finish());
    assert.equal(Number(reader.uint64().toString()), 2 ** bit);
    assert.equal(reader.uint32(), 8);
    const halves = BigInt(2 ** Math.max(0, bit - 22)) * 2n ** 32n + 1n;
    assert.equal(BigInt(reader.uint64().toString()), halves);
  }
});

test('many varints are those that are written one by one', () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })), (few) => {
      // There are enough values for several steps. The bytes before them must not move.
      const values = BigInt64Array.from({ length: 5_000 }, (_, i) => few[i % few.length] ?? 0n);
      const [writer, other] = [new ProtobufWriter(0), new ProtobufWriter()];
      for (const one of [writer, other]) one.varint(300);
      writer.varints(asWords(values));
      for (const value of values) other.varint64(value);
      assert.deepEqual(writer.finish(), other.finish());
    }),
    { numRuns: 20 },
  );
});

test('nested messages of every length class keep their bytes', () => {
  for (const length of [0, 1, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152]) {
    const writer = new ProtobufWriter();
    const outer = writer.begin(1);
    writer.uint(2, 7);
    writer.bytesField(3, new Uint8Array(length).fill(0xab));
    writer.end(outer);
    writer.uint(4, 9);
    const reader = protobuf.Reader.create(writer.finish());
    assert.equal(reader.uint32(), 0x0a);
    const inner = protobuf.Reader.create(reader.bytes());
    assert.deepEqual([inner.uint32(), inner.uint32(), inner.uint32()], [0x10, 7, 0x1a]);
    assert.ok(inner.bytes().every((byte) => byte === 0xab));
    assert.equal(inner.pos, inner.len);
    assert.deepEqual([reader.uint32(), reader.uint32()], [0x20, 9]);
  }
});
