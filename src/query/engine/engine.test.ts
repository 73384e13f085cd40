// Tests of the query engine: selection, scaling and refusals.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { mergeInWorkerRowsMin } from '../../storage/limits.ts';
import { noMetrics } from '../../base/metrics.ts';
import { createClock } from '../../base/node/clock.ts';
import { parseProfileType } from '../../model/profile-type.ts';
import { computeDigest } from '../../model/profiles/profile-digest.ts';
import type { RunRows, SeriesSlice, SeriesStore } from '../../storage/selection.ts';
import { createQueryEngine } from './engine.ts';
import { createMergePool } from '../../storage/sum/merge-pool.ts';
import { SumQuerier } from '../../storage/sum/sum-querier.ts';
import { cpuText, createEngine, flameGraph, merge, rejects } from '../testing/ask.ts';
import type { ReportQuestion } from '../interface.ts';
import { printGraph } from '../testing/print-report.ts';
import { TestStore } from '../testing/test-store.ts';

const { signal } = new AbortController();
const cpu = parseProfileType(cpuText);
const samplesText = 'process_cpu:samples:count:cpu:nanoseconds:delta';
const samples = parseProfileType(samplesText);

test('samples:count: merges are scaled by period; exports and single profiles where periods differ', async () => {
  const store = new TestStore();
  const add = (timeNanos: bigint, period: bigint, rows: string): void =>
    store.add({ type: samples, timeNanos, period, durationNanos: 50n, rows });
  add(1n, 10n, 'a 3\nb 1');
  add(2n, 7n, 'a 2');
  add(3n, 10n, 'a 1');
  const query = samplesText;
  const report = await merge(store, { query });
  assert.equal(printGraph(flameGraph(report)), 'root 0/64\n a 54/54\n b 10/10\n');
  assert.deepEqual(report.valueType, { type: 'cpu', unit: 'nanoseconds' });
  assert.equal(report.period, 0n);
  assert.equal(report.timeNanos, 1n);
  assert.equal(report.durationNanos, 52n);
  // The periods differ, so the numbers of samples are summed.
  assert.deepEqual([report.profileCount, report.sampleCount, report.snapshots], [3, 7n, 0]);
  const check = async (
    report: 'profile' | 'top',
    select: ReportQuestion['select'],
    want: readonly [string, bigint],
  ): Promise<void> => {
    const question = { select, report, nodeTrimFraction: 0, rootTrimFraction: 0, groupBy: [] };
    const { valueType, total } = await createEngine(store).report(question, { signal });
    assert.deepEqual([`${valueType.type}:${valueType.unit}`, total], want);
  };
  const later = { from: 2_000_000n, to: 3_000_000n };
  add(later.from, 10n, 'a 4\nb 5');
  // Counts stay counts if all profiles have one period. If the periods differ, counts become the
  // values that the samples represent.
  await check('profile', { mode: 'merge', query, range: later }, ['samples:count', 9n]);
  await check('profile', { mode: 'merge', query, range: { from: 0n, to: 9n } }, [
    'cpu:nanoseconds',
    64n,
  ]);
  await check('top', { mode: 'single', query, timeNanos: later.from }, ['samples:count', 9n]);
  await check('top', { mode: 'single', query, timeNanos: 0n }, ['cpu:nanoseconds', 64n]);
});

test('large selections are merged by workers, with the same result', async () => {
  const store = new TestStore();
  store.add({ type: samples, timeNanos: 1n, period: 3n, rows: 'a 1\na;b 1\na;c 1' });
  const all = { matchers: [], profileType: samples, range: { from: 0n, to: 9n } };
  const { series } = await store.select(all);
  const stored = [{ id: 'test', dictionary: async () => store.dictionary }];
  const profileCount = 1000;
  const rows = mergeInWorkerRowsMin / profileCount;
  const buffer = new SharedArrayBuffer(rows * 16);
  const segment = { buffer, words: new Uint32Array(buffer), values: new BigInt64Array(buffer) };
  segment.values.fill(2n, 0, rows);
  for (let i = 0; i < rows; i += 1) segment.words[rows * 2 + i] = 1 + (i % 3);
  const column = (value: bigint): BigInt64Array => new BigInt64Array(profileCount).fill(value);
  // Every second profile has a different period.
  const period = column(3n).map((one, i) => (i % 2 === 0 ? one : 5n));
  const columns = {
    profileCount,
    period,
    timeNanos: column(1n),
    durationNanos: column(0n),
    total: column(2n),
    count: new Uint32Array(profileCount).fill(rows),
  };
  const runs: RunRows = {
    kind: 'runs',
    segments: [segment],
    profileCount,
    period,
    valueColumnCount: 1,
    valueColumn: 0,
    runSegment: new Uint32Array(profileCount),
    runOffset: new Uint32Array(profileCount),
    runRows: new Uint32Array(profileCount).fill(rows),
    runLabelled: new Uint8Array(profileCount),
  };
  const slice: SeriesSlice = {
    part: 0,
    rowFilter: undefined,
    isLabelled: false,
    profileCount,
    digest: () => computeDigest(columns, mergeInWorkerRowsMin),
    profiles: () => columns,
    profileRuns: () => [{ columns, sums: undefined }],
    magnitudeMax: () => computeDigest(columns, mergeInWorkerRowsMin).magnitude,
    rows: () => [runs],
    sampleTimes: () => undefined,
  };
  const [{ labels, profileType }] = series;
  const large = { labels, profileType, slices: [slice] };
  let selected = [large, { ...large }];
  const selectLarge: SeriesStore = {
    labelNames: (query) => store.labelNames(query),
    labelValues: (name, query) => store.labelValues(name, query),
    profileTypes: (range, matchers) => store.profileTypes(range, matchers),
    hasData: () => store.hasData(),
    state: () => 'unchanged',
    select: async () => ({
      parts: stored,
      series: selected,
      profileCount: selected.length * profileCount,
      rowCount: selected.length * mergeInWorkerRowsMin,
      missing: [],
      [Symbol.dispose]: () => undefined,
    }),
  };
  const mergePool = createMergePool();
  while (!mergePool.wake()) await setTimeout(1);
  const parts = { metrics: noMetrics, clock: createClock() };
  const querier = new SumQuerier(selectLarge, mergePool);
  const engine = createQueryEngine({ ...parts, querier });
  const select = { mode: 'merge', query: samplesText, range: all.range } as const;
  const asked = { select, nodeTrimFraction: 0, rootTrimFraction: 0, groupBy: [] };
  const twice = await engine.report({ ...asked, report: 'flame-graph' }, { signal });
  selected = [large];
  // Each period has half of the rows, which is too few for workers.
  const once = await engine.report({ ...asked, report: 'flame-graph' }, { signal });
  await mergePool.close();
  assert.equal(once.total, BigInt(mergeInWorkerRowsMin) * 2n * 4n);
  assert.equal(twice.total, once.total * 2n);
  assert.equal(flameGraph(twice).cumulative[1], flameGraph(once).cumulative[1] * 2n);
  assert.equal(twice.profileCount, 2 * profileCount);
});

