// Tests of encoded reports, read by flechette and zlib.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { Table } from '@uwdata/flechette';
import type { parca } from '../../../proto/gen/query.js';
import { readRecord } from '../../formats/testing/read-record.ts';
import type { ProfileSelector } from '../../query/interface.ts';
import { TestStore } from '../../query/testing/test-store.ts';
import {
  answer,
  cell,
  columnTexts,
  cpuType as type,
  query,
  readRow,
  typeName,
} from '../testing/ask-report.ts';

function readGraph(response: parca.query.v1alpha1.QueryResponse): Table {
  assert.ok(response.flamegraphArrow);
  return readRecord(response.flamegraphArrow.record);
}

test('flame graph record: columns, their types and every cell of a small graph', async () => {
  const store = new TestStore();
  store.add({ type, timeNanos: 1n, rows: 'main;a>b 300\nmain;0x40 70000' });
  const response = await answer(store, 'flame-graph');
  assert.equal(response.report, 'flamegraphArrow');
  assert.equal(response.total.toString(), '70300');
  assert.equal(response.filtered.toString(), '0');
  assert.equal(response.flamegraphArrow?.unit, 'nanoseconds');
  assert.equal(response.flamegraphArrow?.height, 4);
  assert.equal(response.flamegraphArrow?.trimmed.toString(), '0');
  const table = readGraph(response);
  assert.deepEqual(columnTexts(table), [
    'labels_only Bool nullable',
    'location_address UInt64 nullable',
    'mapping_file Dictionary<UInt8, Binary> nullable',
    'mapping_build_id Dictionary<UInt8, Binary> nullable',
    'location_line UInt8 nullable',
    'inlined Bool nullable',
    'function_startline UInt8 nullable',
    'function_name Dictionary<UInt8, Binary> nullable',
    'function_system_name Dictionary<UInt8, Binary> nullable',
    'function_file_name Dictionary<UInt8, Binary> nullable',
    'children List<UInt32> nullable',
    'parent Int32',
    'cumulative UInt32 nullable',
    'flat UInt32 nullable',
    'diff Int8 nullable',
    'timestamp Int64',
    'depth UInt8 nullable',
    'value_offset UInt16',
  ]);
  assert.equal(table.numRows, 5);
  const root = {
    labels_only: null,
    location_address: null,
    mapping_file: null,
    mapping_build_id: null,
    location_line: null,
    inlined: null,
    function_startline: null,
    function_name: null,
    function_system_name: null,
    function_file_name: null,
    children: [1],
    parent: -1,
    cumulative: 70300,
    flat: 0,
    diff: 0,
    timestamp: 0n,
    depth: 0,
    value_offset: 0,
  };
  assert.deepEqual(readRow(table, 0), root);
  const named = (name: string): object => ({
    labels_only: false,
    location_address: 0n,
    location_line: 0,
    inlined: false,
    function_startline: 0,
    function_name: name,
    function_system_name: name,
  });
  const main = { ...named('main'), children: [2, 3], parent: 0, depth: 1 };
  assert.deepEqual(readRow(table, 1), { ...root, ...main });
  const a = { ...named('a'), children: [4], parent: 1, depth: 2, cumulative: 300 };
  assert.deepEqual(readRow(table, 2), { ...root, ...a });
  const bare = { labels_only: false, location_address: 0x40n, inlined: false, children: null };
  assert.deepEqual(readRow(table, 3), {
    ...root,
    ...bare,
    parent: 1,
    depth: 2,
    cumulative: 70000,
    flat: 70000,
    value_offset: 300,
  });
  const b = { ...named('b'), inlined: true, children: null, parent: 2, depth: 3 };
  assert.deepEqual(readRow(table, 4), { ...root, ...b, cumulative: 300, flat: 300 });
});

test('flame graph record: integers are as wide as their values need', async () => {
  const cases: [bigint, string][] = [
    [254n, 'UInt8'],
    [255n, 'UInt16'],
    [65_534n, 'UInt16'],
    [65_535n, 'UInt32'],
    [0xffff_fffen, 'UInt32'],
    [0xffff_ffffn, 'UInt64'],
    [2n ** 62n, 'UInt64'],
  ];
  for (const [value, want] of cases) {
    const store = new TestStore();
    store.add({ type, timeNanos: 1n, rows: `main ${value}` });
    const table = readGraph(await answer(store, 'flame-graph'));
    assert.equal(typeName(table, 'cumulative'), want, `${value}`);
    assert.equal(BigInt(cell(table, 'cumulative', 1) as number | bigint), value);
  }
});

