// Tests of labels as strings, and of changes by rules.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareLabels, printLabels, readLabels, formatSelector } from './label-steps.ts';

test('labels are printed and read line by line', () => {
  const labels = { __address__: 'a:80', query: 'x=1&y=2' };
  assert.equal(printLabels(labels), '__address__=a:80\nquery=x=1&y=2');
  assert.deepEqual(readLabels(printLabels(labels)), labels);
  assert.deepEqual(readLabels('\n zone = b\nempty\n'), { zone: ' b', empty: '' });
  assert.equal(formatSelector({ job: 'a"b', pod: 'x' }), '{job="a\\"b", pod="x"}');
});

test('changes are what was added, changed and removed', () => {
  assert.deepEqual(compareLabels({ a: '1', b: '2', c: '3' }, { a: '1', b: '9', d: '4' }), [
    { name: 'b', before: '2', after: '9' },
    { name: 'c', before: '3', after: '' },
    { name: 'd', before: '', after: '4' },
  ]);
});
