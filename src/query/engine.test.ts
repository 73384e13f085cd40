// Tests of the query engine against a naive evaluation and against cases worked out by hand.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { AppError } from '../base/errors.ts';
import { noMetrics } from '../base/metrics.ts';
import { createClock } from '../base/node/clock.ts';
import { parseProfileType } from '../model/profile-type.ts';
import { createQueryEngine } from './engine.ts';
import type { Report, ReportQuestion } from './interface.ts';
import { createMergePool } from './merge-pool.ts';
import { oracleTop, oracleTree, oracleTrim, parseRows, printTree } from './testing/oracle.ts';
import { nameOf, printGraph, printTop } from './testing/print-report.ts';
import { TestStore } from './testing/test-store.ts';

const pool = createMergePool();
after(() => pool.close());
const { signal } = new AbortController();

const cpuText = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
const cpu = parseProfileType(cpuText);
const samplesText = 'process_cpu:samples:count:cpu:nanoseconds:delta';
const samples = parseProfileType(samplesText);

function engineOf(store: TestStore): ReturnType<typeof createQueryEngine> {
  return createQueryEngine({
    querier: store,
    mergePool: pool,
    metrics: noMetrics,
    clock: createClock(),
  });
}

type Asked = Partial<Omit<ReportQuestion, 'select'>> & { readonly query?: string };

function merge(store: TestStore, asked: Asked = {}): Promise<Report> {
  const { query = cpuText, ...rest } = asked;
  return engineOf(store).report(
    {
      select: { mode: 'merge', query, range: { from: 0n, to: 1_000_000n } },
      report: 'flame-graph',
      nodeTrimFraction: 0,
      rootTrimFraction: 0,
      groupBy: [],
      ...rest,
    },
    signal,
  );
}

function graphOf(report: Report): Extract<Report, { kind: 'flame-graph' }>['graph'] {
  assert.ok(report.kind === 'flame-graph');
  return report.graph;
}

/** Random numbers from a seed: xorshift32. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed | 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

function randomRows(random: (below: number) => number, count: number): string {
  return Array.from({ length: count }, () => {
    const frames = Array.from({ length: random(7) }, () => {
      const name = `f${random(5)}`;
      return random(6) === 0 ? `${name}>f${random(5)}>g${random(3)}` : name;
    });
    return `${frames.join(';') || '-'} ${1 + random(1000)}`;
  }).join('\n');
}

test('reports: random profiles agree with the naive evaluation, with all kinds of trimming', async () => {
  for (let seed = 1; seed <= 150; seed += 1) {
    const random = randomFrom(seed * 7919);
    const store = new TestStore();
    // Two of three stores hold so much else that the query takes the way for small selections.
    if (seed % 3 !== 0) {
      store.add({ type: cpu, timeNanos: 1n, labels: { job: 'b' }, rows: randomRows(random, 300) });
    }
    const profiles = Array.from({ length: 1 + random(4) }, () => randomRows(random, random(25)));
    profiles.forEach((rows, i) => {
      store.add({ type: cpu, timeNanos: BigInt(i), labels: { job: 'a', i: `${i}` }, rows });
    });
    const stacks = parseRows(profiles.join('\n'));
    const query = `${cpuText}{job="a"}`;
    const total = stacks.reduce((sum, { value }) => sum + value, 0n);
    const [ofParent, ofRoot] = [
      [0, 0],
      [0.1, 0],
      [0, 0.05],
      [0.3, 0.02],
    ][random(4)];
    const trim = { nodeTrimFraction: ofParent, rootTrimFraction: ofRoot };
    const report = await merge(store, { query, ...trim });
    const expected = oracleTree(stacks);
    const trimmed = oracleTrim(expected, ofParent, ofRoot);
    const graph = graphOf(report);
    assert.equal(printGraph(graph), printTree(expected), `seed ${seed}`);
    assert.equal(graph.trimmed, trimmed);
    assert.equal(report.total, total);
    assert.equal(report.profileCount, profiles.length);
    const depths = stacks.map(({ frames }) => frames.length);
    assert.equal(graph.height, Math.max(0, ...depths) + 1);
    checkOffsets(graph);

    const top = await merge(store, { query, report: 'top' });
    assert.ok(top.kind === 'top');
    const named = stacks.filter(({ frames }) => frames.length > 0);
    assert.deepEqual(printTop(top.top), oracleTop(named), `seed ${seed}`);
  }
});

/** Siblings lie side by side from where their parent starts; depths count from the root. */
function checkOffsets(graph: ReturnType<typeof graphOf>): void {
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
  const graph = graphOf(report);
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
  const graph = graphOf(report);
  assert.equal(printGraph(graph), 'root 0/99\n a 90/90\n b 0/9\n  c 9/9\n');
  assert.equal(graph.trimmed, 1n);
  assert.equal(report.total, 100n);
});

