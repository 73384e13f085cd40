// Tests of filters, sandwich and inversion against results worked out by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProfileType } from '../../model/profile-type.ts';
import type { StringIndex } from '../../model/rows.ts';
import type { FrameCriteria, TextCondition } from '../../report/stacks/frame-criteria.ts';
import { plainView, type StackView } from '../../report/stacks/stack-view.ts';
import { cpuText, flameGraph, merge } from '../testing/ask.ts';
import { rowName, printGraph } from '../testing/print-report.ts';
import { TestStore, type TestLocation } from '../testing/test-store.ts';

const cpu = parseProfileType(cpuText);

function text(operator: TextCondition['operator'], wanted: string): TextCondition {
  return { operator, isNegated: false, texts: [wanted] };
}

function not(condition: TextCondition): TextCondition {
  return { ...condition, isNegated: true };
}

/**
 * Stores one stack of these locations, leaf first, and returns the names that remain after a view.
 */
async function shownNames(
  locations: readonly TestLocation[],
  view: Partial<StackView>,
): Promise<string> {
  const store = new TestStore();
  const stack = store.addStack(locations.map((location) => store.addLocation(location)));
  store.add({ type: cpu, timeNanos: 1n, rows: `#${stack} 5` });
  const report = await merge(store, { view: { ...plainView, ...view } });
  assert.equal(report.total + report.filtered, 5n);
  if (report.filtered === 5n) return 'dropped';
  const graph = flameGraph(report);
  return Array.from({ length: graph.rowCount - 1 }, (_, row) => rowName(graph, row + 1)).join(' ');
}

const libc: TestLocation = {
  address: 0x10,
  mappingFile: '/usr/lib/libC.so.6',
  lines: [{ name: 'memcpy', systemName: '_memcpy', fileName: 'string/memcpy.c', line: 12 }],
};
const app: TestLocation = {
  address: 0x1_0000_0020,
  mappingFile: '/srv/libc/app',
  lines: [
    { name: 'inner', fileName: 'a.go', line: 7 },
    { name: 'Outer', fileName: 'b.go', line: 8 },
  ],
};
const bare: TestLocation = { address: 0x30, mappingFile: '/srv/bare', lines: [] };
const kernel: TestLocation = { address: 0x40, lines: [{ name: 'sys_read' }] };
const stack = [libc, kernel, bare, app];
const everything = 'Outer inner 0x30 sys_read memcpy';

test('stack filters: each kind of condition, and facts that frames lack', async () => {
  const check = async (criteria: FrameCriteria, isKept: boolean) => {
    const want = isKept ? everything : 'dropped';
    const got = await shownNames(stack, { stackFilters: [criteria] });
    assert.equal(
      got,
      want,
      JSON.stringify(criteria, (_, v) => (typeof v === 'bigint' ? `${v}` : v)),
    );
  };
  await check({ functionName: text('equal', 'outer') }, true);
  await check({ functionName: text('equal', 'out') }, false);
  await check({ functionName: not(text('starts-with', 'SYS_')) }, false);
  await check({ functionName: not(text('contains', 'nowhere')) }, true);
  await check({ systemName: text('equal', '_memcpy') }, true);
  await check({ fileName: text('contains', 'STRING/') }, true);
  await check({ fileName: not(text('contains', 'string/')) }, false);
  // Only the last element of the path is the binary's name.
  await check({ binary: text('starts-with', 'libc') }, true);
  await check({ binary: text('contains', 'srv') }, false);
  await check({ binary: not(text('contains', 'libc.so')) }, false);
  await check({ binary: not(text('contains', 'musl')) }, true);
  await check({ address: { isNegated: false, value: 0x1_0000_0020n } }, true);
  await check({ address: { isNegated: false, value: 0x20n } }, false);
  await check({ address: { isNegated: true, value: 0x30n } }, false);
  await check({ lineNumber: { isNegated: false, value: 8n } }, true);
  await check({ lineNumber: { isNegated: true, value: 8n } }, false);
  await check({ lineNumber: { isNegated: true, value: 9n } }, true);
  await check({}, true);
  // All conditions of one filter must hold for the same frame. Conditions of two filters may hold
  // for different frames.
  const inner = { functionName: text('equal', 'inner') };
  await check({ ...inner, fileName: text('equal', 'a.go') }, true);
  await check({ ...inner, fileName: text('equal', 'b.go') }, false);
  const both = [inner, { fileName: text('equal', 'b.go') }];
  assert.equal(await shownNames(stack, { stackFilters: both }), everything);
});

test('stack filters: unsymbolized stacks and the empty one', async () => {
  const is = { stackFilters: [{ functionName: text('contains', '') }] };
  const isNot = { stackFilters: [{ functionName: not(text('contains', '')) }] };
  assert.equal(await shownNames([bare], is), 'dropped');
  assert.equal(await shownNames([bare], isNot), '0x30');
  assert.equal(await shownNames([], is), '');
  assert.equal(await shownNames([], isNot), '');
});

