// Tests of memory with one owner: copies are independent, and only copies can be transferred.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asOwned, asBytes, createOwnedBuffer, ownedCopy, transferList } from './owned.ts';

test('a copy of a Node Buffer has memory of its own, whether the Buffer shares a pool or not', () => {
  for (const length of [10, 100_000]) {
    const buffer = Buffer.from(new Uint8Array(length).fill(7));
    const copy = ownedCopy(buffer, 0, length);
    buffer.fill(9);
    assert.equal(Object.getPrototypeOf(copy), Uint8Array.prototype);
    assert.deepEqual(copy, new Uint8Array(length).fill(7));
    const [moved] = transferList([copy]);
    structuredClone(moved, { transfer: [moved] });
    assert.deepEqual([copy.length, buffer.length, buffer[length - 1]], [0, length, 9]);
  }
});

test('copies have the elements that were asked for', () => {
  assert.deepEqual(ownedCopy(new BigInt64Array([1n, 2n, 3n]), 1), new BigInt64Array([2n, 3n]));
  assert.deepEqual(ownedCopy(new Uint32Array([1, 2, 3]), 1, 2), new Uint32Array([2]));
  assert.deepEqual(ownedCopy(Buffer.from('abcd'), 1, 3), new TextEncoder().encode('bc'));
});

test('memory that was made elsewhere, and memory that is gone, is not given away', () => {
  const shared = Buffer.from('abc');
  const elsewhere = [new Uint8Array(3), shared, shared.slice(), asBytes(shared).subarray(1)];
  for (const bytes of elsewhere) {
    assert.throws(() => transferList([bytes]), /BUG: memory that is transferred has one owner/);
  }
  const column = new Int32Array(createOwnedBuffer(12));
  assert.deepEqual(transferList([column, column.subarray(1)]), [column.buffer]);
  structuredClone(column, { transfer: transferList([column]) });
  assert.throws(() => transferList([column]), /BUG: memory is transferred once/);
});

test('bytes of a Buffer without its methods are the same memory', () => {
  const buffer = Buffer.from('abc');
  const bytes = asBytes(buffer);
  bytes[0] = 0x7a;
  assert.equal(buffer.toString(), 'zbc');
  assert.notEqual(bytes.slice().buffer, buffer.buffer);
});

test('owned bytes stay where they are, parts of them and others are copied', () => {
  const whole = new Uint8Array(createOwnedBuffer(8));
  assert.equal(asOwned(whole).buffer, whole.buffer);
  for (const bytes of [whole.subarray(0, 4), Buffer.from('text')]) {
    const copy = asOwned(bytes);
    assert.notEqual(copy.buffer, bytes.buffer);
    assert.deepEqual([...copy], [...bytes]);
    assert.deepEqual(transferList([copy]), [copy.buffer]);
  }
});