test('flame graph: siblings keep the order of their first profile, small selections too', async () => {
  for (const others of [0, 400]) {
    const store = new TestStore();
    store.add({ type: cpu, timeNanos: 1n, rows: 'main;x 1\nmain;y 1' });
    for (let i = 0; i < others; i += 1) {
      store.add({ type: cpu, timeNanos: 2n, labels: { job: 'other' }, rows: `other${i};z 1` });
    }
    store.add({ type: cpu, timeNanos: 3n, labels: { job: 'a' }, rows: 'main;y;q 1\nmain;x;q 1' });
    const graph = graphOf(await merge(store, { query: `${cpuText}{job="a"}` }));
    const names = Array.from({ length: graph.rowCount - 1 }, (_, i) => nameOf(graph, i + 1));
    assert.deepEqual(names, ['main', 'x', 'y', 'q', 'q']);
  }
});

test('flame graph: an empty result is a root without values', async () => {
  const store = new TestStore();
  store.add({ type: cpu, timeNanos: 1n, rows: 'a 1' });
  const report = await merge(store, { query: `${cpuText}{job="none"}` });
  const graph = graphOf(report);
  assert.equal(graph.isEmpty, true);
  assert.equal(graph.rowCount, 1);
  assert.equal(report.total, 0n);
  assert.equal(report.profileCount, 0);
});

test('flame graph: a cell is empty where merged frames disagree, and says what they agree on', async () => {
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
    // Not selected: what it says must not matter.
    leaf(3, { lines: [{ ...line, fileName: 'other.go' }], mappingFile: '/bin/b' }),
  ];
  store.add({ type: cpu, timeNanos: 1n, rows: 'main 1' });
  const selection = await store.select({
    matchers: [],
    profileType: cpu,
    range: { from: 0n, to: 9n },
  });
  // Points the only row at the stacks that were made by hand, one profile after the other.
  const graph = await graphOfStacks(store, stacks.slice(0, 2), selection);
  assert.equal(graph.rowCount, 2);
  const text = (row: number): string => graph.strings.text(row as never);
  assert.equal(text(graph.functionName[1]), 'f');
  assert.equal(text(graph.systemName[1]), '_f');
  assert.equal(text(graph.fileName[1]), 'f.go');
  assert.equal(text(graph.mappingFile[1]), '/bin/a');
  assert.equal(graph.startLine[1], 3);
  assert.equal(graph.line[1], -1);
  assert.equal(graph.buildId[1], -1);
  assert.equal(graph.inlined[1], 0);
  assert.equal(graph.hasAddress[1], 1);
  assert.equal(graph.addressLow[1], 0, 'the address of a frame with symbols is 0');
});

async function graphOfStacks(
  store: TestStore,
  stacks: readonly number[],
  selection: Awaited<ReturnType<TestStore['select']>>,
): Promise<ReturnType<typeof graphOf>> {
  const [segment] = selection.segments;
  const words = new Uint32Array(new SharedArrayBuffer(1024));
  const values = new BigInt64Array(words.buffer);
  values.fill(1n, 0, 8);
  words.set(stacks, 16);
  const [series] = selection.series;
  const changed = {
    ...series,
    runOffset: Uint32Array.of(0),
    runRows: Uint32Array.of(stacks.length),
    planeCount: 8 / stacks.length,
    plane: 0,
  };
  const querier = Object.create(store) as TestStore;
  querier.select = async () => ({
    ...selection,
    series: [changed],
    segments: [{ ...segment, words, values }],
  });
  return graphOf(await merge(querier));
}

test('flame graph: inlined calls are marked, outermost first; unknown symbols show addresses', async () => {
  const store = new TestStore();
  store.add({ type: cpu, timeNanos: 1n, rows: 'main;outer>middle>inner;0x40 5\nmain;0x41 2' });
  const graph = graphOf(await merge(store));
  assert.equal(
    printGraph(graph),
    'root 0/7\n main 0/7\n  0x41 2/2\n  outer 0/5\n   middle 0/5\n    inner 0/5\n     0x40 5/5\n',
  );
  const inlined = new Map(
    Array.from({ length: graph.rowCount }, (_, row) => [nameOf(graph, row), graph.inlined[row]]),
  );
  assert.equal(inlined.get('outer'), 0);
  assert.equal(inlined.get('middle'), 1);
  assert.equal(inlined.get('inner'), 1);
});

