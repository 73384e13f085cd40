// Tests of links made by Parca's own page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseQuery } from '../../../src/promql-like/parse.ts';
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

test('absolute ranges, and one side alone', () => {
  const { state } = read(
    '?expression_a=a:b:c:d:e&time_selection_a=absolute:1000-2000&sum_by_a=__none__',
  );
  assert.equal(state.query, 'a:b:c:d:e');
  assert.deepEqual(state.to, { kind: 'absolute', millis: 2_000 });
  assert.deepEqual(state.sumBy, []);
});

test('two sides are compared, the first as much earlier as its time says', () => {
  const { state, unknown } = read(
    '?compare_a=true&compare_b=true&compare_absolute=true' +
      '&expression_a=a:b:c:d:e%7Bv%3D%221%22%7D&time_selection_a=absolute:1000000-1900000' +
      '&expression_b=a:b:c:d:e%7Bv%3D%222%22%7D&time_selection_b=absolute:4600000-5500000' +
      '&sum_by_b=pod&invert_call_stack=true',
  );
  assert.equal(state.query, 'diff(a:b:c:d:e{v="1"} offset 3600s, a:b:c:d:e{v="2"}) | invert');
  assert.deepEqual(state.from, { kind: 'absolute', millis: 4_600_000 });
  assert.equal(state.scale, 'amount');
  assert.deepEqual(state.sumBy, ['pod']);
  assert.deepEqual(unknown, []);
  parseQuery(state.query);
  const same = read('?compare_a=true&compare_b=true&expression_a=a:b:c:d:e&expression_b=a:b:c:d:e');
  assert.equal(same.state.query, 'diff(a:b:c:d:e, a:b:c:d:e)');
  assert.equal(same.state.scale, 'auto');
  assert.equal(read('?compare_absolute=false&expression_a=a:b:c:d:e').state.scale, 'share');
});

test('two sides of unequal length keep their times', () => {
  const { state } = read(
    '?compare_a=true&compare_b=true&expression_a=a:b:c:d:e&expression_b=a:b:c:d:e%7Bv%3D%222%22%7D' +
      '&time_selection_a=absolute:1000000-1900500&time_selection_b=absolute:4600000-5500000' +
      '&merge_from_b=4700000000000&merge_to_b=4760000000000',
  );
  const sides = 'a:b:c:d:e @ 1000 to 1900.5, a:b:c:d:e{v="2"} @ 4700 to 4760';
  assert.equal(state.query, `diff(${sides})`);
  assert.deepEqual(state.from, { kind: 'absolute', millis: 1_000_000 });
  assert.deepEqual(state.to, { kind: 'absolute', millis: 4_760_000 });
  assert.equal(state.selection, undefined);
  parseQuery(state.query);
});

test('filters, sandwich, inversion and grouping become stages, in the order of Parca', () => {
  const filters = [
    's:fn:~:serve%2Chttp',
    's:b:!=:libc.so.6',
    'f:sn:!^:_Z',
    'f:f:=:main.go',
    's:a:=:0x1f',
    'f:ln:!=:12',
    's:ln:~:1',
    'p:hide_libc:enabled',
  ];
  const { state } = read(
    `?expression=a:b:c:d:e&profile_filters=${encodeURIComponent(filters.join(','))}` +
      '&sandwich_function_name=main.(*T).%22x%22&invert_call_stack=true' +
      '&group_by=function_name,labels.pod,labels.file,mapping_file',
  );
  assert.equal(
    state.query,
    'a:b:c:d:e | stack function contains "serve,http" | not stack binary equals "libc.so.6"' +
      ' | stack address 0x1f | invert | sandwich "main.(*T).\\"x\\""' +
      ' | frame drop system starts with "_Z" | frame keep file equals "main.go"' +
      ' | frame drop line 12 | by (pod, "file", binary)',
  );
  parseQuery(state.query);
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
