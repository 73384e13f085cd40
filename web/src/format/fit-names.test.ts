// Tests of fitting names: different names remain different, and ends are kept.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitName, fitNames, fitPaths, fitTexts, namePieces } from './fit-names.ts';

test('package, type and function of a name and of its forms', () => {
  const cases: readonly (readonly [name: string, scope: string, owner: string, own: string])[] = [
    ['runtime.gcBgMarkWorker', 'runtime.', '', 'gcBgMarkWorker'],
    ['github.com/a/http.(*Server).ServeHTTP', 'github.com/a/http.', '(*Server).', 'ServeHTTP'],
    ['(*Server).ServeHTTP', '', '(*Server).', 'ServeHTTP'],
    ['net/http.(*conn).serve.func1', 'net/http.', '(*conn).', 'serve.func1'],
    ['slices.Sort[go.shape.int]', 'slices.', '', 'Sort[go.shape.int]'],
    ['a/b.(*T[go.shape.string]).M', 'a/b.', '(*T[go.shape.string]).', 'M'],
    ['a/b.Map[c.d/e.F]', 'a/b.', '', 'Map[c.d/e.F]'],
    ['alloc::vec::Vec::push', 'alloc::vec::', 'Vec::', 'push'],
    ['tokio::poll::{{closure}}', 'tokio::', '', 'poll::{{closure}}'],
    ['java.util.HashMap.get', 'java.util.', 'HashMap.', 'get'],
    ['libc.so.6+0x4a2f', 'libc.so.6+', '', '0x4a2f'],
    ['(anonymous)', '', '', '(anonymous)'],
    ['heavy', '', '', 'heavy'],
    ['', '', '', ''],
  ];
  for (const [name, scope, owner, own] of cases) {
    assert.deepEqual(namePieces(name), { scope, owner, own }, name);
  }
});

test('the end of a name is never cut first', () => {
  const name = 'github.com/a/http.(*Server).ServeHTTPAndEverythingElse.func1';
  assert.equal(fitName(name, 100), name);
  assert.equal(fitName(name, 45), '(*Server).ServeHTTPAndEverythingElse.func1');
  assert.equal(fitName(name, 20), 'ServeH…ingElse.func1');
});

test('texts are equal only when names are, and fit', () => {
  const org = 'github.com/example/observability/internal';
  const names = ['ingestgateway', 'querycoordinator', 'storage1', 'storage2'].flatMap((pack) =>
    ['Allocator', 'Reader'].flatMap((type) =>
      ['ReadSegmentWithChecksum', 'ReadSegmentWithoutChecksum', 'Read', 'Read.func1'].map(
        (method) => `${org}/${pack}/v2.(*SegmentTable${type}[go.shape.string]).${method}`,
      ),
    ),
  );
  const others = ['a::b::run', 'c::b::run', 'run', `${'x'.repeat(90)}1`, `${'x'.repeat(90)}2`];
  for (const room of [12, 20, 28, 40, 60, 200]) {
    const texts = fitNames([...names, ...others], room);
    assert.equal(new Set(texts.values()).size, names.length + others.length, `room ${room}`);
    for (const [name, text] of texts) assert.ok(text.length <= room, `${name}: ${text}`);
  }
  const wide = fitNames(names.slice(0, 5), 40);
  assert.equal(wide.get(names[2]), 'v2.(*SegmentTableAllocator).Read');
});

test('what differs is shown before the function, which is the last to be cut', () => {
  const name = (pack: string) => `github.com/a/${pack}/v2.(*Table[int]).ReadSegmentWithChecksum`;
  const texts = fitNames([name('gateway'), name('coordinator')], 40);
  assert.deepEqual(
    [...texts.values()],
    ['gateway….ReadSegmentWithChecksum', 'coordinator….ReadSegmentWithChecksum'],
  );
  const pieces = { scope: 'gateway….', owner: '', own: 'ReadSegmentWithChecksum' };
  assert.deepEqual(namePieces(texts.get(name('gateway')) ?? ''), pieces);
});

test('of paths and titles the end is kept, too', () => {
  const paths = ['github.com/example/billing/v2', 'github.com/example/gateway/v2', 'runtime'];
  assert.deepEqual([...fitPaths(paths, 14).values()], ['billing/v2', 'gateway/v2', 'runtime']);
  const titles = ['job=api, pod=web-7d9c5f6b8-a', 'job=api, pod=web-7d9c5f6b8-b'];
  assert.deepEqual([...fitTexts(titles, 16).values()], ['job=a…d9c5f6b8-a', 'job=a…d9c5f6b8-b']);
});
