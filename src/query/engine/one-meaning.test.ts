// Tests of short types that match several types: one answer has profiles of several languages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatProfileType, parseProfileType, type ProfileType } from '../../model/profile-type.ts';
import type { Querier, TimeRange } from '../../storage/interface.ts';
import type { NearestData } from '../interface.ts';
import { createEngine, merge, rejects } from '../testing/ask.ts';
import { printGraph, printSeries } from '../testing/print-report.ts';
import { realStore } from '../testing/real-parts.ts';
import { TestStore } from '../testing/test-store.ts';

const second = 1_000_000_000n;
const { signal } = new AbortController();
const range: TimeRange = { from: 0n, to: 200n * second };

/** The types that Go, Python and Node use for one measure. */
interface Spellings {
  readonly go: ProfileType;
  readonly python: ProfileType;
  readonly node: ProfileType;
}

const cpu = {
  go: parseProfileType('process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta'),
  python: parseProfileType('process_cpu:CPU:nanoseconds:CPU:nanoseconds:delta'),
  node: parseProfileType('process_cpu:cpu:nanoseconds:wall:nanoseconds:delta'),
};
const inUse = {
  go: parseProfileType('memory:inuse_space:bytes:space:bytes'),
  python: parseProfileType('memory:inuse_space:bytes:inuse_space:bytes'),
  node: parseProfileType('memory:space:bytes:space:bytes'),
};
const allocated = {
  go: parseProfileType('memory:alloc_space:bytes:space:bytes'),
  python: parseProfileType('memory:alloc_space:bytes:alloc_space:bytes'),
  node: parseProfileType('memory:alloc_space:bytes::'),
};

/** Adds profiles of three programs that run at overlapping times. */
function fill(store: TestStore, { go, python, node }: Spellings): TestStore {
  const add = (type: ProfileType, job: string, at: number, rows: string): void => {
    const durationNanos = type.delta ? 10n * second : 0n;
    const times = { timeNanos: BigInt(at) * second, durationNanos };
    store.add({ ...times, type, period: 10n, labels: { job }, rows });
  };
  for (const i of [0, 1, 2, 3, 4]) {
    add(go, 'shop', i * 10, `main;serve ${1_000 + i * 500}\nmain;idle ${10 + i}`);
    add(
      python,
      'etl',
      i * 10 + (i % 2),
      `main;load ${300 + i * 70} thread=a\nmain;serve ${40 * i}`,
    );
    if (i % 2 === 0) add(node, 'feed', i * 10, `main;handle ${2_000 + i * i}\n(program) 7`);
  }
  return store;
}

/**
 * Runs every kind of query for a selector. Returns strings that do not depend on how types are
 * spelled.
 */
async function collectAnswers(store: Querier, query: string): Promise<unknown> {
  const engine = createEngine(store);
  const select = { mode: 'merge', query, range } as const;
  const whole = { nodeTrimFraction: 0, rootTrimFraction: 0, groupBy: [] };
  const graph = await engine.report({ ...whole, select, report: 'flame-graph' }, { signal });
  assert.ok(graph.kind === 'flame-graph');
  const question = { query, range, stepNanos: 10n * second, limit: 0, averages: true };
  const all = await engine.queryRange({ ...question, sumBy: [] }, { signal });
  const byJob = await engine.queryRange({ ...question, sumBy: ['job'] }, { signal });
  const lines = [...byJob.series].sort((a, b) => (a.labels[0].value < b.labels[0].value ? -1 : 1));
  const functions = await engine.queryFunctions(
    { query, range, stepNanos: 20n * second, names: [], top: 3, measure: 'flat' },
    { signal },
  );
  const { total, profileCount, durationNanos, snapshots, timeNanos, missing } = graph;
  return {
    total,
    profileCount,
    durationNanos,
    snapshots,
    timeNanos,
    missing,
    graph: printGraph(graph.graph),
    range: all.series.length > 1 ? 'a line for each series' : printSeries(all.series, []),
    averages: lines.map(({ average, total: own }) => [average, own]),
    byJob: printSeries(lines, ['job']),
    functions: functions.functions.map((one) => ({ ...one, flat: [...one.flat] })),
    functionTotals: [...functions.buckets.total],
  };
}

