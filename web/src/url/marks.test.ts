// Tests of the user's own marks: format in the URL, and edits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  cleanName,
  type Mark,
  marksMax,
  named,
  parseMarks,
  printMarks,
  without,
  withMark,
} from './marks.ts';

test('marks are read and printed back, in the order of their times', () => {
  const text = '5:a b: c,7:,9:ü';
  const marks: readonly Mark[] = [
    { at: 5, name: 'a b: c' },
    { at: 7, name: '' },
    { at: 9, name: 'ü' },
  ];
  assert.deepEqual(parseMarks(text), marks);
  assert.equal(printMarks(marks), text);
  assert.deepEqual(parseMarks('9:ü,5:a b: c,7:'), marks);
  for (const bad of ['', '5', 'a:b', '5:a,,7:', `5:${'x'.repeat(41)}`]) {
    assert.equal(parseMarks(bad), undefined, bad);
  }
});

test('what is typed becomes a name that can be read back', () => {
  assert.equal(cleanName('  rollout,  second\ttry '), 'rollout second try');
  const long = cleanName(`${'🚀'.repeat(39)} x`);
  assert.deepEqual(parseMarks(`5:${long}`), [{ at: 5, name: long }]);
});

test('marks are added, named and removed; the oldest makes room', () => {
  const two = withMark(withMark([], 9), 5);
  assert.deepEqual(two, [
    { at: 5, name: '' },
    { at: 9, name: '' },
  ]);
  assert.equal(withMark(two, 9), two);
  assert.deepEqual(without(named(two, 9, 'b'), 5), [{ at: 9, name: 'b' }]);
  let marks: readonly Mark[] = [];
  for (let at = 1; at <= marksMax + 1; at++) marks = withMark(marks, at);
  assert.deepEqual(
    marks.map(({ at }) => at),
    Array.from({ length: marksMax }, (_, i) => i + 2),
  );
});
