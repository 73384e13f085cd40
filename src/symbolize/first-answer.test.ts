// Tests that the first query about addresses waits for their names.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../base/errors.ts';
import { createFakeClock } from '../base/fake/clock.ts';
import { silentLogger } from '../base/logger.ts';
import { noMetrics } from '../base/metrics.ts';
import { seededRandom } from '../base/random.ts';
import { nameGapSentences } from '../model/name-gaps.ts';
import type { LocationIndex } from '../model/rows.ts';
import { createQueryEngine } from '../query/engine/engine.ts';
import type { Report, ReportQuestion } from '../query/interface.ts';
import type { ReportKind } from '../query/report-kinds.ts';
import { noRunLimits, RunningQueries } from '../query/running/running-queries.ts';
import { cpuText, rejects } from '../query/testing/ask.ts';
import { createMemoryStore } from '../storage/tools/memory-store.ts';
import type { Resolver } from './interface.ts';
import { NamingQuerier } from './naming-querier.ts';
import { Symbolizer } from './symbolizer.ts';

const [withFile, withoutFile] = ['aa', 'bb'].map((pair) => pair.repeat(20));
const range = { from: 0n, to: 1_000_000n };
const waitMillis = 2_000;

/** Creates a store with one profile, which has one stack in each of two binaries. */
async function createStore() {
  const store = createMemoryStore(seededRandom(1));
  const appender = store.appender();
  const { strings, mappings, locations, stacks } = appender.dictionary;
  for (const [i, buildId] of [withFile, withoutFile].entries()) {
    const texts = [strings.internText(`/app/${i}`), strings.internText(buildId)] as const;
    const mapping = mappings.intern(0, 0, 0x100_0000, 0, 0, 0, ...texts);
    const path: LocationIndex[] = [1, 2, 3].map((at) => locations.add(mapping, 16 * at, 0, 0));
    appender.append({
      labels: [{ name: 'job', value: String(i) }],
      name: 'process_cpu',
      period: 1n,
      sampleTypes: [{ type: 'cpu', unit: 'nanoseconds' }],
      periodType: { type: 'cpu', unit: 'nanoseconds' },
      timeNanos: 1_000n,
      durationNanos: 1_000n,
      rowCount: 1,
      sampleLabels: undefined,
      contentHash: BigInt(i + 1),
      stacks: Uint32Array.of(stacks.add(i, i, path)),
      values: [BigInt64Array.of(5n)],
    });
  }
  await appender.commit();
  return store.querier;
}

/** Creates an engine whose names arrive when the test opens the gate. */
async function createNaming({ isFetching = false, runningMax = 0 } = {}) {
  const clock = createFakeClock();
  const gate = Promise.withResolvers<void>();
  let asked = 0;
  /** Names of lookups, and of searches for files, that were aborted. */
  const ended: string[] = [];
  const resolve: Resolver['resolve'] = async (_source, addresses, signal) => {
    asked += 1;
    const { promise: end, reject } = Promise.withResolvers<never>();
    signal.addEventListener('abort', () => {
      ended.push('names');
      reject(new AppError('cancelled', 'ended'));
    });
    await Promise.race([gate.promise, end]);
    return addresses.map((address) => [
      {
        functionName: `f${address}`,
        systemName: '',
        fileName: 'a.c',
        line: 1,
        startLine: 1,
        column: 0,
      },
    ]);
  };
  const files = [{ path: 'a', hasDwarf: true, hasGoLineTable: false }];
  const symbolizer = new Symbolizer({
    findFiles: (buildId) =>
      buildId === withFile
        ? { generation: 1, files, reason: '' }
        : { generation: 0, files: [], reason: 'no debug information was uploaded' },
    fetcher: { fetch: () => isFetching, release: (id) => ended.push(`search for ${id}`) },
    saved: { load: () => ({ frames: new Map(), notes: new Set() }), add: () => undefined },
    resolvers: () => [{ resolve }],
    logger: silentLogger,
    metrics: noMetrics,
  });
  const querier = new NamingQuerier(await createStore(), symbolizer);
  const limits = { ...noRunLimits, namesMillisMax: waitMillis, runningMax };
  const queries = new RunningQueries(clock, noMetrics, limits);
  const engine = createQueryEngine({
    querier,
    metrics: noMetrics,
    clock,
    queries,
    mergeCacheBytesMax: 1_000_000,
  });
  /** Runs all callbacks that can run without advancing the clock. */
  const settle = (): Promise<void> => clock.advance(0);
  return { engine, clock, symbolizer, gate, settle, asked: () => asked, ended };
}

