// Tests of links made by Parca's own page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromParcaUrl } from './parca-url.ts';
import { parseUrl } from './url-state.ts';

function read(search: string) {
  const translated = fromParcaUrl(search);
  assert.ok(translated !== undefined, search);
  return parseUrl(translated);
}

test('expression, range, selection and sum by are taken over', () => {
  const { state, unknown, bad } = read(
    '?expression=memory:a:b:c:d%7Bjob%3D%22x%22%7D&time_selection=relative:hour|3&from=1&to=2' +
      '&merge_from=1800000000000000000&merge_to=1800000010000000000&sum_by=pod,zone' +
      '&dashboard_items=flamegraph&theme=x',
  );
  assert.deepEqual(bad, []);
  assert.equal(state.query, 'memory:a:b:c:d{job="x"}');
  assert.deepEqual(state.from, { kind: 'relative', agoMillis: 10_800_000 });
  assert.deepEqual(state.selection, { from: 1_800_000_000_000, to: 1_800_000_010_000 });
  assert.deepEqual(state.sumBy, ['pod', 'zone']);
  assert.deepEqual(unknown, [['theme', 'x']]);
});

test('absolute ranges and the first of two compared queries', () => {
  const { state } = read(
    '?expression_a=a:b:c:d:e&time_selection_a=absolute:1000-2000&sum_by_a=__none__',
  );
  assert.equal(state.query, 'a:b:c:d:e');
  assert.deepEqual(state.to, { kind: 'absolute', millis: 2_000 });
  assert.deepEqual(state.sumBy, []);
});

test('our own links are left alone', () => {
  assert.equal(fromParcaUrl('?q=a:b&from=now-1h'), undefined);
  assert.equal(fromParcaUrl(''), undefined);
});

test('what counts since the start is asked for its increase', () => {
  const alloc = 'memory:alloc_space:bytes:space:bytes';
  const opened = fromParcaUrl(`?expression=${encodeURIComponent(`${alloc}{job="a"}`)}`) ?? '';
  assert.equal(new URLSearchParams(opened).get('q'), `${alloc}{job="a"} | increase`);
});
