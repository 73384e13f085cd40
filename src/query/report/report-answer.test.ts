// Tests of flame graphs and top tables against a naive evaluation and results worked out by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProfileType } from '../../model/profile-type.ts';
import type { StringIndex } from '../../model/rows.ts';
import type { FlameGraph } from '../../report/flame-graph.ts';
import { cpuText, flameGraph, merge, rejects } from '../testing/ask.ts';
import { oracleTop, oracleTree, oracleTrim } from '../testing/oracle/calls.ts';
import {
  rowName,
  listNames,
  parseRows,
  printGraph,
  printTop,
  printTree,
} from '../testing/print-report.ts';
import { sumTexts, total as totalOf } from '../testing/oracle/text-sums.ts';
import { randomFrom, randomRows } from '../testing/random-rows.ts';
import { TestStore } from '../testing/test-store.ts';

const cpu = parseProfileType(cpuText);

test('reports: random profiles agree with the naive evaluation, for all trims', async () => {
  for (let seed = 1; seed <= 150; seed += 1) {
    const random = randomFrom(seed * 7919);
    const store = new TestStore();
    // Two of three stores have so much other data that the query uses the code for small
    // selections.
    if (seed % 3 !== 0) {
      store.add({ type: cpu, timeNanos: 1n, labels: { job: 'b' }, rows: randomRows(random, 300) });
    }
    const profiles = Array.from({ length: 1 + random(4) }, () => randomRows(random, random(25)));
    profiles.forEach((rows, i) => {
      store.add({ type: cpu, timeNanos: BigInt(i), labels: { job: 'a', i: `${i}` }, rows });
    });
    const stacks = parseRows(profiles.join('\n'));
    const query = `${cpuText}{job="a"}`;
    const [total] = totalOf(stacks);
    const [ofParent, ofRoot] = [
      [0, 0],
      [0.1, 0],
      [0, 0.05],
      [0.3, 0.02],
    ][random(4)];
    const trim = { nodeTrimFraction: ofParent, rootTrimFraction: ofRoot };
    const report = await merge(store, { query, ...trim });
    const { tree, trimmed } = oracleTrim(oracleTree(stacks), trim);
    const graph = flameGraph(report);
    assert.equal(printGraph(graph), printTree(tree), `seed ${seed}`);
    assert.equal(graph.trimmed, trimmed);
    assert.equal(report.total, total);
    assert.equal(report.profileCount, profiles.length);
    const depths = stacks.map(({ frames }) => frames.length);
    assert.equal(graph.height, Math.max(0, ...depths) + 1);
    checkOffsets(graph);

    const top = await merge(store, { query, report: 'top' });
    assert.ok(top.kind === 'top');
    assert.deepEqual(printTop(top.top), sumTexts(oracleTop(stacks)), `seed ${seed}`);
  }
});

/**
 * Checks that siblings are adjacent and begin at the start of their parent, and that depths are
 * counted from the root.
 */
function checkOffsets(graph: FlameGraph): void {
  const next = graph.valueOffset.slice();
  for (let row = 1; row < graph.rowCount; row += 1) {
    const parent = graph.parent[row];
    assert.ok(row >= graph.childStart[parent] && row < graph.childStart[parent + 1]);
    assert.equal(graph.valueOffset[row], next[parent]);
    assert.equal(graph.depth[row], graph.depth[parent] + 1);
    next[parent] += graph.cumulative[row];
  }
}

test("flame graph: trimming by parent, the case of Parca's own tests", async () => {
  const store = new TestStore();
  const rows = '1;2 10\n1;2;3;5 1\n1;2;4;5 3';
  store.add({ type: cpu, timeNanos: 1n, rows });
  const report = await merge(store, { nodeTrimFraction: 0.5 });
  const graph = flameGraph(report);
  assert.equal(graph.rowCount, 3);
  assert.equal(report.total, 14n);
  assert.equal(graph.trimmed, 4n);
  assert.equal(graph.height, 5);
  assert.deepEqual([...graph.cumulative], [14n, 14n, 14n]);
  assert.deepEqual([...graph.flat], [0n, 0n, 10n]);
});

test('flame graph: the root shrinks to its kept children, the total does not', async () => {
  const store = new TestStore();
  store.add({ type: cpu, timeNanos: 1n, rows: 'a 90\nb;c 9\nd 1' });
  const report = await merge(store, { rootTrimFraction: 0.05 });
  const graph = flameGraph(report);
  assert.equal(printGraph(graph), 'root 0/99\n a 90/90\n b 0/9\n  c 9/9\n');
  assert.equal(graph.trimmed, 1n);
  assert.equal(report.total, 100n);
});

