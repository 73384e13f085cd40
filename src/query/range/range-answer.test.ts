// Tests of the metrics graph: buckets, scaling, grouping, and a naive evaluation.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../base/errors.ts';
import { createFakeClock } from '../../base/fake/clock.ts';
import { createPausingClock } from '../../base/fake/pausing-clock.ts';
import { parseProfileType } from '../../model/profile-type.ts';
import type { Querier } from '../../storage/interface.ts';
import type { RowSource, RunRows, SeriesSlice } from '../../storage/selection.ts';
import { noLimits } from '../running/budget.ts';
import type { MetricsSeries, RangeQuestion } from '../interface.ts';
import { QueryContext } from '../running/context.ts';
import { lastingSource } from '../../storage/sum/profile-rows.ts';
import { answerRange } from './range-answer.ts';
import { damagedStore } from '../testing/damaged-store.ts';
import { printSeries } from '../testing/print-report.ts';
import type { PartKind } from '../testing/real-parts.ts';
import { TestStore } from '../testing/test-store.ts';

const cpuText = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
const cpu = parseProfileType(cpuText);
const heapText = 'memory:inuse_space:bytes:space:bytes';
const heap = parseProfileType(heapText);
const { signal } = new AbortController();
const unpaused = new QueryContext({ signal });
const second = 1_000_000_000n;

async function ask(
  store: Querier,
  asked: Partial<RangeQuestion>,
  context = unpaused,
): Promise<readonly MetricsSeries[]> {
  const range = { from: 0n, to: 1000n * second };
  const whole = { query: cpuText, range, stepNanos: 10n * second, sumBy: [], limit: 0 };
  return (await answerRange({ ...whole, ...asked }, store, context)).series;
}

test('averages of lines have the ratio of their own values', async () => {
  const store = new TestStore();
  for (let i = 0n; i < 6n; i += 1n) {
    const times = { timeNanos: i * 10n * second, durationNanos: 10n * second };
    store.add({ ...times, type: cpu, labels: { job: 'a' }, rows: 'x 400\ny 600' });
    if (i % 2n === 0n) store.add({ ...times, type: cpu, labels: { job: 'b' }, rows: 'x 3000' });
  }
  const averages = async (query: string): Promise<number[]> => {
    const lines = await ask(store, { query, sumBy: ['job'], averages: true });
    return lines.map(({ average }) => Number((average * 1e9).toPrecision(6)));
  };
  assert.deepEqual(await averages(cpuText), [100, 300]);
  assert.deepEqual(await averages(`${cpuText} | focus "x"`), [40, 300]);
  const [line] = await ask(store, { sumBy: [] });
  assert.deepEqual([line.total, line.average], [15_000n, 0], 'averages are asked for');
});

test('delta: buckets are sums; the rate is per duration of a single profile, else per step', async () => {
  const store = new TestStore();
  const add = (seconds: bigint, job: string, rows: string): void =>
    store.add({
      type: cpu,
      labels: { job },
      rows,
      timeNanos: seconds * second,
      durationNanos: 5n * second,
    });
  add(11n, 'a', 'x 100\ny 400');
  add(11n, 'b', 'x 500');
  add(20n, 'a', 'x 1000');
  add(25n, 'a', 'x 3000\ny 0');
  add(39n, 'b', 'x 50');
  const all = await ask(store, {});
  assert.deepEqual(printSeries(all, []), [
    [
      ': 10000000000 1000 5000000000 3 2e-7',
      '20000000000 4000 10000000000 2 4e-7',
      '30000000000 50 5000000000 1 1e-8',
    ].join(', '),
  ]);
  assert.deepEqual(all[0].labels, []);
  const byJob = await ask(store, { sumBy: ['none', 'job'] });
  assert.deepEqual(printSeries(byJob, ['job']), [
    'job=a: 10000000000 500 5000000000 2 1e-7, 20000000000 4000 10000000000 2 4e-7',
    'job=b: 10000000000 500 5000000000 1 1e-7, 30000000000 50 5000000000 1 1e-8',
  ]);
  assert.deepEqual(byJob[0].labels, [{ name: 'job', value: 'a' }]);
  const limited = await ask(store, { sumBy: ['job'], limit: 1 });
  assert.deepEqual(
    limited.map(({ labels }) => labels[0].value),
    ['a'],
  );
});

