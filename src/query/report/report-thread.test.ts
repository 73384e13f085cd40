// Tests of reports that are made in a thread: they have the same bytes and errors, can be
// cancelled, and end.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createReportMaker } from '../../api/reports/report-maker.ts';
import type { Clock } from '../../base/clock.ts';
import { createFakeClock } from '../../base/fake/clock.ts';
import {
  abandonedReportMillis,
  reportInThreadStacksMin,
  reportMillisMax,
  reportSilenceMillisMax,
} from '../limits.ts';
import { noMetrics } from '../../base/metrics.ts';
import { createClock } from '../../base/node/clock.ts';
import { createCollector } from '../../base/node/memory.ts';
import { Dictionary } from '../../model/dictionary.ts';
import { parseProfileType } from '../../model/profile-type.ts';
import type { Querier } from '../../storage/interface.ts';
import { QueryContext } from '../running/context.ts';
import { createQueryEngine } from '../engine/engine.ts';
import type { EncodedReport, QueryEngine, ReportQuestion, ReportEncoding } from '../interface.ts';
import { planReport } from '../plan/plan.ts';
import { ReportThread } from './report-thread.ts';
import type { MergedSelection } from '../merge/selection-merger.ts';
import { cpuText, rejects } from '../testing/ask.ts';
import { realHeads } from '../testing/real-parts.ts';
import { TestStore } from '../testing/test-store.ts';

const clock = createClock();
const script = new URL('../../../cmd/parca/workers/report-worker.ts', import.meta.url);
const thread = new ReportThread(clock, script, async () => {
  throw new Error('these reports are large');
});
const maker = createReportMaker();
/**
 * Makes reports on this thread. Their bytes must equal the bytes of reports from another thread.
 */
const here: Pick<ReportThread, 'make'> = {
  make: async (...[plan, merges, encoding]) => structuredClone(await maker(plan, merges, encoding)),
};
after(async () => {
  await thread.close();
});
const { signal } = new AbortController();
const type = parseProfileType(cpuText);
const stacks = reportInThreadStacksMin + 10;

function createEngine(querier: Querier, reportThread: Pick<ReportThread, 'make'>): QueryEngine {
  return createQueryEngine({ querier, metrics: noMetrics, clock, reportThread });
}

/** Adds a profile with `stacks` stacks, whose function names begin with `letter`. */
function addLarge(store: TestStore, time: bigint, letter: string): void {
  const rows = Array.from({ length: stacks }, (_, i) => {
    return `${letter}${i % 7};${letter}${i % 50};leaf${i} ${i + 1}`;
  });
  const labels = { job: letter };
  store.add({ type, labels, timeNanos: time, durationNanos: 10n, rows: rows.join('\n') });
}

const whole = { mode: 'merge', query: cpuText, range: { from: 0n, to: 1_000n } } as const;
const plain = { nodeTrimFraction: 0, rootTrimFraction: 0, groupBy: [] };
const diff: ReportQuestion['select'] = {
  mode: 'diff',
  baseScale: 'none',
  base: { ...whole, query: `${cpuText}{job="a"}` },
  compared: whole,
};

test('the same bytes as on the main thread, of one part and of two, also after they grew', async () => {
  const one = new TestStore();
  const other = new TestStore();
  const parted = realHeads(one, other);
  addLarge(one, 5n, 'a');
  for (const letter of ['b', 'c']) {
    addLarge(other, 9n, letter);
    for (const store of [one, parted]) {
      const engine = createEngine(store, thread);
      for (const report of ['flame-graph', 'table', 'top', 'call-graph', 'profile'] as const) {
        for (const groupBy of report === 'flame-graph' ? [[], ['labels.job']] : [[]]) {
          const question = { ...plain, select: whole, report, groupBy };
          const made = await engine.encodedReport(question, 'message', { signal });
          const want = await createEngine(store, here).encodedReport(question, 'message', {
            signal,
          });
          assert.deepEqual(made, want, report);
        }
      }
      for (const [report, encoding] of [
        ['flame-graph', 'message'],
        ['changes', 'json'],
      ] as const) {
        const question = { ...plain, select: diff, report, limit: 3 };
        const made = await engine.encodedReport(question, encoding, { signal });
        const want = await createEngine(store, here).encodedReport(question, encoding, { signal });
        assert.deepEqual(made, want, report);
      }
    }
    addLarge(one, 20n, `${letter}${letter}`);
  }
});

