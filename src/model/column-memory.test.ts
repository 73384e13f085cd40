import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReusedMemory } from './column-memory.ts';

const mebi = 1_048_576;

test('columns are zeros, apart from each other, and in memory that is used again', () => {
  const memory = new ReusedMemory(8 * mebi);
  const fill = () => {
    const bytes = memory.take(Uint8Array, 3);
    const values = memory.take(BigInt64Array, 2);
    const rows = memory.take(Int32Array, mebi);
    const flags = memory.take(Int8Array, 5);
    return { bytes, values, rows, flags };
  };
  const first = fill();
  assert.deepEqual(first.bytes, new Uint8Array(3));
  assert.deepEqual(first.values, new BigInt64Array(2));
  first.bytes.fill(1);
  first.values.fill(-1n);
  first.rows.fill(7);
  first.flags.fill(-1);
  assert.deepEqual(first.bytes, Uint8Array.of(1, 1, 1));
  assert.deepEqual(first.values, BigInt64Array.of(-1n, -1n));
  assert.equal(first.rows.length, mebi);
  memory.reuse();
  const second = fill();
  assert.deepEqual(second.values, new BigInt64Array(2));
  assert.ok(second.rows.every((row) => row === 0));
  assert.equal(second.values.buffer, first.values.buffer);
  assert.equal(second.rows.buffer, first.rows.buffer);
});

test('columns that have no room have memory of their own', () => {
  const memory = new ReusedMemory(4 * mebi);
  const taken = () => [mebi, 1].map((length) => memory.take(Int32Array, length));
  const [kept, own] = taken();
  memory.reuse();
  const [again, other] = taken();
  assert.equal(again.buffer, kept.buffer);
  assert.equal(own.buffer.byteLength, 4);
  assert.notEqual(other.buffer, own.buffer);
});