const { signal } = new AbortController();

function makeQuestion(report: ReportKind, query = `${cpuText}{job="0"}`): ReportQuestion {
  return {
    select: { mode: 'merge', query, range },
    report,
    nodeTrimFraction: 0,
    rootTrimFraction: 0,
    groupBy: [],
  };
}

function namesIn(report: Report): string {
  return JSON.stringify(report, (_, value: unknown) => {
    if (value instanceof Uint8Array) return Buffer.from(value).toString();
    return typeof value === 'bigint' ? String(value) : value;
  });
}

test('each kind of report waits for the names of its addresses', async () => {
  for (const kind of ['flame-graph', 'top', 'table', 'call-graph', 'profile'] as const) {
    const { engine, gate, settle, asked } = await createNaming();
    let isAnswered = false;
    const answer = engine.report(makeQuestion(kind), { signal });
    void answer.finally(() => (isAnswered = true));
    await settle();
    assert.deepEqual([isAnswered, asked()], [false, 1], kind);
    gate.resolve();
    const { nameGaps, total } = await answer;
    assert.deepEqual([nameGaps.addresses, total], [[], 5n], kind);
  }
});

test('diffs, functions over time, and filters over time wait, too', async () => {
  const { engine, gate, settle, symbolizer } = await createNaming();
  const selector = { mode: 'merge', query: `${cpuText}{job="0"}`, range } as const;
  const diff = engine.report(
    {
      ...makeQuestion('profile'),
      select: { mode: 'diff', base: selector, compared: selector, baseScale: 'none' },
    },
    { signal },
  );
  const filtered = `${cpuText}{job="0"} | focus "f32"`;
  const stepNanos = 1_000_000n;
  const overTime = engine.queryRange(
    { query: filtered, range, stepNanos, sumBy: [], limit: 0 },
    { signal },
  );
  const functions = engine.queryFunctions(
    { query: selector.query, range, stepNanos, names: ['f16'], top: 0, measure: 'cumulative' },
    { signal },
  );
  await settle();
  gate.resolve();
  assert.deepEqual((await diff).nameGaps.addresses, []);
  const { series, nameGaps } = await overTime;
  assert.deepEqual([series.map(({ total }) => total), nameGaps.addresses], [[5n], []]);
  assert.deepEqual((await functions).functions[0].cumulativeTotal, 5n);
  await symbolizer.settled();
  assert.match(namesIn(await diff), /f48/);
});

test('the wait has an end, after which the answer says once what is to come', async () => {
  const { engine, gate, clock, symbolizer, asked } = await createNaming();
  const answer = engine.report(makeQuestion('top'), { signal });
  await clock.advance(waitMillis - 1);
  let isAnswered = false;
  void answer.finally(() => (isAnswered = true));
  await clock.advance(0);
  assert.equal(isAnswered, false);
  await clock.advance(1);
  const { nameGaps, total, missing } = await answer;
  assert.deepEqual([total, missing], [5n, []]);
  assert.deepEqual(nameGapSentences(nameGaps), ['names of 3 addresses in 0 are being looked up']);
  // The next query waits for the same names, because a response without names is not cached.
  const next = engine.report(makeQuestion('top'), { signal });
  await clock.advance(0);
  gate.resolve();
  assert.deepEqual((await next).nameGaps.addresses, []);
  await symbolizer.settled();
  assert.equal(asked(), 1);
});

