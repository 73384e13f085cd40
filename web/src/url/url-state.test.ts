// Tests of URLs: defaults are omitted, all keys survive a round trip, invalid keys are reported.
import fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseUrl, printUrl, type UrlState } from './url-state.ts';

const defaults = parseUrl('').state;

function roundTrip(patch: Partial<UrlState>): string {
  const state = { ...defaults, ...patch };
  const printed = printUrl(state);
  assert.deepEqual(parseUrl(printed), { state, bad: [], unknown: [] }, printed);
  return printed;
}

test('defaults are never written', () => {
  assert.equal(printUrl(defaults), '');
});

test('every key survives', () => {
  const patches: readonly Partial<UrlState>[] = [
    { query: 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta{job=~"a.+&b#c%2C",x!="\\"ü"}' },
    { from: { kind: 'relative', agoMillis: 3_600_000 }, to: { kind: 'absolute', millis: 5 } },
    { selection: { from: 1_800_000_000_000, to: 1_800_000_010_000 } },
    {
      marks: [
        { at: 1_800_000_000_000, name: 'rollout: 50 %' },
        { at: 1_800_000_060_000, name: '' },
      ],
    },
    { sumBy: [] },
    { sumBy: ['pod', 'zone'] },
    { zoom: 'AAAAA-_9aZ', view: [0.25, 0.5000001] },
    { search: 'a|b', searchMode: 'regex' },
    { order: 'value', colour: 'package', unit: 'rate', highlighted: 'main.(*T).f', sort: 'name' },
    { panel: 'table', refresh: 0, utc: true, tallMetrics: true },
    { refresh: 30 },
    { scale: 'share' },
    { targetSearch: '10.0', targetHealth: 'down' },
  ];
  for (const patch of patches) roundTrip(patch);
});

test('any text in query, search and highlighted survives', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (query, search) => {
      roundTrip({ query, search, highlighted: search });
    }),
  );
});

test('links stay readable', () => {
  const printed = roundTrip({ query: 'a:b:c:d:e{job="api"}' });
  assert.equal(printed, '?q=a:b:c:d:e{job%3D"api"}');
});

test('bad values are dropped and named, unknown keys are kept', () => {
  const parsed = parseUrl('?from=yesterday&sel=9..3&sm=fuzzy&z=%21&ar=-1&x=1..0&foo=a&foo=b');
  assert.deepEqual(parsed.state, defaults);
  assert.deepEqual([...parsed.bad].sort(), ['ar', 'from', 'sel', 'sm', 'x', 'z']);
  assert.deepEqual(parsed.unknown, [
    ['foo', 'a'],
    ['foo', 'b'],
  ]);
  assert.equal(printUrl(parsed.state, parsed.unknown), '?foo=a&foo=b');
});