test('group by labels: a row for each value, of series and of samples; without one under the root', async () => {
  const store = new TestStore();
  store.add({ type: cpu, timeNanos: 1n, labels: { job: 'a' }, rows: 'main;x 1\nmain;y 2' });
  store.add({ type: cpu, timeNanos: 1n, labels: { job: 'b' }, rows: 'main;x 4' });
  store.add({
    type: cpu,
    timeNanos: 2n,
    rows: 'main;x 8 job=b\nmain;x 16\nmain;y 32 job=c thread=1',
  });
  const graph = graphOf(await merge(store, { groupBy: ['labels.job'] }));
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
  assert.deepEqual([...graph.labelsOnly.slice(0, 5)], [-1, 1, 1, 1, 0]);
  assert.equal(graph.height, 4);
  const both = graphOf(await merge(store, { groupBy: ['labels.job', 'labels.thread'] }));
  assert.match(printGraph(both), / job=c thread=1 0\/32\n/);
});

test('group by frame facts: file, binary and address tell frames apart', async () => {
  const store = new TestStore();
  const at = (address: number, fileName: string, mappingFile: string): number =>
    store.addStack([store.addLocation({ address, mappingFile, lines: [{ name: 'f', fileName }] })]);
  const stacks = [at(1, 'a', 'm'), at(2, 'a', 'm'), at(3, 'b', 'm'), at(4, 'b', 'n')];
  store.add({ type: cpu, timeNanos: 1n, rows: 'main 1' });
  const range = { from: 0n, to: 9n };
  const selection = await store.select({ matchers: [], profileType: cpu, range });
  const rowsBy = async (...groupBy: string[]): Promise<number> => {
    const querier = Object.create(store) as TestStore;
    const words = new Uint32Array(new SharedArrayBuffer(1024));
    const values = new BigInt64Array(words.buffer);
    values.fill(1n, 0, 4);
    words.set(stacks, 8);
    const [series] = selection.series;
    querier.select = async () => ({
      ...selection,
      segments: [{ buffer: words.buffer as SharedArrayBuffer, words, values }],
      series: [
        {
          ...series,
          runOffset: Uint32Array.of(0),
          runRows: Uint32Array.of(4),
          planeCount: 1,
          plane: 0,
        },
      ],
    });
    return graphOf(await merge(querier, { groupBy })).rowCount - 1;
  };
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
  await rejects(merge(store, { groupBy: ['timestamp'] }), 'unimplemented', /timestamp/);
});

async function rejects(
  promise: Promise<unknown>,
  code: string,
  message: string | RegExp,
): Promise<void> {
  await assert.rejects(promise, (error) => {
    assert.ok(error instanceof AppError);
    assert.equal(error.code, code);
    if (typeof message === 'string') assert.equal(error.message, message);
    else assert.match(error.message, message);
    return true;
  });
}

test("samples:count: merges are scaled by each profile's period, exports and single ones are not", async () => {
  const store = new TestStore();
  const add = (timeNanos: bigint, period: bigint, rows: string): void =>
    store.add({ type: samples, timeNanos, period, durationNanos: 50n, rows });
  add(1n, 10n, 'a 3\nb 1');
  add(2n, 7n, 'a 2');
  add(3n, 10n, 'a 1');
  const query = samplesText;
  const report = await merge(store, { query });
  assert.equal(printGraph(graphOf(report)), 'root 0/64\n a 54/54\n b 10/10\n');
  assert.deepEqual(report.valueType, { type: 'cpu', unit: 'nanoseconds' });
  assert.equal(report.period, 0n);
  assert.equal(report.timeNanos, 1n);
  assert.equal(report.durationNanos, 52n);
  const profile = await merge(store, { query, report: 'profile' });
  assert.ok(profile.kind === 'profile');
  assert.deepEqual([...profile.stacks.values], [6n, 1n]);
  assert.deepEqual(profile.valueType, { type: 'samples', unit: 'count' });
  const select = { mode: 'single', query, timeNanos: 0n } as const;
  const single = await engineOf(store).report(
    { select, report: 'top', nodeTrimFraction: 0, rootTrimFraction: 0, groupBy: [] },
    signal,
  );
  assert.deepEqual(single.valueType, { type: 'samples', unit: 'count' });
  assert.equal(single.total, 7n);
});

