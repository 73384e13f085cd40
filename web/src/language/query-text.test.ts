// Tests of facts about a query text, read without the grammar.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as texts from './query-text.ts';

const cpu = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';

test('queries and their profile type', () => {
  assert.equal(texts.profileTypeOfQuery(` ${cpu}{job="a"}`), cpu);
  assert.equal(texts.profileTypeOfQuery('{job="a"}'), '');
  assert.equal(texts.profileTypeOfQuery(`${cpu}|invert`), cpu);
  assert.equal(texts.profileTypeOfQuery(`diff( ${cpu}, ${cpu} offset 1d)`), cpu);
  assert.equal(texts.profileTypeOfQuery('diff{job="a"}'), 'diff');
  const quoted = [
    ...['{"my-cpu:a"}', ` <'a"b' , job="x">`, '{__name__ = "x"}', '{`a`}', String.raw`{"a\"}"}`],
  ];
  for (const query of quoted) assert.ok(texts.beginsWithQuotedType(query), query);
  for (const query of ['{"not-ok"="x"}', '{job="x"}', '{}', '', cpu, '{"a', '{"a"']) {
    assert.ok(!texts.beginsWithQuotedType(query), query);
  }
  assert.deepEqual(['diff (a, b)', 'diff{job="a"}', 'a'].map(texts.isDiff), [true, false, false]);
});
