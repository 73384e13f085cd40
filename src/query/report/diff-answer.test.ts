// Tests of diffs against results worked out by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProfileType } from '../../model/profile-type.ts';
import type { StringIndex } from '../../model/rows.ts';
import type { FlameGraph } from '../../report/flame-graph.ts';
import type { BaseScale } from '../../report/base-ratio.ts';
import type { ProfileSelector, Report, ReportQuestion } from '../interface.ts';
import { cpuText, createEngine, flameGraph, rejects } from '../testing/ask.ts';
import { rowName } from '../testing/print-report.ts';
import { TestStore } from '../testing/test-store.ts';

const cpu = parseProfileType(cpuText);

function all(query: string): ProfileSelector {
  return { mode: 'merge', query, range: { from: 0n, to: 1_000_000n } };
}

const sides = { base: all(`${cpuText}{side="a"}`), compared: all(`${cpuText}{side="b"}`) };

function diff(
  store: TestStore,
  asked: Partial<Omit<ReportQuestion, 'select'>> = {},
  select: { base?: ProfileSelector; compared?: ProfileSelector; baseScale?: BaseScale } = {},
): Promise<Report> {
  return createEngine(store).report(
    {
      select: { mode: 'diff', ...sides, baseScale: 'none', ...select },
      report: 'flame-graph',
      nodeTrimFraction: 0,
      rootTrimFraction: 0,
      groupBy: [],
      ...asked,
    },
    { signal: new AbortController().signal },
  );
}

function makeStore(a: string, b: string, type = cpu): TestStore {
  const store = new TestStore();
  store.add({ type, timeNanos: 1n, labels: { side: 'a' }, rows: a });
  store.add({ type, timeNanos: 2n, labels: { side: 'b' }, rows: b });
  return store;
}

/** Formats `path flat/cumulative diff` for each row, sorted. */
function printGraph(graph: FlameGraph): string[] {
  const paths: string[] = [];
  const { diff: differences } = graph;
  assert.ok(differences);
  const lines = Array.from({ length: graph.rowCount }, (_, row) => {
    const path = row === 0 ? 'root' : `${paths[graph.parent[row]]};${rowName(graph, row)}`;
    paths.push(path);
    return `${path} ${graph.flat[row]}/${graph.cumulative[row]} ${differences[row]}`;
  });
  return lines.toSorted();
}

test('diff: frames that only the base has stay, values are those of the compared side', async () => {
  const store = makeStore('main;gone 30\nmain;same 5', 'main;same 7\nmain;new 3');
  const want = [
    'root 0/10 -25',
    'root;main 0/10 -25',
    'root;main;gone 0/0 -30',
    'root;main;new 3/3 3',
    'root;main;same 7/7 2',
  ];
  const report = await diff(store);
  assert.deepEqual(printGraph(flameGraph(report)), want);
  assert.equal(report.total, 10n);
  const swapped = await diff(store, {}, { base: sides.compared, compared: sides.base });
  assert.deepEqual(printGraph(flameGraph(swapped))[0], 'root 0/35 25');
});

test('diff: a relative diff scales the base to the compared total, never the values', async () => {
  const store = makeStore('f 1\ng 2', 'f 50\ng 50');
  const relative = await diff(store, {}, { baseScale: 'total' });
  // Shares of 1/3 and 2/3 are 33.3 and 66.7 of 100.
  assert.deepEqual(printGraph(flameGraph(relative)), [
    'root 0/100 0',
    'root;f 50/50 17',
    'root;g 50/50 -17',
  ]);
  const shrunk = await diff(
    store,
    {},
    { base: sides.compared, compared: sides.base, baseScale: 'total' },
  );
  assert.deepEqual(printGraph(flameGraph(shrunk)), ['root 0/3 0', 'root;f 1/1 -1', 'root;g 2/2 0']);
  const nothing = await diff(store, {}, { base: all(`${cpuText}{side="c"}`), baseScale: 'total' });
  assert.deepEqual(printGraph(flameGraph(nothing))[0], 'root 0/100 100');
  const gone = await diff(store, {}, { compared: all(`${cpuText}{side="c"}`), baseScale: 'total' });
  assert.deepEqual(printGraph(flameGraph(gone)), ['root 0/0 -3', 'root;f 0/0 -1', 'root;g 0/0 -2']);
});

test('diff: a row is kept when either side is above the limits', async () => {
  const store = makeStore('big 90\nsmall 10\ntiny 1', 'big 1\nsmall 10\nnew 90');
  const graph = flameGraph(await diff(store, { rootTrimFraction: 0.2 }));
  assert.deepEqual(printGraph(graph), ['root 0/91 1', 'root;big 1/1 -89', 'root;new 90/90 90']);
  assert.equal(graph.trimmed, 10n);
  const byParent = flameGraph(await diff(store, { nodeTrimFraction: 0.2 }));
  assert.deepEqual(printGraph(byParent), printGraph(graph));
});