test('matchers on labels of samples choose rows', async () => {
  const store = new TestStore();
  store.add({ type: cpu, timeNanos: 1n, rows: 'a 1 thread=x\na 2 thread=y\nb 4 thread=x\nb 8' });
  store.add({ type: cpu, timeNanos: 2n, rows: 'a 16' });
  const totalOf = async (query: string): Promise<bigint> => (await merge(store, { query })).total;
  assert.equal(await totalOf(`${cpuText}{thread="x"}`), 5n);
  assert.equal(await totalOf(`${cpuText}{thread=""}`), 24n);
  assert.equal(await totalOf(`${cpuText}{thread!="x"}`), 26n);
  const grouped = await merge(store, {
    query: `${cpuText}{thread!="y"}`,
    groupBy: ['labels.thread'],
  });
  assert.equal(
    printGraph(graphOf(grouped)),
    'root 0/29\n a 16/16\n b 8/8\n thread=x 0/5\n  a 1/1\n  b 4/4\n',
  );
});

test('single: the profile of that millisecond, else not found', async () => {
  const store = new TestStore();
  store.add({ type: cpu, timeNanos: 5_999_999n, rows: 'a 1' });
  store.add({ type: cpu, timeNanos: 6_000_000n, rows: 'a 2' });
  const totalAt = async (timeNanos: bigint): Promise<bigint> => {
    const select = { mode: 'single', query: cpuText, timeNanos } as const;
    const asked = { select, nodeTrimFraction: 0, rootTrimFraction: 0, groupBy: [] };
    return (await engineOf(store).report({ ...asked, report: 'top' }, signal)).total;
  };
  assert.equal(await totalAt(5_000_000n), 1n);
  assert.equal(await totalAt(5_300_000n), 1n);
  assert.equal(await totalAt(6_999_999n), 2n);
  const message = 'could not find profile at requested time and selectors';
  await rejects(totalAt(7_000_000n), 'not-found', message);
});

test('errors: queries, ranges and sums that do not fit', async () => {
  const store = new TestStore();
  store.add({ type: cpu, timeNanos: 1n, rows: `a ${2n ** 62n}` });
  assert.equal((await merge(store)).total, 2n ** 62n);
  store.add({ type: cpu, timeNanos: 2n, rows: `b ${2n ** 62n}` });
  await rejects(merge(store), 'out-of-range', /passes the limit of 2\^63/);
  await rejects(merge(store, { query: '' }), 'invalid-argument', /query is required/);
  const noType = 'query must contain a profile-type selection';
  await rejects(merge(store, { query: '{a="b"}' }), 'invalid-argument', noType);
  await rejects(merge(store, { query: `${cpuText}{a=~"("}` }), 'invalid-argument', /regular/);
  const select = { mode: 'merge', query: cpuText, range: { from: 2n, to: 1n } } as const;
  const asked = { select, nodeTrimFraction: 0, rootTrimFraction: 0, groupBy: [] };
  const backwards = engineOf(store).report({ ...asked, report: 'top' }, signal);
  await rejects(backwards, 'invalid-argument', 'start timestamp must be before end');
  const aborted = AbortSignal.abort();
  const late = { ...asked, select: { ...select, range: { from: 0n, to: 1n } } };
  await rejects(engineOf(store).report({ ...late, report: 'top' }, aborted), 'cancelled', /cancel/);
});

test('labels: every field of the question counts', async () => {
  const store = new TestStore();
  const heap = parseProfileType('memory:inuse_space:bytes:space:bytes');
  store.add({ type: cpu, timeNanos: 1n, labels: { job: 'a', zone: 'x' }, rows: 'a 1' });
  store.add({ type: heap, timeNanos: 5n, labels: { job: 'b', rack: '7' }, rows: 'a 1' });
  const engine = engineOf(store);
  const ask = { match: [], profileType: '', range: undefined };
  assert.deepEqual(await engine.labelNames(ask), ['job', 'rack', 'zone']);
  assert.deepEqual(await engine.labelNames({ ...ask, profileType: cpuText }), ['job', 'zone']);
  assert.deepEqual(await engine.labelNames({ ...ask, match: ['{job=~"b"}'] }), ['job', 'rack']);
  assert.deepEqual(await engine.labelValues('job', { ...ask, range: { from: 2n, to: 9n } }), ['b']);
  assert.deepEqual(await engine.labelValues('job', { ...ask, match: ['memory'] }), ['b']);
  const both = { ...ask, match: ['memory'], profileType: cpuText };
  assert.deepEqual(await engine.labelValues('job', both), []);
  assert.equal(await engine.hasProfileData(), true);
  assert.equal((await engine.profileTypes(undefined)).length, 2);
});