test('delta: other units are per second; samples:count is scaled to its period', async () => {
  const store = new TestStore();
  const times = { timeNanos: 10n * second, durationNanos: 5n * second };
  const alloc = parseProfileType('memory:alloc_space:bytes:space:bytes:delta');
  store.add({ type: alloc, rows: 'x 100', ...times });
  const bytes = await ask(store, { query: 'memory:alloc_space' });
  assert.deepEqual(printSeries(bytes, []), [': 10000000000 100 5000000000 1 20']);
  assert.deepEqual(bytes[0].sampleType, { type: 'alloc_space', unit: 'bytes' });

  const samplesText = 'parca_agent:samples:count:cpu:nanoseconds:delta';
  const samples = parseProfileType(samplesText);
  store.add({ type: samples, rows: 'x 3', period: 10_000_000n, ...times });
  store.add({ type: samples, rows: 'y 1', period: 20_000_000n, labels: { a: 'b' }, ...times });
  const scaled = await ask(store, { query: samplesText });
  assert.deepEqual(printSeries(scaled, []), [': 10000000000 50000000 5000000000 2 0.01']);
  assert.deepEqual(scaled[0].sampleType, { type: 'cpu', unit: 'nanoseconds' });
  assert.deepEqual(scaled[0].periodType, { type: 'cpu', unit: 'nanoseconds' });
});

test('samples:count without a period stays a count', async () => {
  const store = new TestStore();
  const text = 'p:samples:count:::delta';
  const times = { timeNanos: 10n * second, durationNanos: 5n * second };
  store.add({ type: parseProfileType(text), rows: 'x 10', ...times });
  assert.deepEqual(printSeries(await ask(store, { query: text }), []), [
    ': 10000000000 10 5000000000 1 2',
  ]);
});

test('states: the first profile of each bucket, one line a series or by sumBy', async () => {
  const store = new TestStore();
  const add = (seconds: bigint, labels: Record<string, string>, rows: string): void =>
    store.add({ type: heap, labels, rows, timeNanos: seconds * second });
  add(11n, { job: 'a', pod: '1' }, 'x 100\ny 1');
  add(15n, { job: 'a', pod: '1' }, 'x 900');
  add(21n, { job: 'a', pod: '1' }, 'x 200');
  add(12n, { job: 'a', pod: '2' }, 'x 7');
  const each = await ask(store, { query: heapText });
  assert.deepEqual(printSeries(each, ['job', 'pod']), [
    'job=a pod=1: 11000000000 101 0 3 101, 21000000000 200 0 1 200',
    'job=a pod=2: 12000000000 7 0 1 7',
  ]);
  const summed = await ask(store, { query: heapText, sumBy: ['job'] });
  assert.deepEqual(printSeries(summed, ['job']), [
    'job=a: 11000000000 108 0 4 108, 21000000000 200 0 1 200',
  ]);
  const moments = await ask(store, { query: heapText, stepNanos: 0n });
  assert.equal(moments[0].timeNanos.length, 3);
});

test('sample labels: matchers and sumBy read rows', async () => {
  const store = new TestStore();
  const times = { timeNanos: 10n * second, durationNanos: 10n * second };
  store.add({ type: cpu, rows: 'x 1 thread=a\ny 2 thread=b\ny 4 thread=b\nz 8', ...times });
  store.add({
    type: cpu,
    labels: { thread: 'own' },
    rows: 'x 16 thread=a',
    timeNanos: 12n * second,
    durationNanos: 10n * second,
  });
  const byThread = await ask(store, { sumBy: ['thread'] });
  assert.deepEqual(printSeries(byThread, ['thread']), [
    'thread=a: 10000000000 1 10000000000 1 1e-10',
    'thread=b: 10000000000 6 10000000000 2 6e-10',
    'thread=: 10000000000 8 10000000000 1 8e-10',
    'thread=own: 10000000000 16 10000000000 1 1.6e-9',
  ]);
  const only = await ask(store, { query: `${cpuText}{thread="b"}` });
  assert.deepEqual(printSeries(only, []), [': 10000000000 6 10000000000 2 6e-10']);
});

