// Tests of the lines panel's rows, with and without the source.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unknownCoverage } from '../format/measure.ts';
import { buildLineRows } from './line-rows.ts';

const values = [
  { line: 2, functionName: 'main', self: 1n, total: 9n },
  { line: 4, functionName: 'main', self: 5n, total: 6n },
];
const answer = {
  whyEmpty: '',
  total: 10n,
  coverage: unknownCoverage,
  warnings: [],
  values,
};

test('with a text, each of its lines is a row', () => {
  const rows = buildLineRows({ ...answer, text: 'a\r\nb\n\nd\n' });
  assert.deepEqual([rows.count, rows.valueCount, rows.pastEnd, rows.cut], [4, 2, 0, 0]);
  assert.deepEqual([0, 1, 2, 3].map(rows.lineText), ['a', 'b', '', 'd']);
  assert.deepEqual([rows.lineValue(0), rows.lineValue(3)], [undefined, values[1]]);
  assert.deepEqual([rows.selfMax, rows.totalMax], [5n, 9n]);
  assert.deepEqual([rows.rowToShow(1), rows.rowToShow(0), rows.rowToShow(9)], [0, 3, 3]);
  assert.deepEqual(
    [rows.nextValue(0, 1), rows.nextValue(3, 1), rows.nextValue(3, -1)],
    [1, undefined, 1],
  );
});

test('without a text, the lines with values are rows', () => {
  const rows = buildLineRows({ ...answer, text: '' });
  assert.equal(rows.count, 2);
  assert.deepEqual([rows.lineNumber(0), rows.lineNumber(1)], [2, 4]);
  assert.deepEqual([rows.lineText(1), rows.lineValue(1)], [undefined, values[1]]);
  assert.deepEqual([rows.rowToShow(2), rows.rowToShow(3)], [0, 1]);
  assert.equal(buildLineRows({ ...answer, values: [], text: '' }).rowToShow(5), 0);
});

test('a text of another version, one with too many lines, and a line of a bundle', () => {
  const short = buildLineRows({ ...answer, text: 'a\nb' });
  assert.deepEqual([short.count, short.valueCount, short.pastEnd], [2, 1, 1]);
  const long = buildLineRows({ ...answer, text: '\n'.repeat(600_000) });
  assert.deepEqual([long.count, long.cut], [500_000, 100_000]);
  assert.equal(buildLineRows({ ...answer, text: 'x'.repeat(9_999) }).lineText(0)?.length, 2_000);
});

test('a function is named where it begins to have values', () => {
  const more = ['main', 'main', 'loop', 'main'].map((functionName, i) => ({
    line: i + 1,
    functionName,
    self: 1n,
    total: 1n,
  }));
  const rows = buildLineRows({ ...answer, values: more, text: 'a\nb\nc\nd\ne' });
  const names = [0, 1, 2, 3, 4].map(rows.lineFunction);
  assert.deepEqual(names, ['main', undefined, 'loop', 'main', undefined]);
  assert.deepEqual([0, 3, 9].map(rows.functionAt), ['main', 'loop', 'main']);
});