test('frame filters: each frame by itself, inlined calls too', async () => {
  const check = async (criteria: FrameCriteria, want: string) =>
    assert.equal(await shownNames(stack, { frameFilters: [criteria] }), want);
  await check({ functionName: text('contains', 'inn') }, 'inner 0x30');
  await check({ functionName: not(text('equal', 'inner')) }, 'Outer 0x30 sys_read memcpy');
  await check({ binary: text('contains', 'app') }, 'Outer inner sys_read');
  await check(
    { binary: { operator: 'contains', isNegated: false, texts: ['app', 'bare'] } },
    'Outer inner 0x30 sys_read',
  );
  await check({ binary: not(text('contains', 'libc')) }, 'Outer inner 0x30 sys_read');
  await check({ fileName: text('equal', 'b.go') }, 'Outer 0x30');
  await check({ lineNumber: { isNegated: true, value: 8n } }, 'inner 0x30 sys_read memcpy');
  await check({ address: { isNegated: true, value: 0x30n } }, 'Outer inner sys_read memcpy');
  await check(
    { functionName: text('equal', 'none'), address: { isNegated: false, value: 0n } },
    '',
  );
});

test('frame filters: the remaining lines of an inlined call stay marked as inlined', async () => {
  const store = new TestStore();
  store.add({ type: cpu, timeNanos: 1n, rows: 'main;outer>middle>inner 5' });
  const inlined = async (view: Partial<StackView>): Promise<string> => {
    const graph = flameGraph(await merge(store, { view: { ...plainView, ...view } }));
    const rows = Array.from({ length: graph.rowCount - 1 }, (_, i) => i + 1);
    return rows
      .map((row) => `${rowName(graph, row)}=${graph.frames.inlined[graph.frame[row]]}`)
      .join(' ');
  };
  assert.equal(await inlined({ isInverted: true }), 'inner=1 middle=1 outer=0 main=0');
  const drop = { frameFilters: [{ functionName: not(text('equal', 'outer')) }] };
  assert.equal(await inlined(drop), 'main=0 middle=1 inner=1');
  assert.equal(await inlined({ sandwich: 'middle' }), 'middle=1 inner=1');
  assert.equal(await inlined({ sandwich: 'middle', isInverted: true }), 'middle=1 outer=0 main=0');
});

test('frame filters: a frame that is left out does not affect its caller', async () => {
  const store = new TestStore();
  const leafFirst = [bare, app].map((location) => store.addLocation(location));
  store.add({ type: cpu, timeNanos: 1n, rows: `#${store.addStack(leafFirst)} 5` });
  const frameFilters = [{ binary: not(text('equal', 'bare')) }];
  const graph = flameGraph(await merge(store, { view: { ...plainView, frameFilters } }));
  assert.equal(rowName(graph, 2), 'inner');
  const binary = graph.frames.mappingFile[graph.frame[2]];
  assert.equal(graph.strings.text(binary as StringIndex), app.mappingFile);
});

test('sandwich: values go to the callees and the callers of the function', async () => {
  const store = new TestStore();
  const rows = 'main;a;f;x 1\nmain;b;f;f;y 2\nmain;b;f 4\nmain;g 8\n- 16\nmain;ff 32';
  store.add({ type: cpu, timeNanos: 1n, rows });
  const callees = await merge(store, { view: { ...plainView, sandwich: 'f' } });
  assert.equal(printGraph(flameGraph(callees)), 'root 0/7\n f 4/7\n  x 1/1\n  y 2/2\n');
  assert.deepEqual([callees.total, callees.filtered], [7n, 56n]);
  const callers = await merge(store, { view: { ...plainView, sandwich: 'f', isInverted: true } });
  assert.equal(
    printGraph(flameGraph(callers)),
    'root 0/7\n f 0/7\n  a 0/1\n   main 1/1\n  b 0/6\n   main 6/6\n',
  );
  assert.deepEqual([callers.total, callers.filtered], [7n, 56n]);
  // Filters apply to the complete stack, of which the sandwich shows a part.
  const view = {
    ...plainView,
    sandwich: 'f',
    stackFilters: [{ functionName: text('equal', 'b') }],
  };
  const filtered = await merge(store, { view });
  assert.equal(printGraph(flameGraph(filtered)), 'root 0/6\n f 4/6\n  y 2/2\n');
  assert.deepEqual([filtered.total, filtered.filtered], [6n, 57n]);
});

test('views: exported profiles have the stacks that the view leaves', async () => {
  const store = new TestStore();
  store.add({ type: cpu, timeNanos: 1n, rows: 'main;a>b 1\nmain;c 2\nmain;d;a>b 4' });
  const view = { ...plainView, frameFilters: [{ functionName: not(text('equal', 'd')) }] };
  const report = await merge(store, { view, report: 'profile' });
  assert.ok(report.kind === 'profile');
  // The two stacks became one.
  assert.deepEqual(Array.from(report.groups[0].merged.values.toSorted()), [2n, 5n]);
  assert.notEqual(report.dictionary, store.dictionary);
  const locationsBefore = store.dictionary.locations.length;
  await merge(store, { view: { ...view, isInverted: true } });
  assert.equal(store.dictionary.locations.length, locationsBefore, 'the store is left as it was');
});