test('the same bytes when the merge was cached', async () => {
  const querier: Querier = Object.assign(largeStore(), { state: () => 'unchanged' });
  const parts = { querier, metrics: noMetrics, clock, mergeCacheBytesMax: 1_000_000 };
  const [keeping, fresh] = [
    createQueryEngine({ ...parts, reportThread: thread }),
    createEngine(querier, here),
  ];
  for (const select of [whole, diff]) {
    for (const rootTrimFraction of [0, 0.001, 0.0005]) {
      for (const zoomPath of [[], ['a1'], ['a1', 'a1']]) {
        const asked = {
          ...plain,
          select,
          rootTrimFraction,
          zoomPath,
          report: 'flame-graph',
        } as const;
        const got = await keeping.encodedReport(asked, 'message', { signal });
        assert.deepEqual(got, await fresh.encodedReport(asked, 'message', { signal }));
      }
    }
  }
});

test('reports made at once do not share memory', async () => {
  const store = new TestStore();
  // Buffers of 9,000 rows are compressed outside of the event loop, while the next report is made.
  const rows = Array.from({ length: 9_000 }, (_, i) => `main;leaf${i} ${i + 1}`);
  const selectors = ['a', 'b', 'c'].map((job) => {
    const all = [...rows, `main;${job} 1`].join('\n');
    store.add({ type, labels: { job }, timeNanos: 5n, durationNanos: 10n, rows: all });
    return `${cpuText}{job="${job}"}`;
  });
  const engine = createEngine(store, here);
  const ask = (query: string): Promise<EncodedReport> => {
    const question = { ...plain, select: { ...whole, query }, report: 'flame-graph' } as const;
    return engine.encodedReport(question, 'message', { signal });
  };
  const atOnce = await Promise.all(selectors.map(ask));
  for (const [i, query] of selectors.entries()) assert.deepEqual(atOnce[i], await ask(query));
});

test('the thread forgets dictionaries that are gone', async () => {
  const counting = threadThat(`({ kind }) => {
    globalThis.forgotten ??= 0;
    if (kind === 'forget') globalThis.forgotten += 1;
    else parentPort.postMessage({ bytes: [], profileCount: globalThis.forgotten, missing: [] });
  }`);
  const own = new ReportThread(clock, counting, createReportMaker());
  const collect = createCollector(0);
  let forgotten = 0;
  // Each report has its own dictionary, and earlier dictionaries are dropped. The garbage collector
  // decides when the thread is told to forget them.
  for (let i = 0; i < 100 && forgotten === 0; i += 1) {
    forgotten = (await makeIn(own, 'pprof', signal)).profileCount;
    collect(0);
    await settled();
  }
  assert.ok(forgotten > 0);
  await own.close();
});

test('functions over time: the largest ones are found in the thread', async () => {
  const range = { from: 0n, to: 100n };
  const question = { query: cpuText, range, stepNanos: 50n, names: [], top: 4 } as const;
  const ask = (by: typeof here, measure: 'flat' | 'cumulative') =>
    createEngine(largeStore(), by).queryFunctions({ ...question, measure }, { signal });
  for (const measure of ['flat', 'cumulative'] as const) {
    const answer = await ask(thread, measure);
    assert.deepEqual(answer, await ask(here, measure));
    assert.equal(answer.functions.length, 4);
  }
});

const profile = { ...plain, select: whole, report: 'profile' } as const;

function largeStore(): TestStore {
  const store = new TestStore();
  addLarge(store, 5n, 'a');
  return store;
}

/** Returns the script of a thread that runs `onRequest` for every request. */
function threadThat(onRequest: string): URL {
  const script = `import { writeFileSync } from 'node:fs';
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ${onRequest});`;
  return new URL(`data:text/javascript,${encodeURIComponent(script)}`);
}

