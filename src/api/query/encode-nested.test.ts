// Tests of flame graphs in nested messages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Long from 'long';
import type { parca } from '../../../proto/gen/query.js';
import { nestedReportDepthMax } from '../limits.ts';
import { oracleTree } from '../../query/testing/oracle/calls.ts';
import { parseRows } from '../../query/testing/print-report.ts';
import { randomFrom, randomRows } from '../../query/testing/random-rows.ts';
import { TestStore } from '../../query/testing/test-store.ts';
import { separator } from '../../query/testing/oracle/text-sums.ts';
import { answer, cpuType as type } from '../testing/ask-report.ts';

type Flamegraph = parca.query.v1alpha1.Flamegraph;
type Node = parca.query.v1alpha1.FlamegraphNode;

async function askForGraph(
  store: TestStore,
  kind: 'nested-flame-graph' | 'flame-graph-table',
): Promise<Flamegraph> {
  const { flamegraph } = await answer(store, kind);
  assert.ok(flamegraph);
  return flamegraph;
}

/** Finds the name of a node in the tables, as Parca's clients do. */
function tableName(graph: Flamegraph, { meta }: Node): string {
  const location = graph.locations[(meta?.locationIndex ?? 0) - 1];
  const line = location.lines?.[meta?.lineIndex ?? 0];
  if (!line) return `0x${location.address?.toString(16)}`;
  const { nameStringIndex } = graph.function[(line.functionIndex ?? 0) - 1];
  return graph.stringTable[nameStringIndex ?? 0];
}

function nestedName({ meta }: Node): string {
  return meta?.function?.name ?? `0x${meta?.location?.address?.toString(16)}`;
}

/** Prints every node as `;main;f 5`. */
function print(children: readonly Node[], nameOf: (node: Node) => string, above = ''): string[] {
  return children.flatMap((node) => {
    const path = `${above};${nameOf(node)}`;
    return [`${path} ${node.cumulative}`, ...print(node.children as Node[], nameOf, path)];
  });
}

/** Converts a message to plain data: int64 as strings, unset fields left out. */
function plain(message: unknown): ReturnType<typeof JSON.parse> {
  return JSON.parse(
    JSON.stringify(message, (_, value: unknown) => (Long.isLong(value) ? String(value) : value)),
  );
}

test('nested flame graphs: both forms agree with the naive evaluation', async () => {
  for (let seed = 1; seed <= 30; seed += 1) {
    const rows = randomRows(randomFrom(seed * 32_452_843), 30);
    const store = new TestStore();
    store.add({ type, timeNanos: 1n, rows });
    const want = [...oracleTree(parseRows(rows))]
      .map(([path, { cumulative }]) => `${path.replaceAll(separator, ';')} ${cumulative[0]}`)
      .filter((line) => line.startsWith(';'));
    const nested = await askForGraph(store, 'nested-flame-graph');
    const tables = await askForGraph(store, 'flame-graph-table');
    assert.deepEqual(
      print((nested.root?.children ?? []) as Node[], nestedName).sort(),
      want.sort(),
    );
    const readName = (node: Node): string => tableName(tables, node);
    assert.deepEqual(print((tables.root?.children ?? []) as Node[], readName).sort(), want);
  }
});

test('nested flame graphs: every fact of a frame, inside the node or in the tables', async () => {
  const store = new TestStore();
  const fact = { mappingFile: '/bin/a', buildId: 'aa' };
  const line = { name: 'f', systemName: '_f', fileName: 'f.go', startLine: 3, line: 7 };
  const leaf = store.addLocation({ address: 9, ...fact, lines: [line] });
  const bare = store.addLocation({ address: 0x40, ...fact, lines: [] });
  const main = store.addLocation({ address: 8, lines: [{ name: 'main' }] });
  const rows = `#${store.addStack([leaf, main])} 5\n#${store.addStack([bare, main])} 2`;
  store.add({ type, timeNanos: 1n, rows });
  const { flamegraph, report } = await answer(store, 'nested-flame-graph');
  assert.equal(report, 'flamegraph');
  const nested = plain(flamegraph);
  assert.equal(nested.unit, 'nanoseconds');
  assert.equal(nested.height, 3);
  assert.equal(nested.total, '7');
  assert.equal(nested.untrimmedTotal, '7');
  const [first] = nested.root.children;
  assert.deepEqual(first.meta.function, { id: '1', name: 'main', systemName: 'main' });
  assert.deepEqual(first.children[0].meta, {
    location: { id: '2', mappingId: '1', lines: [] },
    mapping: { id: '1', file: '/bin/a', buildId: 'aa' },
    function: { id: '2', name: 'f', systemName: '_f', filename: 'f.go', startLine: '3' },
    line: { functionId: '2', line: '7' },
  });
  assert.deepEqual(first.children[1].meta, {
    location: { id: '3', address: '64', mappingId: '1', lines: [] },
    mapping: { id: '1', file: '/bin/a', buildId: 'aa' },
  });

  const tables = plain(await askForGraph(store, 'flame-graph-table'));
  assert.deepEqual(tables.stringTable, ['', 'main', 'f', '_f', 'f.go', '/bin/a', 'aa']);
  assert.deepEqual(tables.mapping, [{ fileStringIndex: 5, buildIdStringIndex: 6 }]);
  assert.deepEqual(tables.function[1], {
    nameStringIndex: 2,
    systemNameStringIndex: 3,
    filenameStringIndex: 4,
    startLine: '3',
  });
  const lines = [{ functionIndex: 2, line: '7' }];
  assert.deepEqual(tables.locations[1], { mappingIndex: 1, lines });
  assert.deepEqual(tables.locations[2], { address: '64', mappingIndex: 1, lines: [] });
  assert.deepEqual(
    tables.root.children[0].children.map(({ meta }: Node) => meta),
    [{ locationIndex: 2 }, { locationIndex: 3 }],
  );
});

test('nested flame graphs: frames too deep for protobuf readers are left out', async () => {
  const frames = Array.from({ length: 500 }, (_, i) => `f${i}`).join(';');
  for (const kind of ['nested-flame-graph', 'flame-graph-table'] as const) {
    const store = new TestStore();
    store.add({ type, timeNanos: 1n, rows: `${frames} 5` });
    const graph = await askForGraph(store, kind);
    assert.equal(graph.height, 501);
    let depth = 0;
    let children = (graph.root?.children ?? []) as Node[];
    for (; children.length > 0; children = children[0].children as Node[]) {
      assert.equal(children[0].cumulative?.toString(), '5');
      depth += 1;
    }
    assert.equal(depth, nestedReportDepthMax);
  }
});

test('nested flame graphs: nothing selected is a root without children', async () => {
  const graph = await askForGraph(new TestStore(), 'flame-graph-table');
  assert.equal(graph.root?.children?.length, 0);
  assert.equal(graph.total.toString(), '0');
});
