// Tests of parsing a query string without the grammar.
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
    '{"my-cpu:a"}',
    ` <'a"b' , job="x">`,
    '{__name__ = "x"}',
    '{`a`}',
    String.raw`{"a\"}"}`,
  ];
  for (const query of quoted) assert.ok(texts.beginsWithQuotedType(query), query);
  for (const query of ['{"not-ok"="x"}', '{job="x"}', '{}', '', cpu, '{"a', '{"a"']) {
    assert.ok(!texts.beginsWithQuotedType(query), query);
  }
  assert.deepEqual(['diff (a, b)', 'diff{job="a"}', 'a'].map(texts.isDiff), [true, false, false]);
});

test('times of a query, and the one that its graph over time lacks', () => {
  const check = (query: string, hasTimes: boolean, leftOut?: readonly [number, number]): void => {
    assert.equal(texts.hasTimes(query), hasTimes, query);
    const [from, to] = leftOut ?? [];
    const want = from === undefined || to === undefined ? undefined : { from, to };
    assert.deepEqual(texts.timeLeftOut(query), want, query);
  };
  check('cpu', false);
  check('cpu{a="except @ 5 to 7"} | focus "@ 5"', false);
  check('cpu @ 5 to 7', true);
  check('cpu except @5 to 7.25 offset 1d', true, [5_000, 7_250]);
  check('cpu @ 1 to 9 except\n@ 5 to 7 | top 3', true, [5_000, 7_000]);
  check('diff(cpu except @ 5 to 7, cpu)', true);
});
