// Tests that flechette and apache-arrow can read what the Arrow stream writer writes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as arrow from 'apache-arrow';
import { decompressFrameSync } from 'lz4-napi';
import { readRecord } from '../testing/read-record.ts';
import { packBits } from './bits.ts';
import type { ArrowColumn } from './column.ts';
import { encodeIpcStream } from './ipc-stream.ts';
import { loadLz4Frames, storeFrame } from './lz4-frame.ts';

arrow.compressionRegistry.set(arrow.CompressionType.LZ4_FRAME, {
  decode: (data: Uint8Array) => decompressFrameSync(Buffer.from(data)),
});

const encoder = new TextEncoder();

function makeColumns(rowCount: number): ArrowColumn[] {
  const rows = Array.from({ length: rowCount }, (_, i) => i);
  const everyThird = packBits(Uint8Array.from(rows, (i) => (i % 3 === 0 ? 0 : 1)));
  return [
    {
      kind: 'bool',
      name: 'flag',
      values: packBits(Uint8Array.from(rows, (i) => i & 1)),
      valid: everyThird,
    },
    { kind: 'integer', name: 'u8', values: Uint8Array.from(rows, (i) => i & 255) },
    { kind: 'integer', name: 'i32', values: Int32Array.from(rows, (i) => -i) },
    {
      kind: 'integer',
      name: 'u64',
      values: BigUint64Array.from(rows, (i) => 0xffff_0000_0000_0000n + BigInt(i)),
      valid: everyThird,
    },
    { kind: 'integer', name: 'i64', values: BigInt64Array.from(rows, (i) => -BigInt(i)) },
    {
      kind: 'dictionary',
      name: 'word',
      indices: Uint8Array.from(rows, (i) => i % 2),
      valid: everyThird,
      dictionary: {
        offsets: Int32Array.of(0, 3, 3 + 5),
        data: encoder.encode('onethree'),
      },
    },
    {
      kind: 'list',
      name: 'list',
      offsets: Int32Array.from([...rows, rowCount], (i) => i),
      values: Uint32Array.from(rows, (i) => i * 2),
      valid: everyThird,
    },
  ];
}

function checkTable(bytes: Uint8Array, rowCount: number): void {
  const table = readRecord(bytes);
  assert.equal(table.numRows, rowCount);
  const at = (name: string, row: number): unknown => table.getChild(name).at(row);
  for (let row = 0; row < rowCount; row += 1) {
    const isNull = row % 3 === 0;
    assert.equal(at('flag', row), isNull ? null : (row & 1) === 1);
    assert.equal(at('u8', row), row & 255);
    assert.equal(at('i32', row), row === 0 ? 0 : -row);
    assert.equal(at('u64', row), isNull ? null : 0xffff_0000_0000_0000n + BigInt(row));
    assert.equal(at('i64', row), -BigInt(row));
    const word = at('word', row);
    if (isNull) assert.equal(word, null);
    else assert.equal(Buffer.from(word as Uint8Array).toString(), row % 2 ? 'three' : 'one');
    const list = at('list', row);
    if (isNull) assert.equal(list, null);
    else assert.deepEqual([...(list as Uint32Array)], [row * 2]);
  }
}

test('arrow: every kind of column is read back', async () => {
  const compress = await loadLz4Frames();
  for (const rowCount of [0, 1, 7, 1000]) {
    checkTable(encodeIpcStream(makeColumns(rowCount), rowCount, compress), rowCount);
  }
});

test('arrow: it reads the same at any address in memory', async () => {
  const stream = encodeIpcStream(makeColumns(100), 100, await loadLz4Frames());
  for (const shift of [1, 2, 3, 4, 5]) {
    const bytes = new Uint8Array(stream.length + shift);
    bytes.set(stream, shift);
    checkTable(bytes.subarray(shift), 100);
  }
});

test('arrow: frames of stored blocks read the same and are larger', async () => {
  const rowCount = 100_000;
  const stored = encodeIpcStream(makeColumns(rowCount), rowCount, storeFrame);
  const small = encodeIpcStream(makeColumns(rowCount), rowCount, await loadLz4Frames());
  checkTable(stored, rowCount);
  assert.ok(small.length < stored.length);
});

test('arrow: apache-arrow reads the same table', async () => {
  const bytes = encodeIpcStream(makeColumns(1000), 1000, await loadLz4Frames());
  const theirs = arrow.tableFromIPC(bytes);
  const ours = readRecord(bytes);
  assert.equal(theirs.numRows, 1000);
  const plain = (cell: unknown): unknown =>
    cell !== null && typeof cell === 'object' ? [...(cell as Iterable<unknown>)] : cell;
  for (const { name } of makeColumns(0)) {
    for (let row = 0; row < 1000; row += 1) {
      const expected = plain(ours.getChild(name).at(row));
      assert.deepEqual(plain(theirs.getChild(name)?.get(row)), expected, `${name} ${row}`);
    }
  }
});