function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Calls a thread directly. The request has been sent when this function returns. */
function makeIn(
  own: ReportThread,
  encoding: ReportEncoding,
  of: AbortSignal,
  caller = '',
): Promise<EncodedReport> {
  const merged = { stacks: new Uint32Array(stacks), values: new BigInt64Array(stacks) };
  const dictionary = new Dictionary([0, 0, 0]);
  dictionary.strings.internText('f');
  const merge = { stacks: { dictionary, groups: [{ labels: [], merged }] } };
  const merges = [merge as unknown as MergedSelection];
  const context = new QueryContext({ signal: of, caller });
  return own.make(planReport(profile).build, merges, encoding, context);
}

test('errors keep their code, and the next report is made', async () => {
  const engine = createEngine(largeStore(), thread);
  const refused = engine.encodedReport(profile, 'pgo', { signal });
  await rejects(refused, 'failed-precondition', /no function in it has a start line/);
  const { bytes } = await engine.encodedReport(profile, 'collapsed', { signal });
  assert.match(Buffer.from(bytes).toString(), /^a0;a0;leaf0 1$/m);
});

/** A thread that never answers requests for 'pprof', but answers others immediately. */
const stuck = threadThat(`({ encoding }) => {
  if (encoding !== 'pprof') parentPort.postMessage({ bytes: [], profileCount: 5, missing: [] });
}`);

test('a cancelled call fails at once, and the thread that continues is replaced', async () => {
  const time = createFakeClock();
  const own = new ReportThread(time, stuck, createReportMaker());
  const controllers = Array.from({ length: 3 }, () => new AbortController());
  const gone = controllers.map((controller) => makeIn(own, 'pprof', controller.signal));
  const wanted = makeIn(own, 'collapsed', signal);
  for (const [i, controller] of controllers.entries()) {
    controller.abort();
    await rejects(gone[i], 'cancelled', /cancelled/);
  }
  await time.advance(abandonedReportMillis);
  assert.equal((await wanted).profileCount, 5);
  await own.close();
});

test('callers take turns, and one who leaves its reports pays for the threads that end', async () => {
  const time = createFakeClock();
  const own = new ReportThread(time, stuck, createReportMaker());
  const order: string[] = [];
  const ask = async (caller: string, name: string): Promise<void> => {
    await makeIn(own, 'collapsed', signal, caller);
    order.push(name);
  };
  const leaver = new AbortController();
  const left = makeIn(own, 'pprof', leaver.signal, 'a');
  const rest = [
    ...['a1', 'a2', 'a3'].map((name) => ask('a', name)),
    ...['b1', 'b2', 'b3'].map((name) => ask('b', name)),
  ];
  leaver.abort();
  await rejects(left, 'cancelled', /cancelled/);
  await time.advance(abandonedReportMillis);
  await Promise.all(rest);
  assert.deepEqual(order, ['b1', 'b2', 'b3', 'a1', 'a2', 'a3']);
  await own.close();
});

test('an abandoned report has its thread while nobody else waits', async () => {
  const time = createFakeClock();
  const own = new ReportThread(time, stuck, createReportMaker());
  const leaver = new AbortController();
  const left = makeIn(own, 'pprof', leaver.signal);
  leaver.abort();
  await rejects(left, 'cancelled', /cancelled/);
  await time.advance(10 * abandonedReportMillis);
  // The same thread continues to work, although it never answers the first report.
  const next = makeIn(own, 'collapsed', signal);
  assert.equal(own.problem(), undefined);
  await time.advance(abandonedReportMillis);
  assert.equal((await next).profileCount, 5);
  await own.close();
});

test('a report that cannot be sent fails without effect on others', async () => {
  const own = new ReportThread(clock, stuck, createReportMaker());
  const merged = { stacks: new Uint32Array(stacks), values: new BigInt64Array(stacks) };
  const groups = [{ labels: [() => 'nothing that is copied'], merged }];
  const merges = [{ stacks: { dictionary: undefined, groups } } as unknown as MergedSelection];
  for (let i = 0; i < 2; i += 1) {
    const refused = own.make(
      planReport(profile).build,
      merges,
      'collapsed',
      new QueryContext({ signal }),
    );
    await rejects(refused, 'internal', /cannot make report: .* could not be cloned/);
    assert.equal((await makeIn(own, 'collapsed', signal)).profileCount, 5);
  }
  await own.close();
});

