// Tests of encoded diffs, and of the fields that all encoded reports have.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Long from 'long';
import type { parca } from '../../../proto/gen/query.js';
import { readRecord } from '../../formats/testing/read-record.ts';
import type { ReportQuestion } from '../../query/interface.ts';
import type { ReportKind } from '../../query/report-kinds.ts';
import { TestStore } from '../../query/testing/test-store.ts';
import { answer, cpuType as type, query, readRow } from '../testing/ask-report.ts';

const at = (time: bigint) => ({ mode: 'merge', query, range: { from: time, to: time } }) as const;
const diff: ReportQuestion['select'] = {
  mode: 'diff',
  base: at(1n),
  compared: at(2n),
  baseScale: 'none',
};

/** The base has main;f 30, main;g 5 and x 10; the compared side has main;f 20 and main;h 7. */
function makeStore(): TestStore {
  const store = new TestStore();
  const shared = { type, period: 5n, durationNanos: 10n };
  store.add({ ...shared, timeNanos: 1n, rows: 'main;f 30\nmain;g 5\nx 10' });
  store.add({ ...shared, timeNanos: 2n, rows: 'main;f 20\nmain;h 7' });
  return store;
}

/** Converts a message to plain data, with int64 as strings. */
function plain(value: unknown): ReturnType<typeof JSON.parse> {
  return JSON.parse(
    JSON.stringify(value, (_, one: unknown) => (Long.isLong(one) ? String(one) : one)),
  );
}

function askDiff(kind: ReportKind): Promise<parca.query.v1alpha1.QueryResponse> {
  return answer(makeStore(), kind, [], diff);
}

interface PlainNode {
  readonly meta?: { readonly function?: { readonly name: string } };
  readonly cumulative: string;
  readonly diff: string;
  readonly children: readonly PlainNode[];
}

test('diff: nodes of nested flame graphs have their difference, the root too', async () => {
  const { flamegraph } = await askDiff('nested-flame-graph');
  const print = ({ meta, cumulative, diff: by, children }: PlainNode): string[] => [
    `${meta?.function?.name ?? 'root'} ${cumulative ?? 0} ${by ?? 0}`,
    ...children.flatMap(print),
  ];
  const want = ['root 27 -18', 'main 27 -8', 'f 20 -10', 'g 0 -5', 'h 7 7', 'x 0 -10'];
  assert.deepEqual(print(plain(flamegraph?.root)), want);
  assert.deepEqual(
    [plain(flamegraph).untrimmedTotal, (await askDiff('flame-graph-table')).flamegraph?.unit],
    ['27', 'nanoseconds'],
  );
});

test('diff: nodes and edges of call graphs have their difference', async () => {
  const { callgraph } = plain(await askDiff('call-graph'));
  const nodes = callgraph.nodes.map(
    (node: { meta: { function: { name: string } } } & Record<string, string>) =>
      [node.meta.function.name, node.flat, node.diff, node.flatDiff]
        .map((one) => one ?? 0)
        .join(' '),
  );
  assert.deepEqual(nodes, ['f 20 -10 -10', 'h 7 7 7', 'g 0 -5 -5', 'main 0 -8 0', 'x 0 -10 -10']);
  const edges = callgraph.edges.map(({ diff: by }: { diff: string }) => by);
  // The edges of main lead to f, h and g.
  assert.deepEqual(edges.toSorted(), ['-10', '-5', '7']);
});

test('diff: TOP has both differences', async () => {
  const { top } = plain(await askDiff('top'));
  const [, , , main] = top.list;
  assert.deepEqual([main.cumulative, main.diff, main.flatDiff ?? '0'], ['27', '-8', '0']);
  assert.deepEqual([top.list[0].diff, top.list[0].flatDiff], ['-10', '-10']);
});

test('diff: lines of a source have two columns of changes', async () => {
  const store = new TestStore();
  const lineAt = (line: number): number =>
    store.addStack([
      store.addLocation({ address: line, lines: [{ name: 'f', fileName: 'f.go', line }] }),
    ]);
  store.add({ type, timeNanos: 1n, rows: `#${lineAt(1)} 3\n#${lineAt(2)} 4` });
  store.add({ type, timeNanos: 2n, rows: `#${lineAt(2)} 9` });
  const file = { buildId: '', fileName: 'f.go' };
  const { source } = await answer(store, 'source', [], diff, file);
  assert.ok(source);
  const table = readRecord(source.record);
  assert.deepEqual(table.names.slice(4), ['cumulative_diff', 'flat_diff', 'function_name']);
  assert.deepEqual(
    [0, 1].map((row) => Object.values(readRow(table, row)).join(' ')),
    ['f.go 1 0 0 -3 -3 f', 'f.go 2 9 9 5 5 f'],
  );
});

const kinds: readonly ReportKind[] = [
  'flame-graph',
  'nested-flame-graph',
  'flame-graph-table',
  'top',
  'table',
  'call-graph',
  'source',
  'profile',
  'metadata',
];

test('every kind of report says what it is made of, a diff of both sides', async () => {
  for (const kind of kinds) {
    const { total, filtered, profileCount, sampleCount, coveredNanos, period, trimmed, base } =
      await askDiff(kind);
    const own = [total, filtered, profileCount, sampleCount, coveredNanos, period, trimmed];
    assert.deepEqual(own.map(String), ['27', '0', '1', '5', '10', '5', '0'], kind);
    const facts = { total: '45', profileCount: '1', sampleCount: '9' };
    assert.deepEqual(plain(base), { ...facts, coveredNanos: '10', period: '5' }, kind);
    assert.equal((await answer(makeStore(), kind)).base, null, kind);
  }
});

test('every kind of report says what a search found', async () => {
  const search = { text: '^(f|x)$', mode: 'regex' } as const;
  for (const kind of kinds) {
    const { search: totals } = await answer(makeStore(), kind, [], diff, undefined, { search });
    // The value of f was 30 and is 20; x had 10 and has disappeared.
    const want = { cumulative: '20', flat: '20', cumulativeDiff: '-20', flatDiff: '-20', names: 2 };
    assert.deepEqual(plain(totals), want, kind);
    assert.equal((await answer(makeStore(), kind)).search, null, kind);
  }
});

test('flame graphs of every form say how far a zoom path led', async () => {
  for (const kind of ['flame-graph', 'nested-flame-graph', 'flame-graph-table'] as const) {
    const zoomPath = ['main', 'f', 'gone'];
    const { zoomedFrames } = await answer(makeStore(), kind, [], undefined, undefined, {
      zoomPath,
    });
    assert.equal(zoomedFrames, 2, kind);
  }
});

test('flame graphs of every form say what was trimmed', async () => {
  for (const kind of ['flame-graph', 'nested-flame-graph', 'flame-graph-table'] as const) {
    // The value of main is 62 of 72. x (10) is trimmed and, below main, also g (5) and h (7).
    const trim = { nodeTrimFraction: 0.2 };
    const { total, trimmed } = await answer(makeStore(), kind, [], undefined, undefined, trim);
    assert.deepEqual([String(total), String(trimmed)], ['72', '22'], kind);
  }
});
