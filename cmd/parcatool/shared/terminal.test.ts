import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatQuantity, formatShare, red, tableLines, type Terminal } from './terminal.ts';

/** Properties of a pipe or a file. */
const plainTerminal: Terminal = { isColoured: false, width: undefined };

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

test('three digits and a unit', () => {
  const check = (value: bigint, unit: string, want: string): void =>
    assert.equal(formatQuantity(value, unit), want);
  check(0n, 'nanoseconds', '0');
  check(999n, 'nanoseconds', '999ns');
  check(1_500n, 'nanoseconds', '1.50µs');
  check(12_345_678n, 'nanoseconds', '12.3ms');
  check(59_000_000_000n, 'nanoseconds', '59.0s');
  check(90_000_000_000n, 'nanoseconds', '1.50min');
  check(7_200_000_000_000n, 'nanoseconds', '2.00h');
  check(-1_048_576n, 'bytes', '-1.00MiB');
  check(1_023n, 'bytes', '1023B');
  check(123_456_789n, 'count', '123456789');
});

test('shares', () => {
  assert.equal(formatShare(1n, 3n), '33.3%');
  assert.equal(formatShare(1n, 0n), '-');
  assert.equal(formatShare(-1n, 2n), '-50.0%');
});
