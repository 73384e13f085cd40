// Tests of the record of a top table, read by flechette.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Table } from '@uwdata/flechette';
import { readRecord } from '../../formats/testing/read-record.ts';
import type { ReportQuestion } from '../../query/interface.ts';
import { TestStore } from '../../query/testing/test-store.ts';
import { answer, columnTexts, cpuType as type, query, readRow } from '../testing/ask-report.ts';

const range = { from: 0n, to: 99n };
const everything = { mode: 'merge', query, range } as const;
const nowhere = { buildId: '', fileName: '' };

async function askForRecord(store: TestStore, select: ReportQuestion['select']): Promise<Table> {
  const asked = { isRecord: true, topLimit: { count: 3, by: 'flat' } } as const;
  const { top } = await answer(store, 'top', [], select, nowhere, asked);
  assert.ok(top);
  assert.deepEqual([top.list, top.unit], [[], 'nanoseconds']);
  const table = readRecord(top.record);
  assert.equal(table.numRows, top.reported);
  return table;
}

function filledStore(): TestStore {
  const store = new TestStore();
  const fib = store.addLocation({
    address: 7,
    mappingFile: '/bin/a',
    buildId: 'aa',
    lines: [{ name: 'fib', systemName: '_fib', fileName: 'fib.go', startLine: 3, line: 5 }],
  });
  const bare = store.addLocation({ address: 0x40, mappingFile: '/bin/a', lines: [] });
  const main = store.addLocation({ address: 8, lines: [{ name: 'main' }] });
  const least = store.addLocation({ address: 9, lines: [{ name: 'least' }] });
  const rows = [
    `#${store.addStack([fib, fib, main])} 300`,
    `#${store.addStack([bare, main])} 5`,
    `#${store.addStack([main])} 4`,
    `#${store.addStack([least])} 1`,
  ];
  store.add({ type, timeNanos: 60n, rows: rows.join('\n') });
  store.add({ type, timeNanos: 10n, rows: `#${store.addStack([fib, main])} 100` });
  return store;
}

test('top record: what a list of messages says, in columns', async () => {
  const table = await askForRecord(filledStore(), { ...everything, range: { from: 50n, to: 99n } });
  assert.deepEqual(columnTexts(table), [
    'function_name Dictionary<UInt8, Utf8> nullable',
    'function_file_name Dictionary<UInt8, Utf8> nullable',
    'mapping_file Dictionary<UInt8, Utf8> nullable',
    'mapping_build_id Dictionary<UInt8, Utf8> nullable',
    'location_address UInt64 nullable',
    'cumulative UInt16',
    'flat UInt16',
  ]);
  const none = {
    function_name: null,
    function_file_name: null,
    mapping_file: null,
    mapping_build_id: null,
    location_address: null,
  };
  const fib = { function_name: 'fib', function_file_name: 'fib.go' };
  const binary = { mapping_file: '/bin/a', mapping_build_id: 'aa' };
  const bare = { mapping_file: '/bin/a', location_address: 0x40n };
  assert.deepEqual(
    [0, 1, 2].map((row) => readRow(table, row)),
    [
      { ...none, ...fib, ...binary, cumulative: 300, flat: 300 },
      { ...none, ...bare, cumulative: 5, flat: 5 },
      { ...none, function_name: 'main', cumulative: 309, flat: 4 },
    ],
  );
});

test('top record: a diff has two more columns, in the size that they need', async () => {
  const table = await askForRecord(filledStore(), {
    mode: 'diff',
    base: { ...everything, range: { from: 0n, to: 49n } },
    compared: { ...everything, range: { from: 50n, to: 99n } },
    baseScale: 'none',
  });
  assert.deepEqual(columnTexts(table).slice(-4), [
    'cumulative UInt16',
    'flat UInt16',
    'cumulative_diff Int16',
    'flat_diff Int16',
  ]);
  const { flat, flat_diff, cumulative_diff } = readRow(table, 0);
  assert.deepEqual([flat, flat_diff, cumulative_diff], [300, 200, 200]);
});

test('top record: a fact that no row has is without a column', async () => {
  const store = new TestStore();
  store.add({ type, timeNanos: 1n, rows: 'a;b 5' });
  const { names } = await askForRecord(store, everything);
  assert.deepEqual(names.slice(-2), ['cumulative', 'flat']);
  assert.ok(!names.includes('location_address'));
  assert.ok(!names.includes('mapping_build_id'));
});

test('top record: nothing selected is a record without rows', async () => {
  const table = await askForRecord(new TestStore(), everything);
  assert.equal(table.numRows, 0);
  assert.deepEqual(table.names, ['cumulative', 'flat']);
});

test('top record: a name in several files has its parts; beyond the limit, small ones have none', async () => {
  const store = new TestStore();
  const rows: string[] = [];
  const add = (name: string, fileName: string, value: number): void => {
    const lines = [{ name, fileName, line: rows.length }];
    const at = { address: rows.length, mappingFile: '/bin/node', buildId: 'aa' };
    rows.push(`#${store.addStack([store.addLocation({ ...at, lines })])} ${value}`);
  };
  add('send', '/app/a.js', 5);
  add('send', '/app/b\0.js', 3);
  add('send', '/app/a.js', 2);
  add('main', '/app/main.js', 9);
  // The two long file names of `far` are together longer than the limit for its parts.
  const long = 'x'.repeat(3_000_000);
  for (const file of [`/${long}/a.js`, `/${long}/b.js`]) add('far', file, 1);
  store.add({ type, timeNanos: 1n, rows: rows.join('\n') });
  const table = await askForRecord(store, everything);
  const parts = (row: number): unknown => readRow(table, row)['flat_parts'];
  assert.deepEqual(
    [0, 1, 2].map((row) => [readRow(table, row)['function_name'], parts(row)]),
    [
      ['send', '/app/a.js\0/bin/node\x007\0/app/b.js\0/bin/node\x003'],
      ['main', null],
      ['far', null],
    ],
  );
});