test('diff: labels are compared with the same labels', async () => {
  const store = new TestStore();
  const add = (side: string, pod: string, rows: string) =>
    store.add({ type: cpu, timeNanos: 1n, labels: { side, pod }, rows });
  add('a', 'x', 'f 1');
  add('a', 'y', 'f 2');
  add('b', 'x', 'f 10');
  add('b', 'z', 'f 20');
  assert.deepEqual(printGraph(flameGraph(await diff(store, { groupBy: ['labels.pod'] }))), [
    'root 0/30 27',
    'root;pod=x 0/10 9',
    'root;pod=x;f 10/10 9',
    'root;pod=y 0/0 -2',
    'root;pod=y;f 0/0 -2',
    'root;pod=z 0/20 20',
    'root;pod=z;f 20/20 20',
  ]);
});

test('diff: tables count recursion once and include functions that only the base has', async () => {
  const store = makeStore('main;fib;fib 5\nold 4', 'main;fib 7');
  const top = await diff(store, { report: 'top' });
  assert.ok(top.kind === 'top');
  const { flat, cumulative, cumulativeDiff: differences, name, dictionary } = top.top;
  const rows = Array.from(name, (row, i) =>
    [dictionary.strings.text(row as StringIndex), flat[i], cumulative[i], differences?.[i]].join(
      ' ',
    ),
  );
  assert.deepEqual(rows, ['fib 7 7 2', 'main 0 7 2', 'old 0 0 -4']);
  const table = await diff(store, { report: 'table' });
  assert.ok(table.kind === 'table');
  const { functionName, strings, flatDiff, cumulativeDiff } = table.table;
  const cells = Array.from(functionName, (row, i) =>
    [strings.text(row as StringIndex), flatDiff?.[i], cumulativeDiff?.[i]].join(' '),
  );
  assert.deepEqual(cells.toSorted(), ['fib 2 2', 'main 0 2', 'old -4 -4']);
});

test('diff: exact beyond 2^53, refused where differences may pass 2^63', async () => {
  const big = 2n ** 61n;
  const store = makeStore(`f ${big + 1n}`, `f ${big}`);
  assert.deepEqual(printGraph(flameGraph(await diff(store))), [
    `root 0/${big} -1`,
    `root;f ${big}/${big} -1`,
  ]);
  const huge = makeStore(`f ${2n ** 62n}`, `f ${2n ** 62n}`);
  await rejects(diff(huge), 'out-of-range', /differences may pass/);
});

test('diff: a single profile with a merge; counts of samples are scaled on both sides', async () => {
  const text = 'process_cpu:samples:count:cpu:nanoseconds:delta';
  const type = parseProfileType(text);
  const store = new TestStore();
  store.add({ type, timeNanos: 1n, period: 10n, labels: { side: 'a' }, rows: 'f 3' });
  store.add({ type, timeNanos: 2_000_000n, period: 10n, labels: { side: 'b' }, rows: 'f 5' });
  const single: ProfileSelector = { mode: 'single', query: text, timeNanos: 2_000_000n };
  const report = await diff(store, {}, { base: all(text), compared: single });
  assert.deepEqual(printGraph(flameGraph(report)), ['root 0/50 20', 'root;f 50/50 20']);
  assert.equal(report.valueType.unit, 'nanoseconds');
  const missing: ProfileSelector = { mode: 'single', query: text, timeNanos: 9_000_000n };
  await rejects(
    diff(store, {}, { base: missing, compared: single }),
    'not-found',
    /could not find/,
  );
});

test('diff: types must agree', async () => {
  const store = makeStore('f 1', 'f 2');
  const space = 'memory:alloc_space:bytes:space:bytes';
  store.add({ type: parseProfileType(space), timeNanos: 1n, rows: 'f 1' });
  await rejects(
    diff(store, {}, { base: all(space) }),
    'invalid-argument',
    'cannot compare cpu:nanoseconds with alloc_space:bytes: both sides must be of one type',
  );
});

test('diff: exports keep both sides apart, the base scaled', async () => {
  const store = makeStore('f 1\ng 3', 'f 8');
  const report = await diff(store, { report: 'profile' }, { baseScale: 'total' });
  assert.ok(report.kind === 'profile');
  assert.deepEqual([...report.groups[0].merged.values], [8n]);
  assert.deepEqual([...(report.groups[0].base?.values ?? [])], [2n, 6n]);
});