test('flame graph record: the diff column is as wide as its values of both signs need', async () => {
  const cases: [bigint, bigint, string][] = [
    [126n, 0n, 'Int8'],
    [0n, 127n, 'Int16'],
    [200n, 32_967n, 'Int32'],
    [0n, 0x7fff_fffen, 'Int32'],
    [1n, 2n ** 40n, 'Int64'],
  ];
  for (const [before, after, want] of cases) {
    const store = new TestStore();
    store.add({ type, timeNanos: 1n, rows: `f ${before}\ng 1` });
    store.add({ type, timeNanos: 2n, rows: `f ${after}\ng 1` });
    for (const [base, compared] of [
      [1n, 2n],
      [2n, 1n],
    ]) {
      const at = (time: bigint): ProfileSelector => {
        return { mode: 'merge', query, range: { from: time, to: time } };
      };
      const select = { base: at(base), compared: at(compared), baseScale: 'none' } as const;
      const table = readGraph(await answer(store, 'flame-graph', [], { mode: 'diff', ...select }));
      assert.equal(typeName(table, 'diff'), want);
      const sign = base === 1n ? 1n : -1n;
      const sums = [0, 1].map((row) => BigInt(cell(table, 'diff', row) as number | bigint));
      assert.deepEqual(sums, [sign * (after - before), sign * (after - before)]);
    }
  }
});

test('flame graph record: the dictionary holds what is used, many entries widen it', async () => {
  const store = new TestStore();
  const rows = Array.from({ length: 300 }, (_, i) => `f${100 + i} ${i + 1}`).join('\n');
  store.add({ type, timeNanos: 1n, rows });
  store.add({ type, timeNanos: 500n, rows: 'elsewhere 1' });
  const table = readGraph(await answer(store, 'flame-graph'));
  assert.equal(typeName(table, 'function_name'), 'Dictionary<UInt16, Binary>');
  assert.equal(cell(table, 'function_name', 300), 'f399');
  const bytes = (await answer(store, 'flame-graph')).flamegraphArrow?.record;
  assert.ok(bytes && !Buffer.from(bytes).includes('elsewhere'));
});

test('flame graph record: an empty profile is one row of nulls', async () => {
  const table = readGraph(await answer(new TestStore(), 'flame-graph'));
  assert.equal(table.numRows, 1);
  const { parent, value_offset: offset, timestamp, ...rest } = readRow(table, 0);
  assert.deepEqual({ parent, offset, timestamp }, { parent: -1, offset: 0, timestamp: 0n });
  for (const [name, value] of Object.entries(rest)) assert.equal(value, null, name);
});

test('flame graph record: grouped labels are columns of their own', async () => {
  const store = new TestStore();
  store.add({ type, timeNanos: 1n, labels: { job: 'a' }, rows: 'main 1' });
  store.add({ type, timeNanos: 1n, rows: 'main 2' });
  const table = readGraph(await answer(store, 'flame-graph', ['labels.job', 'labels.none']));
  assert.deepEqual(table.names.slice(18), ['labels.job', 'labels.none']);
  assert.equal(typeName(table, 'labels.job'), 'Dictionary<UInt8, Binary>');
  const rows = Array.from({ length: table.numRows }, (_, row) =>
    ['labels_only', 'function_name', 'labels.job', 'labels.none', 'parent'].map((name) =>
      cell(table, name, row),
    ),
  );
  assert.deepEqual(rows, [
    [null, null, null, null, -1],
    [true, null, 'a', null, 0],
    [false, 'main', null, null, 0],
    [false, 'main', 'a', null, 1],
  ]);
});

test('top: facts that all frames of a row share', async () => {
  const store = new TestStore();
  store.add({ type, timeNanos: 1n, rows: 'main;fib;fib 5\nmain 1\n0x40 2' });
  const { top, total } = await answer(store, 'top');
  assert.ok(top);
  assert.equal(total.toString(), '8');
  assert.equal(top.reported, 3);
  assert.equal(top.unit, 'nanoseconds');
  const rows = top.list.map(({ meta, flat, cumulative }) => {
    const what = meta?.function?.name ?? meta?.location?.address?.toString();
    return `${what} ${flat} ${cumulative}`;
  });
  assert.deepEqual(rows, ['fib 5 5', '64 2 2', 'main 1 6']);
});

test('an answer has facts about its total', async () => {
  const store = new TestStore();
  const shared = { type, period: 10n, durationNanos: 10n, rows: 'a 50\nb 20' };
  for (const job of ['x', 'y']) {
    store.add({ ...shared, labels: { job }, timeNanos: 1n });
    store.add({ ...shared, labels: { job }, timeNanos: 11n });
  }
  const { profileCount, sampleCount, coveredNanos, period, snapshots } = await answer(store, 'top');
  const numbers = [profileCount, sampleCount, coveredNanos, period].map(String);
  // Both jobs are profiled at the same time, so the profiles cover 20 ns, not 40 ns.
  assert.deepEqual(numbers, ['4', '28', '20', '10']);
  assert.equal(snapshots, 0);
});