test('matchers on labels of samples choose rows', async () => {
  const store = new TestStore();
  store.add({ type: cpu, timeNanos: 1n, rows: 'a 1 thread=x\na 2 thread=y\nb 4 thread=x\nb 8' });
  store.add({ type: cpu, timeNanos: 2n, rows: 'a 16' });
  const mergeTotal = async (query: string): Promise<bigint> =>
    (await merge(store, { query })).total;
  assert.equal(await mergeTotal(`${cpuText}{thread="x"}`), 5n);
  assert.equal(await mergeTotal(`${cpuText}{thread=""}`), 24n);
  assert.equal(await mergeTotal(`${cpuText}{thread!="x"}`), 26n);
  const grouped = await merge(store, {
    query: `${cpuText}{thread!="y"}`,
    groupBy: ['labels.thread'],
  });
  assert.equal(
    printGraph(flameGraph(grouped)),
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
    return (await createEngine(store).report({ ...asked, report: 'top' }, { signal })).total;
  };
  assert.equal(await totalAt(5_000_000n), 1n);
  assert.equal(await totalAt(5_300_000n), 1n);
  assert.equal(await totalAt(6_999_999n), 2n);
  const message = 'could not find profile at requested time and selectors';
  await rejects(totalAt(7_000_000n), 'not-found', message);
});

test('errors of queries, of ranges and of sums that are too large', async () => {
  const store = new TestStore();
  store.add({ type: cpu, timeNanos: 1n, rows: `a ${2n ** 62n}` });
  assert.equal((await merge(store)).total, 2n ** 62n);
  store.add({ type: cpu, timeNanos: 2n, rows: `b ${2n ** 62n}` });
  await rejects(merge(store), 'out-of-range', /passes the limit of 2\^63/);
  await rejects(merge(store, { query: '' }), 'invalid-argument', /query is required/);
  const noType = 'query must contain a profile-type selection: no profile matches {a="b"}';
  await rejects(merge(store, { query: '{a="b"}' }), 'invalid-argument', noType);
  await rejects(merge(store, { query: `${cpuText}{a=~"("}` }), 'invalid-argument', /regular/);
  const select = { mode: 'merge', query: cpuText, range: { from: 2n, to: 1n } } as const;
  const asked = { select, nodeTrimFraction: 0, rootTrimFraction: 0, groupBy: [] };
  const backwards = createEngine(store).report({ ...asked, report: 'top' }, { signal });
  await rejects(backwards, 'invalid-argument', 'start timestamp must be before end');
  const aborted = { signal: AbortSignal.abort() };
  const late = { ...asked, select: { ...select, range: { from: 0n, to: 1n } } };
  await rejects(
    createEngine(store).report({ ...late, report: 'top' }, aborted),
    'cancelled',
    /cancel/,
  );
});

test('labels: every field of the question counts', async () => {
  const store = new TestStore();
  const heap = parseProfileType('memory:inuse_space:bytes:space:bytes');
  store.add({ type: cpu, timeNanos: 1n, labels: { job: 'a', zone: 'x' }, rows: 'a 1' });
  store.add({ type: heap, timeNanos: 5n, labels: { job: 'b', rack: '7' }, rows: 'a 1' });
  const engine = createEngine(store);
  const ask = { match: [], profileType: '', range: undefined };
  assert.deepEqual(await engine.labelNames(ask, { signal }), ['job', 'rack', 'zone']);
  assert.deepEqual(await engine.labelNames({ ...ask, profileType: cpuText }, { signal }), [
    'job',
    'zone',
  ]);
  assert.deepEqual(await engine.labelNames({ ...ask, match: ['{job=~"b"}'] }, { signal }), [
    'job',
    'rack',
  ]);
  assert.deepEqual(
    await engine.labelValues('job', { ...ask, range: { from: 2n, to: 9n } }, { signal }),
    ['b'],
  );
  assert.deepEqual(await engine.labelValues('job', { ...ask, match: ['memory'] }, { signal }), [
    'b',
  ]);
  const both = { ...ask, match: ['memory'], profileType: cpuText };
  assert.deepEqual(await engine.labelValues('job', both, { signal }), []);
  assert.equal(await engine.hasProfileData(), true);
  assert.equal((await engine.profileTypes(undefined, { signal })).length, 2);
});
