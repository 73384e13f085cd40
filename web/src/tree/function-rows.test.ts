// Tests of reading the record of functions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  dictionary,
  int16,
  tableFromArrays,
  tableToIPC,
  uint64,
  uint8,
  utf8,
} from '@uwdata/flechette';
import { noFunctionRows, readFunctionRows } from './function-rows.ts';

const words = () => dictionary(utf8(), uint8());

function makeRecord(isDiff: boolean, rowCount = 3): Uint8Array {
  const first = <T>(values: readonly T[]): T[] => values.slice(0, rowCount);
  const columns = {
    function_name: first(['main', null, null]),
    function_file_name: first(['main.go', null, null]),
    mapping_file: first([null, '/lib/libm.so', null]),
    mapping_build_id: first([null, 'abc', null]),
    location_address: first([null, 2n ** 64n - 1n, 0x1f20n]),
    cumulative: first([9, 2n ** 62n, 1]),
    flat: first([2, 3, 1]),
    ...(isDiff ? { flat_diff: first([-2, 300, 1]) } : {}),
  };
  const types = {
    function_name: words(),
    function_file_name: words(),
    mapping_file: words(),
    mapping_build_id: words(),
    location_address: uint64(),
    cumulative: uint64(),
    flat: uint8(),
    ...(isDiff ? { flat_diff: int16() } : {}),
  };
  const bytes = tableToIPC(tableFromArrays(Object.entries(columns), { types }), {
    format: 'stream',
  });
  assert.ok(bytes);
  return bytes;
}

test('rows without a function are named by binary and address; values are exact', () => {
  assert.deepEqual(readFunctionRows(makeRecord(false)), {
    count: 3,
    names: ['main', 'libm.so+0xffffffffffffffff', '0x1f20'],
    hasFunction: Uint8Array.of(1, 0, 0),
    files: ['main.go', '', ''],
    binaries: ['', '/lib/libm.so', ''],
    builds: ['', 'abc', ''],
    self: BigInt64Array.of(2n, 3n, 1n),
    total: BigInt64Array.of(9n, 2n ** 62n, 1n),
    parts: ['', '', ''],
    selfDifference: undefined,
  });
});

test('a diff has a difference in each row', () => {
  const { selfDifference } = readFunctionRows(makeRecord(true));
  assert.deepEqual(selfDifference, BigInt64Array.of(-2n, 300n, 1n));
});

test('a fact that no row has is without a column', () => {
  const columns = { cumulative: [9, 8], flat: [2, 3] };
  const bytes = tableToIPC(
    tableFromArrays(columns, { types: { cumulative: uint8(), flat: uint8() } }),
    {
      format: 'stream',
    },
  );
  assert.ok(bytes);
  const { names, hasFunction, files, builds } = readFunctionRows(bytes);
  assert.deepEqual(
    [names, [...hasFunction], files, builds],
    [
      ['0x0', '0x0'],
      [0, 0],
      ['', ''],
      ['', ''],
    ],
  );
});

test('a record without rows has no functions', () => {
  assert.deepEqual(readFunctionRows(makeRecord(false, 0)), noFunctionRows);
});