test('a silent thread is noticed, then given up and replaced', async () => {
  const time = createFakeClock();
  const own = new ReportThread(time, stuck, createReportMaker());
  const silent = makeIn(own, 'pprof', signal);
  const next = makeIn(own, 'collapsed', signal);
  const failed = rejects(silent, 'deadline-exceeded', /it took longer than 300 s/);
  await time.advance(reportSilenceMillisMax);
  assert.equal(own.problem(), undefined);
  await time.advance(1_000);
  assert.equal(own.problem(), 'the thread of reports has been silent for 31 s');
  await time.advance(reportMillisMax - reportSilenceMillisMax - 1_000);
  await failed;
  assert.equal((await next).profileCount, 5);
  assert.equal(own.problem(), undefined);
  await own.close();
});

test('a reply of an ending thread is not used as that of the next thread', async () => {
  const scratch = await mkdtemp(join(tmpdir(), 'report-thread-'));
  const told = join(scratch, 'replied');
  const late = threadThat(`({ encoding }) => {
    parentPort.postMessage({ bytes: [], profileCount: encoding.length, missing: [] });
    writeFileSync(${JSON.stringify(told)}, '');
  }`);
  let patienceEnds = (): void => assert.fail('nobody was told that the report is not wanted');
  const setTimer: Clock['setTimer'] = (_, fire) => {
    patienceEnds = fire;
    return { cancel: () => undefined };
  };
  const own = new ReportThread({ ...clock, setTimer }, late, createReportMaker());
  const controller = new AbortController();
  const gone = makeIn(own, 'pprof', controller.signal);
  const wanted = makeIn(own, 'collapsed', signal);
  controller.abort();
  await rejects(gone, 'cancelled', /cancelled/);
  // Messages are delivered when the event loop continues, so the reply has arrived but is unread.
  while (!existsSync(told));
  patienceEnds();
  assert.equal((await wanted).profileCount, 'collapsed'.length);
  await own.close();
  await rm(scratch, { recursive: true });
});

test('the thread starts during a merge with many frames', async () => {
  const channel = `reports ${process.pid}`;
  const sayingSo = new URL(`data:text/javascript,
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', () => undefined);
    new BroadcastChannel(${JSON.stringify(channel)}).postMessage('started');`);
  const own = new ReportThread(clock, sayingSo, createReportMaker());
  const heard = new BroadcastChannel(channel);
  const started = new Promise((resolve) => {
    heard.addEventListener('message', resolve);
  });
  own.expect({ underivedNodes: 100_000 });
  await started;
  heard.close();
  await own.close();
  own.expect({ underivedNodes: 100_000 });
});

test('a dead thread fails its report and is replaced; a closed one makes none', async () => {
  const dying = threadThat('() => process.exit(7)');
  const own = new ReportThread(clock, dying, createReportMaker());
  const engine = createEngine(largeStore(), own);
  // If a waiting call were still assigned to the dead thread, it would wait forever.
  for (let i = 0; i < 2; i += 1) {
    const failed = engine.encodedReport(profile, 'collapsed', { signal });
    await rejects(failed, 'internal', /its thread died: it exited with code 7/);
  }
  await own.close();
  await rejects(engine.encodedReport(profile, 'collapsed', { signal }), 'unavailable', /closing/);
  await own.close();
});

test('closing fails the report under way and those that wait', async () => {
  const own = new ReportThread(clock, stuck, createReportMaker());
  const running = makeIn(own, 'pprof', signal);
  const waiting = makeIn(own, 'pprof', signal);
  const failed = [rejects(running, 'internal', /died/), rejects(waiting, 'unavailable', /closing/)];
  await own.close();
  await Promise.all(failed);
});
