// Tests of ranking labels.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptySide, rankLabelChanges } from './label-changes.ts';

const side = (values: Readonly<Record<string, number>>) => new Map(Object.entries(values));

test('the value that most of a change belongs to is first', () => {
  const ranked = rankLabelChanges(
    new Map([
      // Both zones grow by the same factor, so neither explains the change.
      ['zone', { before: side({ a: 5, b: 5 }), now: side({ a: 10, b: 10 }) }],
      ['pod', { before: side({ x: 9, y: 1 }), now: side({ x: 10, y: 10 }) }],
      ['job', { before: side({ api: 10 }), now: side({ api: 20 }) }],
    ]),
  );
  assert.deepEqual(ranked, [{ label: 'pod', value: 'y', before: 1, now: 10, share: 0.9 }]);
});

test('a side without profiles is known', () => {
  const [none, some] = [side({}), side({ a: 1 })];
  const check = (before: typeof none, now: typeof none, want: 'before' | 'now' | undefined) =>
    assert.equal(emptySide(new Map([['pod', { before, now }]])), want);
  check(none, some, 'before');
  check(side({ a: 0 }), some, 'before');
  check(some, none, 'now');
  check(some, some, undefined);
  assert.equal(emptySide(new Map()), undefined);
});

test('what is new or gone counts, and without a change nothing does', () => {
  const fresh = { before: side({ v1: 10 }), now: side({ v1: 10, v2: 5 }) };
  assert.deepEqual(rankLabelChanges(new Map([['version', fresh]])), [
    { label: 'version', value: 'v2', before: 0, now: 5, share: 1 },
  ]);
  const same = { before: side({ a: 1, b: 2 }), now: side({ a: 2, b: 1 }) };
  assert.deepEqual(rankLabelChanges(new Map([['x', same]])), []);
});
