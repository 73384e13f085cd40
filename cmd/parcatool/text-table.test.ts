import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainTerminal, red, tableLines } from './text-table.ts';

const heads = ['n', 'share', 'name'];
const rows = [
  { cells: ['100', '5%', 'runtime.mallocgc.func.with.a.long.name'], colour: red },
  { cells: ['7', '50%', 'short'], colour: '' },
];

test('columns are aligned', () => {
  assert.deepEqual(tableLines(heads, rows, plainTerminal), [
    '  n  share  name',
    '100     5%  runtime.mallocgc.func.with.a.long.name',
    '  7    50%  short',
  ]);
});

test('the last column fits, cut in the middle; not below 20 columns', () => {
  const terminal = { isColoured: false, width: 40 };
  const [, long] = tableLines(heads, rows, terminal);
  assert.equal(long, '100     5%  runtime.malloc…f.a.long.name'.replace('f.a', 'h.a'));
  assert.equal(long.length, 40);
  const [, wrapped] = tableLines(heads, rows, { ...terminal, width: 10 });
  assert.equal(wrapped, '100     5%  runtime.ma…long.name');
});

test('colours stand around whole lines', () => {
  assert.deepEqual(tableLines(heads, rows, { isColoured: true, width: undefined }), [
    '\u001b[1m  n  share  name\u001b[0m',
    '\u001b[31m100     5%  runtime.mallocgc.func.with.a.long.name\u001b[0m',
    '  7    50%  short',
  ]);
});
