// Tests of reports made in a thread: the same bytes, errors as they are, cancelled and ended.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createReportMaker } from '../../cmd/report-maker.ts';
import { reportInThreadStacksMin } from '../base/limits.ts';
import { noMetrics } from '../base/metrics.ts';
import { createClock } from '../base/node/clock.ts';
import { parseProfileType } from '../model/profile-type.ts';
import type { Querier } from '../storage/interface.ts';
import { createQueryEngine } from './engine.ts';
import type { QueryEngine, ReportQuestion } from './interface.ts';
import { createMergePool } from './merge-pool.ts';
import { ReportThread } from './report-thread.ts';
import { cpuText, rejects } from './testing/ask.ts';
import { PartedStore } from './testing/parted-store.ts';
import { TestStore } from './testing/test-store.ts';

const clock = createClock();
const mergePool = createMergePool();
const script = new URL('../../cmd/parca/report-worker.ts', import.meta.url);
const thread = new ReportThread(clock, script, async () => {
  throw new Error('these reports are large');
});
const maker = createReportMaker();
/** Makes everything on this thread; bytes as they come from another one. */
const here: Pick<ReportThread, 'make'> = {
  make: async (...[question, merges, encoding]) =>
    structuredClone(await maker(question, merges, encoding)),
};
after(async () => {
  await thread.close();
  await mergePool.close();
});
const { signal } = new AbortController();
const type = parseProfileType(cpuText);
const stacks = reportInThreadStacksMin + 10;

function engineOf(querier: Querier, reportThread: Pick<ReportThread, 'make'>): QueryEngine {
  return createQueryEngine({ querier, mergePool, metrics: noMetrics, clock, reportThread });
}

/** Adds a profile with so many stacks, whose functions begin with a letter. */
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
  ...{ mode: 'diff', baseScale: 'none' },
  ...{ base: { ...whole, query: `${cpuText}{job="a"}` }, compared: whole },
};

test('the same bytes as on the main thread, of one part and of two, also after they grew', async () => {
  const one = new TestStore();
  const other = new TestStore();
  const parted = new PartedStore([one, other]);
  addLarge(one, 5n, 'a');
  const asked = { ...plain, select: diff, report: 'flame-graph' } as const;
  for (const letter of ['b', 'c']) {
    addLarge(other, 9n, letter);
    for (const store of [one, parted]) {
      const engine = engineOf(store, thread);
      for (const report of ['flame-graph', 'table', 'top', 'call-graph', 'profile'] as const) {
        for (const groupBy of report === 'flame-graph' ? [[], ['labels.job']] : [[]]) {
          const question = { ...plain, select: whole, report, groupBy };
          const made = await engine.encodedReport(question, 'message', { signal });
          const want = await engineOf(store, here).encodedReport(question, 'message', { signal });
          assert.deepEqual(made, want, report);
        }
      }
      const made = await engine.encodedReport(asked, 'message', { signal });
      const want = await engineOf(store, here).encodedReport(asked, 'message', { signal });
      assert.deepEqual(made, want);
    }
    addLarge(one, 20n, `${letter}${letter}`);
  }
});

const profile = { ...plain, select: whole, report: 'profile' } as const;

function largeStore(): TestStore {
  const store = new TestStore();
  addLarge(store, 5n, 'a');
  return store;
}

test('errors keep their code, and the next report is made', async () => {
  const engine = engineOf(largeStore(), thread);
  const refused = engine.encodedReport(profile, 'pgo', { signal });
  await rejects(refused, 'failed-precondition', /no function in it has a start line/);
  const { bytes } = await engine.encodedReport(profile, 'collapsed', { signal });
  assert.match(Buffer.from(bytes).toString(), /^a0;a0;leaf0 1$/m);
});

test('who goes away is told at once, and the next report is made', async () => {
  const engine = engineOf(largeStore(), thread);
  const controllers = Array.from({ length: 3 }, () => new AbortController());
  const gone = controllers.map(async (controller) => {
    await rejects(engine.encodedReport(profile, 'pprof', controller), 'cancelled', /cancelled/);
  });
  const wanted = engine.encodedReport(profile, 'collapsed', { signal });
  for (const controller of controllers) setImmediate(() => controller.abort());
  await Promise.all(gone);
  assert.ok((await wanted).bytes.length > 0);
});

test('a dead thread fails its report and is replaced; a closed one makes none', async () => {
  const dying = new URL(`data:text/javascript,
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', () => process.exit(7));`);
  const own = new ReportThread(clock, dying, createReportMaker());
  const engine = engineOf(largeStore(), own);
  // One that went on with the dead thread would wait for ever.
  for (let i = 0; i < 2; i += 1) {
    const failed = engine.encodedReport(profile, 'collapsed', { signal });
    await rejects(failed, 'internal', /its thread died: it exited with code 7/);
  }
  await own.close();
  await rejects(engine.encodedReport(profile, 'collapsed', { signal }), 'unavailable', /closing/);
  await own.close();
});