test('empty results, backwards ranges and sums that do not fit have different errors', async () => {
  const store = new TestStore();
  const check = async (
    asked: Partial<RangeQuestion>,
    code: string,
    text: RegExp,
  ): Promise<void> => {
    await assert.rejects(ask(store, asked), (error) => {
      assert.ok(error instanceof AppError);
      assert.equal(error.code, code);
      assert.match(error.message, text);
      return true;
    });
  };
  await check({}, 'not-found', /^No data found for the query, try a different query or time/);
  await check({ range: { from: 2n, to: 1n } }, 'invalid-argument', /start timestamp must be/);
  await check({ stepNanos: -1n }, 'invalid-argument', /step/);
  store.add({ type: cpu, timeNanos: 1n, rows: `a ${2n ** 62n}\nb 1` });
  store.add({ type: cpu, timeNanos: 2n, rows: `a ${2n ** 62n}` });
  await check({}, 'out-of-range', /2\^63/);
});

test('times far apart fall into their buckets to the nanosecond', async () => {
  const store = new TestStore();
  const year = 365n * 86_400n * second;
  const times = [5n, 9n, 10n, year - 1n, year, year + 1n, 50n * year + 9n, 50n * year + 10n];
  for (const time of times) store.add({ type: cpu, timeNanos: time, rows: 'a 1' });
  for (const stepNanos of [0n, 1n, 10n, year]) {
    const range = { from: 0n, to: 60n * year };
    const [series] = await ask(store, { range, stepNanos });
    const step = stepNanos === 0n ? 1n : stepNanos;
    const want = new Map<bigint, bigint>();
    for (const time of times) {
      const start = time - (time % step);
      want.set(start, (want.get(start) ?? 0n) + 1n);
    }
    const found = new Map(Array.from(series.timeNanos, (time, i) => [time, series.value[i]]));
    assert.deepEqual(found, want);
  }
});

/**
 * Returns a store whose run columns are valid only until the next await: `spoil` overwrites them.
 */
function shortLived(
  store: TestStore,
  kind: PartKind,
): { readonly querier: Querier; spoil(): void } {
  const given: RunRows[] = [];
  const keepSources = async (slice: SeriesSlice): Promise<RowSource[]> => {
    const sources = (await slice.rows(false)).map(lastingSource);
    for (const source of sources) if (source.kind === 'runs') given.push(source);
    return sources;
  };
  const slice = (one: SeriesSlice) => ({ rows: () => keepSources(one) });
  const { querier } = damagedStore([store], { 0: { slice } }, kind);
  const spoil = (): void => {
    for (const { runRows, runOffset, runLabelled } of given.splice(0)) {
      for (const column of [runRows, runOffset, runLabelled]) column.fill(0);
    }
  };
  return { querier, spoil };
}

test('rows of one series are read with pauses, which change nothing', async () => {
  for (const kind of ['head', 'block'] as const) {
    const store = new TestStore();
    for (let i = 0; i < 10; i += 1) {
      const rows = `x;a ${i} thread=a\ny;b 2 thread=b\nx;c 4`;
      store.add({ type: cpu, rows, timeNanos: BigInt(i) * second, durationNanos: second });
    }
    for (const asked of [{ query: `${cpuText} | stack "x"` }, { sumBy: ['thread'] }]) {
      const { querier, spoil } = shortLived(store, kind);
      const { clock, pauses } = createPausingClock(createFakeClock(), spoil);
      const context = new QueryContext({ signal }, noLimits, clock);
      assert.deepEqual(await ask(querier, asked, context), await ask(store, asked));
      assert.ok(pauses() >= 10, `${pauses()} pauses`);
    }
  }
});