test('an answer names data that could not be read', async () => {
  const store = new TestStore();
  store.add({ type, timeNanos: 1n, rows: 'main;fib 5' });
  const select: TestStore['select'] = async (question) => {
    const selection = await TestStore.prototype.select.call(store, question);
    selection.missing.push('cannot read block x');
    return selection;
  };
  const { warnings, total } = await answer(Object.assign(store, { select }), 'top');
  assert.deepEqual([warnings, String(total)], [['cannot read block x'], '5']);
  assert.deepEqual((await answer(new TestStore(), 'top')).warnings, []);
});

test('profile: gzipped pprof', async () => {
  const store = new TestStore();
  store.add({ type, timeNanos: 1n, rows: 'main;fib 5' });
  const { pprof, report } = await answer(store, 'profile');
  assert.equal(report, 'pprof');
  assert.ok(pprof);
  assert.ok(gunzipSync(pprof).includes('fib'));
});

test('metadata: the binaries of what was selected, and the labels', async () => {
  const store = new TestStore();
  const at = (address: number, mappingFile: string): string => {
    const lines = [{ name: `f${address}` }];
    return `#${store.addStack([store.addLocation({ address, mappingFile, lines })])}`;
  };
  const rows = `${at(1, '/bin/b')} 1\n${at(2, '/bin/a')} 1\n${at(3, '')} 1`;
  store.add({ type, timeNanos: 1n, labels: { job: 'a', pod: 'b' }, rows });
  store.add({ type, timeNanos: 500n, labels: { zone: 'c' }, rows: `${at(4, '/bin/c')} 1` });
  const { report, profileMetadata, total, filtered } = await answer(store, 'metadata');
  assert.equal(report, 'profileMetadata');
  assert.deepEqual(profileMetadata?.mappingFiles, ['/bin/a', '/bin/b']);
  assert.deepEqual(profileMetadata?.labels, ['job', 'pod']);
  assert.deepEqual([String(total), String(filtered)], ['3', '0']);
});

test('call graph: nodes, edges and ids that other stores have too', async () => {
  const store = new TestStore();
  store.add({ type, timeNanos: 1n, rows: 'main;pass;0x40 1\nmain;fib;fib 999' });
  const { report, callgraph, total } = await answer(store, 'call-graph');
  assert.equal(report, 'callgraph');
  assert.ok(callgraph);
  assert.deepEqual([String(total), String(callgraph.cumulative)], ['1000', '1000']);
  const names = new Map(
    callgraph.nodes.map(({ id, meta }) => [
      id,
      meta?.function?.name ?? `0x${meta?.location?.address?.toString(16)}`,
    ]),
  );
  assert.equal(names.size, callgraph.nodes.length);
  const nodes = callgraph.nodes.map((node) => {
    return `${names.get(node.id)} ${node.flat}/${node.cumulative}`;
  });
  assert.deepEqual(nodes, ['fib 999/999', '0x40 1/1', 'main 0/1000']);
  const edges = callgraph.edges.map(({ source, target, cumulative, isCollapsed }) => {
    const pair = `${names.get(source)} > ${names.get(target)}`;
    return `${pair} ${cumulative} ${isCollapsed}`;
  });
  assert.deepEqual(edges, ['fib > fib 999 false', 'main > fib 999 false', 'main > 0x40 1 true']);
  assert.equal(new Set(callgraph.edges.map(({ id }) => id)).size, 3);
  const again = new TestStore();
  again.add({ type, timeNanos: 1n, rows: 'other;0x30 7\nmain;fib;fib 999\nmain;pass;0x40 1' });
  const { callgraph: larger } = await answer(again, 'call-graph');
  const readId = ({ id }: { id?: string | null }): string => String(id);
  const there = new Set([...(larger?.nodes ?? []), ...(larger?.edges ?? [])].map(readId));
  for (const id of [...callgraph.nodes, ...callgraph.edges].map(readId)) assert.ok(there.has(id));
});

test('profile: a diff has the negated base, marked for pprof', async () => {
  const store = new TestStore();
  store.add({ type, timeNanos: 1n, rows: 'main;fib 5' });
  store.add({ type, timeNanos: 2n, rows: 'main;fib 7' });
  const at = (time: bigint): ProfileSelector => {
    return { mode: 'merge', query, range: { from: time, to: time } };
  };
  const select = { mode: 'diff', base: at(1n), compared: at(2n), baseScale: 'none' } as const;
  const { pprof, total } = await answer(store, 'profile', [], select);
  assert.equal(total.toString(), '7');
  assert.ok(pprof && gunzipSync(pprof).includes('pprof::base'));
  const { top } = await answer(store, 'top', [], select);
  assert.deepEqual(
    top?.list.map(({ cumulative, diff }) => `${cumulative} ${diff}`),
    ['7 2', '7 2'],
  );
});
