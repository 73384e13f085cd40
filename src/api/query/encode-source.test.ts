// Tests of values by source line, read by flechette.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Table } from '@uwdata/flechette';
import { readRecord } from '../../formats/testing/read-record.ts';
import { TestStore } from '../../query/testing/test-store.ts';
import { answer, columnTexts, cpuType as type, readRow } from '../testing/ask-report.ts';

async function askForLines(store: TestStore, fileName: string, buildId = ''): Promise<Table> {
  const { source, report } = await answer(store, 'source', [], undefined, { buildId, fileName });
  assert.equal(report, 'source');
  assert.ok(source);
  assert.deepEqual([source.source, source.unit], ['', 'nanoseconds']);
  return readRecord(source.record);
}

function print(table: Table): string[] {
  return Array.from({ length: table.numRows }, (_, row) => {
    const { filename, line_number: line, flat, cumulative, ...rest } = readRow(table, row);
    return `${filename}:${line} ${flat}/${cumulative} ${rest['function_name']}`;
  });
}

/**
 * Returns profiles in which main calls fib, which calls itself on line 7 and inlines add. A second
 * build contains the same file.
 */
function makeStore(): TestStore {
  const store = new TestStore();
  const at = (address: number, buildId: string, ...lines: readonly [string, string, number][]) =>
    store.addLocation({
      address,
      buildId,
      mappingFile: '/bin/a',
      lines: lines.map(([name, fileName, line]) => ({ name, fileName, line })),
    });
  const main = at(1, 'aa', ['main', '/src/main.go', 3]);
  const fib = at(2, 'aa', ['fib', '/src/lib/fib.go', 7]);
  const leaf = at(3, 'aa', ['add', '/src/lib/fib.go', 12], ['fib', '/src/lib/fib.go', 9]);
  const other = at(4, 'bb', ['fib', '/old/lib/fib.go', 7]);
  const unknown = at(5, 'aa', ['fib', '/src/lib/fib.go', 0], ['x', '/src/notfib.go', 1]);
  const stacks: [number, number][] = [
    [store.addStack([leaf, fib, fib, main]), 10],
    [store.addStack([fib, main]), 4],
    [store.addStack([other]), 2],
    [store.addStack([unknown]), 1],
  ];
  const rows = stacks.map(([stack, value]) => `#${stack} ${value}`).join('\n');
  store.add({ type, timeNanos: 1n, rows });
  return store;
}

test('source record: columns and their types', async () => {
  const table = await askForLines(makeStore(), 'main.go');
  assert.deepEqual(columnTexts(table), [
    'filename Dictionary<Int32, Utf8>',
    'line_number Int64',
    'cumulative Int64',
    'flat Int64',
    'function_name Dictionary<Int32, Utf8>',
  ]);
  assert.deepEqual(print(table), ['/src/main.go:3 0/14 main']);
});

test('source record: lines by file and number; a recursive call counts once', async () => {
  const store = makeStore();
  assert.deepEqual(print(await askForLines(store, 'lib/fib.go')), [
    '/old/lib/fib.go:7 2/2 fib',
    '/src/lib/fib.go:7 4/14 fib',
    '/src/lib/fib.go:9 0/10 fib',
    '/src/lib/fib.go:12 10/10 add',
  ]);
  assert.deepEqual(print(await askForLines(store, 'fib.go', 'bb')), ['/old/lib/fib.go:7 2/2 fib']);
  assert.deepEqual(print(await askForLines(store, '/old/lib/fib.go')), [
    '/old/lib/fib.go:7 2/2 fib',
  ]);
  assert.deepEqual(print(await askForLines(store, 'none.go')), []);
});

test('source record: a line of several functions has the one with most of its value', async () => {
  const store = new TestStore();
  const place = { fileName: '/src/map.rs', line: 5 };
  const stacks = ['map<i8>', 'map<i64>'].map((name, i) =>
    store.addStack([store.addLocation({ address: i + 1, lines: [{ name, ...place }] })]),
  );
  store.add({ type, timeNanos: 1n, rows: `#${stacks[0]} 3\n#${stacks[1]} 7` });
  assert.deepEqual(print(await askForLines(store, 'map.rs')), ['/src/map.rs:5 10/10 map<i64>']);
});
