// Tests of the record of a table of functions, read by flechette.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Table } from '@uwdata/flechette';
import { readRecord } from '../../formats/testing/read-record.ts';
import { TestStore } from '../../query/testing/test-store.ts';
import { answer, columnTexts, cpuType as type, readRow, typeName } from '../testing/ask-report.ts';

async function askForTable(store: TestStore): Promise<Table> {
  const { tableArrow } = await answer(store, 'table');
  assert.ok(tableArrow);
  assert.equal(tableArrow.unit, 'nanoseconds');
  return readRecord(tableArrow.record);
}

test('table record: columns, their types and every cell of a small table', async () => {
  const store = new TestStore();
  const fib = store.addLocation({
    address: 7,
    mappingFile: '/bin/a',
    buildId: 'aa',
    lines: [{ name: 'fib', systemName: '_fib', fileName: 'fib.go', startLine: 3, line: 5 }],
  });
  const bare = store.addLocation({ address: 0x40, mappingFile: '/bin/a', lines: [] });
  const main = store.addLocation({ address: 8, lines: [{ name: 'main' }] });
  const recursive = store.addStack([fib, fib, main]);
  const rows = `#${recursive} 300\n#${store.addStack([bare, main])} 5\n- 1`;
  store.add({ type, timeNanos: 1n, rows });
  const { total, filtered, report } = await answer(store, 'table');
  assert.deepEqual([String(total), String(filtered), report], ['306', '0', 'tableArrow']);
  const table = await askForTable(store);
  assert.deepEqual(columnTexts(table), [
    'mapping_file Dictionary<UInt16, Utf8> nullable',
    'mapping_build_id Dictionary<UInt16, Utf8> nullable',
    'location_address UInt64 nullable',
    'location_line Int64 nullable',
    'function_startline Int64 nullable',
    'function_name Dictionary<UInt32, Utf8> nullable',
    'function_system_name Dictionary<UInt16, Utf8> nullable',
    'function_file_name Dictionary<UInt32, Utf8> nullable',
    'cumulative Int64',
    'cumulative_diff Int64 nullable',
    'flat Int64',
    'flat_diff Int64',
    'callers List<Int64>',
    'callees List<Int64>',
  ]);
  const none = {
    mapping_file: null,
    mapping_build_id: null,
    location_line: null,
    function_startline: null,
    function_name: null,
    function_system_name: null,
    function_file_name: null,
    cumulative_diff: 0n,
    flat_diff: 0n,
    callers: [],
    callees: [],
  };
  assert.equal(table.numRows, 3);
  assert.deepEqual(readRow(table, 0), {
    ...none,
    mapping_file: '/bin/a',
    mapping_build_id: 'aa',
    location_address: 0n,
    location_line: 5n,
    function_startline: 3n,
    function_name: 'fib',
    function_system_name: '_fib',
    function_file_name: 'fib.go',
    cumulative: 300n,
    flat: 300n,
    callers: [0n, 1n],
    callees: [0n],
  });
  assert.deepEqual(readRow(table, 1), {
    ...none,
    location_address: 0n,
    location_line: 0n,
    function_startline: 0n,
    function_name: 'main',
    function_system_name: 'main',
    cumulative: 305n,
    flat: 0n,
    callees: [0n, 2n],
  });
  assert.deepEqual(readRow(table, 2), {
    ...none,
    mapping_file: '/bin/a',
    location_address: 0x40n,
    cumulative: 5n,
    flat: 5n,
    callers: [1n],
  });
});

test('table record: more names than 16 bits can count widen the indices', async () => {
  const store = new TestStore();
  const count = 66_000;
  const rows = Array.from({ length: count }, (_, i) => `f${100_000 + i} 1`).join('\n');
  store.add({ type, timeNanos: 1n, rows });
  const table = await askForTable(store);
  assert.equal(typeName(table, 'function_system_name'), 'Dictionary<UInt32, Utf8>');
  assert.equal(typeName(table, 'mapping_file'), 'Dictionary<UInt16, Utf8>');
  assert.equal(readRow(table, count - 1).function_system_name, `f${100_000 + count - 1}`);
});

test('table record: nothing selected is a record without rows', async () => {
  const table = await askForTable(new TestStore());
  assert.equal(table.numRows, 0);
  assert.equal(table.names.length, 14);
});
