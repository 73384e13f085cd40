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

test('work that is larger than the memory has more of it until its end', () => {
  const memory = new ReusedMemory(4 * mebi);
  const taken = () => [mebi, 1].map((length) => memory.take(Int32Array, length));
  const [kept, more] = taken();
  memory.reuse();
  assert.equal(more.buffer.byteLength, 0);
  const [again, other] = taken();
  assert.equal(again.buffer, kept.buffer);
  assert.deepEqual(other, new Int32Array(1));
});

test('a column that is larger than the memory is not kept', () => {
  const memory = new ReusedMemory(mebi);
  const large = memory.take(Int32Array, mebi);
  memory.reuse();
  assert.equal(large.buffer.byteLength, 0);
  assert.equal(memory.take(Int8Array, 1).buffer.byteLength, mebi);
});

test('columns after a mark give their memory to the next columns', () => {
  const memory = new ReusedMemory(8 * mebi);
  const before = memory.take(Int32Array, 2).fill(1);
  const mark = memory.mark();
  const lent = memory.take(Int32Array, 3).fill(2);
  memory.take(Int32Array, 3 * mebi);
  memory.release(mark);
  const after = memory.take(Int32Array, 3);
  assert.equal(after.byteOffset, lent.byteOffset);
  assert.deepEqual([...before, ...after], [1, 1, 0, 0, 0]);
});