test('flame graph: siblings come by name, then those without one by address', async () => {
  for (const others of [0, 400]) {
    const store = new TestStore();
    for (let i = 0; i < others; i += 1) {
      store.add({ type: cpu, timeNanos: 2n, labels: { job: 'b' }, rows: `other${i};z 1` });
    }
    const rows = 'main;0x2f 1\nmain;y;q 9\nmain;x;q 1\nmain;0x10 7\nmain;Z 1\nmain;xy 1\nmain;é 1';
    store.add({ type: cpu, timeNanos: 3n, labels: { job: 'a' }, rows });
    const graph = flameGraph(await merge(store, { query: `${cpuText}{job="a"}` }));
    const names = ['main', 'Z', 'x', 'xy', 'y', 'é', '0x10', '0x2f', 'q', 'q'];
    assert.deepEqual(listNames(graph), names);
  }
});

test('flame graph: rows of labels come first, by their values; many siblings are in order', async () => {
  const store = new TestStore();
  const names = Array.from({ length: 40 }, (_, i) => `f${10 + i}`);
  const mixed = names.map((_, i) => `${names[(i * 7) % names.length]} 1`);
  store.add({ type: cpu, timeNanos: 1n, rows: mixed.join('\n') });
  for (const pod of ['b', 'c', 'a']) {
    store.add({ type: cpu, timeNanos: 1n, labels: { pod }, rows: 'main 1' });
  }
  const graph = flameGraph(await merge(store, { groupBy: ['labels.pod'] }));
  const labels = ['pod=a', 'pod=b', 'pod=c'];
  assert.deepEqual(listNames(graph), [...labels, ...names, 'main', 'main', 'main']);
});

test('flame graph: siblings of one name come by file, binary and address', async () => {
  const store = new TestStore();
  const frame = (fileName: string, mappingFile: string, address: number): number =>
    store.addStack([store.addLocation({ address, mappingFile, lines: [{ name: 'f', fileName }] })]);
  const stacks = [
    frame('b.go', '/bin/a', 1),
    frame('a.go', '/bin/b', 1),
    frame('a.go', '/bin/a', 3),
    frame('a.go', '/bin/a', 2),
  ];
  const rows = stacks.map((stack) => `#${stack} 1`).join('\n');
  store.add({ type: cpu, timeNanos: 1n, rows });
  const groupBy = ['function_file_name', 'mapping_file', 'location_address'];
  const graph = flameGraph(await merge(store, { groupBy }));
  const text = (row: number): string => graph.strings.text(row as never);
  const { fileName, mappingFile, addressLow } = graph.frames;
  const found = Array.from(graph.frame.subarray(1, 5), (frame) =>
    [text(fileName[frame]), text(mappingFile[frame]), addressLow[frame]].join(),
  );
  assert.deepEqual(found, ['a.go,/bin/a,2', 'a.go,/bin/a,3', 'a.go,/bin/b,1', 'b.go,/bin/a,1']);
});

test('flame graph: an empty result is a root without values', async () => {
  const store = new TestStore();
  store.add({ type: cpu, timeNanos: 1n, rows: 'a 1' });
  const report = await merge(store, { query: `${cpuText}{job="none"}` });
  const graph = flameGraph(report);
  assert.equal(graph.isEmpty, true);
  assert.equal(graph.rowCount, 1);
  assert.equal(report.total, 0n);
  assert.equal(report.profileCount, 0);
});

test('flame graph: a cell shows the facts that all merged frames share', async () => {
  const store = new TestStore();
  const line = { name: 'f', systemName: '_f', fileName: 'f.go', startLine: 3 };
  const leaf = (address: number, more: object): number =>
    store.addStack([
      store.addLocation({
        address,
        mappingFile: '/bin/a',
        buildId: 'aa',
        lines: [{ ...line, line: 7 }],
        ...more,
      }),
    ]);
  const stacks = [
    leaf(1, {}),
    leaf(2, { lines: [{ ...line, line: 8 }], buildId: 'bb' }),
    // This location is not selected, so its facts must have no effect.
    leaf(3, { lines: [{ ...line, fileName: 'other.go' }], mappingFile: '/bin/b' }),
  ];
  const [first, second, unselected] = stacks;
  store.add({ type: cpu, timeNanos: 1n, rows: `#${first} 1\n#${second} 1` });
  store.add({ type: cpu, timeNanos: 1n, labels: { job: 'b' }, rows: `#${unselected} 1` });
  const graph = flameGraph(await merge(store, { query: `${cpuText}{job=""}` }));
  assert.equal(graph.rowCount, 2);
  const text = (row: number): string => graph.strings.text(row as never);
  const { frames, frame } = graph;
  assert.equal(text(frames.functionName[frame[1]]), 'f');
  assert.equal(text(frames.systemName[frame[1]]), '_f');
  assert.equal(text(frames.fileName[frame[1]]), 'f.go');
  assert.equal(text(frames.mappingFile[frame[1]]), '/bin/a');
  assert.equal(frames.startLine[frame[1]], 3);
  assert.equal(frames.line[frame[1]], -1);
  assert.equal(frames.buildId[frame[1]], -1);
  assert.equal(frames.inlined[frame[1]], 0);
  assert.equal(frames.hasAddress[frame[1]], 1);
  assert.equal(frames.addressLow[frame[1]], 0, 'the address of a frame with symbols is 0');
});