test('programs with different profilers give the answer that one profiler would give', async () => {
  const one = ({ go }: Spellings): TestStore => fill(new TestStore(), { go, python: go, node: go });
  for (const [spellings, query] of [
    [cpu, 'process_cpu'],
    [cpu, 'process_cpu{job!="shop"}'],
    [cpu, 'process_cpu:cpu | by (job)'],
    [cpu, 'process_cpu except @ 15 to 25'],
    [cpu, 'process_cpu | focus "serve" | invert'],
    [cpu, 'process_cpu offset -1h'],
    [inUse, 'memory'],
    [inUse, 'memory{job=~"etl|feed"}'],
    [inUse, 'memory except @ 15 to 25'],
    [allocated, 'memory:alloc_space | increase'],
    [allocated, 'alloc_space | increase | by (job)'],
  ] as const) {
    const [want, mixed] = [one(spellings), fill(new TestStore(), spellings)];
    if (query.includes('offset')) {
      await rejects(collectAnswers(mixed, query), 'not-found', /^No data found/);
      continue;
    }
    const expected = await collectAnswers(want, query);
    assert.deepEqual(await collectAnswers(mixed, query), expected, query);
    const real = await realStore([{ store: mixed, kind: 'block' }]);
    assert.deepEqual(await collectAnswers(real, query), expected, `${query} in a block`);
  }
});

test('an answer says which types it took, the plainest first', async () => {
  const store = fill(new TestStore(), cpu);
  const mergeTypes = async (query: string): Promise<string[]> =>
    (await merge(store, { query })).profileTypes.map(formatProfileType);
  const [go, python, node] = [cpu.go, cpu.python, cpu.node].map(formatProfileType);
  assert.deepEqual(await mergeTypes('process_cpu'), [go, node, python]);
  assert.deepEqual(await mergeTypes('process_cpu{job="etl"}'), [python]);
  assert.deepEqual(await mergeTypes(go), [go]);
  const question = { query: 'process_cpu', range, stepNanos: second, sumBy: [], limit: 0 };
  const { profileTypes } = await createEngine(store).queryRange(question, { signal });
  assert.deepEqual(profileTypes.map(formatProfileType), [go, node, python]);
});

test('both sides of a diff may be spelled in their own way', async () => {
  const store = fill(new TestStore(), cpu);
  const [go, python] = [cpu.go, cpu.python].map(formatProfileType);
  const of = async (query: string): Promise<bigint> => (await merge(store, { query })).total;
  const short = await of('diff(process_cpu{job="shop"}, process_cpu{job="etl"})');
  assert.equal(await of(`diff(${go}, ${python})`), short);
  assert.equal(short, await of(python));
});

test('a label value that no series has is what an empty answer is about', async () => {
  const store = new TestStore();
  const add = (type: string, job: string): void =>
    store.add({ type: parseProfileType(type), labels: { job }, timeNanos: 1n, rows: 'a 1' });
  add('custom:io:bytes:x:y', 'shop');
  add('custom:net:bytes:x:y', 'feed');
  await rejects(merge(store, { query: 'custom' }), 'invalid-argument', /is ambiguous/);
  const query = 'custom{job="shp"}';
  const report = await merge(store, { query });
  assert.deepEqual([report.total, report.profileCount], [0n, 0]);
  const nearest: NearestData = await createEngine(store).nearestData({ query, range }, { signal });
  assert.deepEqual(
    nearest.conditions.map(({ hasMatch, meant, alternatives }) => [hasMatch, meant, alternatives]),
    [[false, 'shop', ['shop', 'feed']]],
  );
});

test('labels are those of all types', async () => {
  const engine = createEngine(fill(new TestStore(), cpu));
  const question = { match: [], profileType: 'process_cpu', range: undefined };
  const values = await engine.labelValues('job', question, { signal });
  assert.deepEqual(values, ['etl', 'feed', 'shop']);
  const names = await engine.labelNames(question, { signal });
  assert.deepEqual(names, ['job', 'thread']);
  const { total } = await engine.countLabels(question, { signal });
  assert.deepEqual(total, { seriesCount: 3, profileCount: 13 });
  const { labelSets } = await engine.labelSets(question, { signal });
  assert.equal(labelSets.length, 3);
});