test('a caller may wait longer, shorter, or never, and leaves when it likes', async () => {
  const { engine, clock, settle } = await createNaming();
  const ask = (namesMillisMax: number, own = signal): Promise<Report> =>
    engine.report(makeQuestion('top'), { signal: own, limits: { namesMillisMax } });
  assert.equal((await ask(0)).nameGaps.addresses[0].count, 3);
  let isAnswered = false;
  const longer = ask(waitMillis * 2);
  void longer.finally(() => (isAnswered = true));
  await clock.advance(waitMillis);
  assert.equal(isAnswered, false);
  await clock.advance(waitMillis);
  assert.equal((await longer).nameGaps.addresses[0].count, 3);
  const leaving = new AbortController();
  const left = ask(waitMillis, leaving.signal);
  await settle();
  leaving.abort();
  await rejects(left, 'cancelled', /cancelled/);
  await settle();
  assert.equal(clock.pendingTimers(), 0);
});

test('nothing is awaited where no file can have names, unless one is being fetched', async () => {
  const query = `${cpuText}{job="1"}`;
  const { engine } = await createNaming();
  const { nameGaps } = await engine.report(makeQuestion('top', query), { signal });
  assert.deepEqual(nameGapSentences(nameGaps), [
    'names of 3 addresses in 1 are missing (no debug information was uploaded)',
  ]);
  const fetching = await createNaming({ isFetching: true });
  let isAnswered = false;
  const answer = fetching.engine.report(makeQuestion('top', query), { signal });
  void answer.finally(() => (isAnswered = true));
  await fetching.settle();
  assert.equal(isAnswered, false);
  await fetching.clock.advance(waitMillis);
  assert.equal((await answer).nameGaps.addresses[0].why, '');
});

test('a question that waits leaves its turn to others', async () => {
  const { engine, settle, gate } = await createNaming({ runningMax: 1 });
  const waiting = engine.report(makeQuestion('top'), { signal, caller: 'a' });
  await settle();
  const query = `${cpuText}{job="1"}`;
  const other = await engine.report(makeQuestion('top', query), { signal, caller: 'b' });
  assert.equal(other.total, 5n);
  gate.resolve();
  assert.deepEqual((await waiting).nameGaps.addresses, []);
  assert.equal((await engine.report(makeQuestion('top'), { signal })).total, 5n);
});

test('names are looked up until their last caller has gone, and again for the next', async () => {
  const { engine, gate, settle, asked, ended } = await createNaming();
  const callers = [new AbortController(), new AbortController()];
  const answers = callers.map((caller) => engine.report(makeQuestion('top'), caller));
  await settle();
  callers[0].abort(new AppError('cancelled', 'the first has gone'));
  await assert.rejects(answers[0], /the first has gone/);
  await settle();
  assert.deepEqual([asked(), ended], [1, []]);
  callers[1].abort(new AppError('cancelled', 'the last has gone'));
  await assert.rejects(answers[1], /the last has gone/);
  await settle();
  assert.deepEqual([asked(), ended], [1, ['names']]);
  const again = engine.report(makeQuestion('top'), { signal });
  await settle();
  assert.equal(asked(), 2);
  gate.resolve();
  assert.deepEqual((await again).nameGaps.addresses, []);
});

test('names that an answer calls pending are looked up although other callers go', async () => {
  const { engine, clock, gate, settle, ended } = await createNaming();
  const late = engine.report(makeQuestion('top'), { signal });
  await settle();
  await clock.advance(waitMillis);
  assert.equal((await late).nameGaps.addresses[0].why, '');
  const gone = new AbortController();
  const answer = engine.report(makeQuestion('flame-graph'), gone);
  await settle();
  gone.abort(new AppError('cancelled', 'gone'));
  await assert.rejects(answer, /gone/);
  await settle();
  assert.deepEqual(ended, []);
  gate.resolve();
  assert.deepEqual((await engine.report(makeQuestion('top'), { signal })).nameGaps.addresses, []);
});

test('the search for a file of another server ends with its last caller', async () => {
  const { engine, settle, ended } = await createNaming({ isFetching: true });
  const question = makeQuestion('top', `${cpuText}{job="1"}`);
  for (const round of [1, 2]) {
    const gone = new AbortController();
    const answer = engine.report(question, gone);
    await settle();
    gone.abort(new AppError('cancelled', 'gone'));
    await assert.rejects(answer, /gone/);
    await settle();
    assert.equal(ended.length, round);
    assert.match(ended[0], /^search for /);
  }
});
