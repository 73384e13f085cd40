// Tests of the columns of the function list.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosenColumns, listColumns, toggledColumns } from './list-columns.ts';

test('a link beats what was chosen before, and the default is not written', () => {
  const all = listColumns('Self');
  const chosen = (ofLink: readonly string[]) => [...chosenColumns(all, ofLink)];
  const toggle = (from: readonly string[], id: string) =>
    toggledColumns(all, chosenColumns(all, from), id);
  assert.deepEqual(chosen([]), ['self', 'total', 'sparkline']);
  assert.deepEqual(toggle([], 'file'), ['self', 'total', 'file', 'sparkline']);
  assert.deepEqual(chosen([]), ['self', 'total', 'file', 'sparkline'], 'remembered');
  assert.deepEqual(chosen(['binary', 'nothing', 'self']), ['self', 'binary']);
  assert.deepEqual(toggle(['self'], 'self'), ['self'], 'one stays');
  assert.deepEqual(toggle([], 'file'), []);
  assert.deepEqual(chosen([]), ['self', 'total', 'sparkline']);
  const compared = listColumns('Self', { before: 'before', now: 'now' });
  assert.deepEqual([...chosenColumns(compared, ['self', 'difference'])], ['difference']);
  assert.deepEqual([...chosenColumns(compared, ['self'])], ['b', 'a']);
});

test('the columns of a comparison have the words of its sides', () => {
  const check = (before: string, now: string, ...want: readonly string[]) => {
    const labels = listColumns('Self', { before, now }).map(({ label }) => label);
    assert.deepEqual(labels.slice(0, 2), want);
  };
  check('before', 'now', 'Self now', 'Self before');
  check('v1', 'v2', 'Self: v2', 'Self: v1');
  check('the rest', 'this time', 'Self: this time', 'Self: the rest');
  check('A', 'B', 'Self: B', 'Self: A');
});