test('flame graph: inlined calls are marked; unknown symbols show addresses', async () => {
  const store = new TestStore();
  store.add({ type: cpu, timeNanos: 1n, rows: 'main;outer>middle>inner;0x40 5\nmain;0x41 2' });
  const graph = flameGraph(await merge(store));
  assert.equal(
    printGraph(graph),
    'root 0/7\n main 0/7\n  0x41 2/2\n  outer 0/5\n   middle 0/5\n    inner 0/5\n     0x40 5/5\n',
  );
  const inlined = new Map(
    Array.from(graph.frame, (frame, row) => [rowName(graph, row), graph.frames.inlined[frame]]),
  );
  assert.equal(inlined.get('outer'), 0);
  assert.equal(inlined.get('middle'), 1);
  assert.equal(inlined.get('inner'), 1);
});

test('group by labels: a row for each value of series and of samples', async () => {
  const store = new TestStore();
  store.add({ type: cpu, timeNanos: 1n, labels: { job: 'a' }, rows: 'main;x 1\nmain;y 2' });
  store.add({ type: cpu, timeNanos: 1n, labels: { job: 'b' }, rows: 'main;x 4' });
  store.add({
    type: cpu,
    timeNanos: 2n,
    rows: 'main;x 8 job=b\nmain;x 16\nmain;y 32 job=c thread=1',
  });
  const graph = flameGraph(await merge(store, { groupBy: ['labels.job'] }));
  assert.equal(
    printGraph(graph),
    [
      'root 0/63',
      ' job=a 0/3',
      '  main 0/3',
      '   x 1/1',
      '   y 2/2',
      ' job=b 0/12',
      '  main 0/12',
      '   x 12/12',
      ' job=c 0/32',
      '  main 0/32',
      '   y 32/32',
      ' main 0/16',
      '  x 16/16',
      '',
    ].join('\n'),
  );
  assert.deepEqual(Array.from(graph.labelsOnly.slice(0, 5)), [-1, 1, 1, 1, 0]);
  assert.equal(graph.height, 4);
  const both = flameGraph(await merge(store, { groupBy: ['labels.job', 'labels.thread'] }));
  assert.match(printGraph(both), / job=c, thread=1 0\/32\n/);
});

test('group by frame facts: file, binary and address tell frames apart', async () => {
  const store = new TestStore();
  const at = (address: number, fileName: string, mappingFile: string): number =>
    store.addStack([store.addLocation({ address, mappingFile, lines: [{ name: 'f', fileName }] })]);
  const stacks = [at(1, 'a', 'm'), at(2, 'a', 'm'), at(3, 'b', 'm'), at(4, 'b', 'n')];
  const rows = stacks.map((stack) => `#${stack} 1`).join('\n');
  store.add({ type: cpu, timeNanos: 1n, rows });
  const rowsBy = async (...groupBy: string[]): Promise<number> =>
    flameGraph(await merge(store, { groupBy })).rowCount - 1;
  assert.equal(await rowsBy(), 1);
  assert.equal(await rowsBy('function_name'), 1);
  assert.equal(await rowsBy('function_file_name'), 2);
  assert.equal(await rowsBy('mapping_file'), 2);
  assert.equal(await rowsBy('function_file_name', 'mapping_file'), 3);
  assert.equal(await rowsBy('location_address'), 4);
});

test('group by: unknown fields are refused by name', async () => {
  const store = new TestStore();
  await rejects(
    merge(store, { groupBy: ['colour'] }),
    'invalid-argument',
    'invalid group by field: colour',
  );
  await rejects(
    merge(store, { groupBy: ['labels.'] }),
    'invalid-argument',
    'invalid group by field: labels.',
  );
});

test('table: rows are sorted by name, in any order of writing', async () => {
  for (const others of [0, 400]) {
    const store = new TestStore();
    const seen = 'main;y 1\nmain;x 1';
    store.add({ type: cpu, timeNanos: 1n, labels: { job: 'first' }, rows: seen });
    for (let i = 0; i < others; i += 1) {
      store.add({ type: cpu, timeNanos: 2n, labels: { job: 'b' }, rows: `other${i};z 1` });
    }
    store.add({ type: cpu, timeNanos: 3n, labels: { job: 'a' }, rows: 'main;y 1\nmain;x 1\nq 1' });
    const report = await merge(store, { query: `${cpuText}{job="a"}`, report: 'table' });
    assert.ok(report.kind === 'table');
    const { strings, functionName } = report.table;
    const names = Array.from(functionName, (name) => strings.text(name as StringIndex));
    assert.deepEqual(names, ['main', 'q', 'x', 'y']);
  }
});
