// Tests of shared answers: for equal concurrent queries, for successive queries, and after every
// change.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rounds } from '../../base/testing/rounds.ts';
import { cpuProfile, encodeProfile } from '../../../test/support/profiles/pprof-builder.ts';
import { MemoryFiles } from '../../base/fake/memory-files.ts';
import { silentLogger } from '../../base/logger.ts';
import { noMetrics, type Metrics } from '../../base/metrics.ts';
import { createClock } from '../../base/node/clock.ts';
import { randomBelow, seededRandom } from '../../base/random.ts';
import { createIngester } from '../../ingest/ingester.ts';
import { createMatcher } from '../../model/matcher.ts';
import { openStore } from '../../storage/store/open-store.ts';
import type { Querier } from '../../storage/interface.ts';
import { Maintenance } from '../../storage/maintenance/maintenance.ts';
import { inlineCompactor } from '../../storage/maintenance/testing/test-host.ts';
import { createQueryEngine } from '../engine/engine.ts';
import type { QueryCaller, QueryEngine, ReportQuestion } from '../interface.ts';
import type { RecordedCaller } from '../running/context.ts';
import { SharedAnswers } from './shared-answers.ts';
import { cpuText, createEngine, flameGraph, rejects } from '../testing/ask.ts';
import { printGraph, printSeries } from '../testing/print-report.ts';

const { signal } = new AbortController();
const clock = createClock();
const cacheBytesMax = 1_000_000;
const start = 1_760_000_000_000_000_000n;
const minute = 60_000_000_000n;

/** Counts answers by how they were shared. */
function countingMetrics(): { readonly metrics: Metrics; readonly shared: Map<string, number> } {
  const shared = new Map<string, number>();
  const add = (by = 1, labels: Readonly<Record<string, string>> = {}): void => {
    const how = labels['how'] ?? '';
    shared.set(how, (shared.get(how) ?? 0) + by);
  };
  return { metrics: { ...noMetrics, counter: () => ({ add }) }, shared };
}

/**
 * Creates a store whose state the test changes, and a function that answers with the number of its
 * calls.
 */
function counter() {
  let state = 'a';
  const { metrics, shared } = countingMetrics();
  const querier = { state: () => state } as unknown as Querier;
  const selecting: Querier['select'] = async () => {
    throw new Error('nothing is stored');
  };
  const answers = new SharedAnswers({ ...querier, select: selecting }, cacheBytesMax, metrics);
  let made = 0;
  const callers: QueryCaller[] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  /** Reads the store, waits until its gate opens, and returns the number of answers so far. */
  const ask = async (
    question: object,
    caller: QueryCaller = { signal },
    isWhole = true,
  ): Promise<number> => {
    const bytes = await answers.once(question, caller, async (inner: RecordedCaller) => {
      made += 1;
      const mine = made;
      callers.push(inner);
      const gate = Promise.withResolvers<void>();
      gates.push(gate);
      await inner.recorder?.select({ matchers: [], profileType: undefined, range }).catch(() => 0);
      await gate.promise;
      return { bytes: Uint8Array.of(mine), isWhole };
    });
    return bytes[0];
  };
  const range = { from: 0n, to: 1n };
  const change = (): void => {
    state += 'a';
  };
  const finish = async (): Promise<void> => {
    await settled();
    for (const { resolve } of gates) resolve();
  };
  return { ask, change, finish, callers, shared };
}

function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

test('equal questions at once are answered once; others are not', async () => {
  const { ask, finish } = counter();
  const asked = [ask({ q: 1n }), ask({ q: 1n }), ask({ q: 2n }), ask({ q: 1n })];
  await finish();
  assert.deepEqual(await Promise.all(asked), [1, 1, 2, 1]);
  assert.equal(await ask({ q: 1n }), 1);
  const lower = ask({ q: 1n }, { signal, limits: { rowsMax: 5 } });
  await finish();
  assert.equal(await lower, 3);
});

test('a question after a change gets an answer with that change', async () => {
  const { ask, change, finish } = counter();
  const first = ask({ q: 1 });
  await settled();
  change();
  const second = ask({ q: 1 });
  await settled();
  const third = ask({ q: 1 });
  await finish();
  assert.deepEqual(await Promise.all([first, second, third]), [1, 2, 2]);
  assert.equal(await ask({ q: 1 }), 2);
  change();
  const fourth = ask({ q: 1 });
  await finish();
  assert.equal(await fourth, 3);
});

test('partial answers are not cached, and questions that cannot be compared are not shared', async () => {
  const { ask, finish } = counter();
  for (const want of [1, 2]) {
    const partial = ask({ q: 1 }, { signal }, false);
    await finish();
    assert.equal(await partial, want);
  }
  const opaque = { q: new Map([[1, 2]]) };
  const asked = [ask(opaque), ask(opaque)];
  await finish();
  assert.deepEqual(await Promise.all(asked), [3, 4]);
});

test('the work ends when the last caller leaves, and no sooner', async () => {
  const { ask, callers, finish } = counter();
  const [one, two] = [new AbortController(), new AbortController()];
  const first = ask({ q: 1 }, { signal: one.signal, tags: ['one'] });
  const second = ask({ q: 1 }, { signal: two.signal, tags: ['two'] });
  await settled();
  assert.deepEqual(callers[0].tags, ['one', 'two']);
  one.abort();
  await rejects(first, 'cancelled', /cancelled/);
  assert.equal(callers[0].signal.aborted, false);
  assert.deepEqual(callers[0].tags, ['two']);
  two.abort();
  await rejects(second, 'cancelled', /cancelled/);
  assert.equal(callers[0].signal.aborted, true);
  const third = ask({ q: 1 });
  await finish();
  assert.equal(await third, 2);
});

const questions: readonly ReportQuestion[] = [
  { nodeTrimFraction: 0, rootTrimFraction: 0 },
  { nodeTrimFraction: 0, rootTrimFraction: 0.3 },
].flatMap((trims) => {
  const report = 'flame-graph' as const;
  const range = (from: bigint, to: bigint): ReportQuestion['select'] => ({
    mode: 'merge',
    query: cpuText,
    range: { from: start + from * minute, to: start + to * minute },
  });
  const ofShortName = { ...range(0n, 600n), query: 'process_cpu:cpu{job="job1"}' } as const;
  const [base, compared] = [range(0n, 99n), range(100n, 300n)];
  assert.ok(base.mode === 'merge' && compared.mode === 'merge');
  return [
    range(0n, 30n),
    range(0n, 100n),
    range(20n, 500n),
    ofShortName as ReportQuestion['select'],
    { mode: 'diff', base, compared, baseScale: 'total' } as const,
  ].map((select) => ({ ...trims, select, report, groupBy: ['labels.job'] }));
});

/** Returns an answer, or its error, as a string. */
async function reportText(
  engine: QueryEngine,
  question: ReportQuestion,
  caller: QueryCaller,
): Promise<string> {
  const { profileCount, total, ...rest } = await engine.report(question, caller);
  return `${profileCount} ${total}\n${printGraph(flameGraph({ profileCount, total, ...rest }))}`;
}

async function rangeText(engine: QueryEngine, caller: QueryCaller): Promise<string> {
  const range = { from: start, to: start + 200n * minute };
  const asked = { query: cpuText, range, stepNanos: 10n * minute, sumBy: ['job'], limit: 0 };
  return printSeries((await engine.queryRange(asked, caller)).series, ['job']).join('\n');
}

test('a cached answer equals a fresh one, after all writes, cuts and deletions', async () => {
  const { metrics, shared } = countingMetrics();
  for (let seed = 1; seed <= rounds(3, 12); seed += 1) {
    const random = seededRandom(seed);
    const below = (end: number): number => randomBelow(random, end);
    const files = new MemoryFiles(random);
    const machine = { files, clock, random, logger: silentLogger, metrics: noMetrics };
    const store = await openStore({ ...machine, path: '/data' });
    const maintenance = new Maintenance(
      {
        ...machine,
        blocks: () => store.blocks(),
        openBlock: (id) => store.openBlock(id),
        replaceBlocks: (removed, added) => store.replaceBlocks(removed, added),
        rotate: () => store.rotate(),
      },
      {
        storagePath: '/data',
        retention: { timeNanos: 0n, sizeBytes: 0 },
        compactor: inlineCompactor(files),
      },
    );
    const ingester = createIngester({ storage: store, ...machine });
    const { querier } = store;
    const answers = new SharedAnswers(querier, cacheBytesMax, metrics);
    const parts = { querier, metrics: noMetrics, clock };
    const keeping = createQueryEngine({ ...parts, mergeCacheBytesMax: cacheBytesMax });
    const write = async (): Promise<void> => {
      const samples = [[`main;f${below(4)};g${below(4)}`, BigInt(1 + below(9))]] as const;
      const timeNanos = start + BigInt(below(500)) * minute;
      const profile = encodeProfile(cpuProfile({ timeNanos, samples }));
      const pairs = [
        { name: '__name__', value: 'process_cpu' },
        { name: 'job', value: `job${below(3)}` },
      ];
      await ingester.write([{ labels: pairs, profile }]);
    };
    const remove = async (): Promise<void> => {
      const from = start + BigInt(below(500)) * minute;
      const matchers = [createMatcher('job', '=', `job${below(3)}`)];
      const range = { from, to: from + 50n * minute };
      await maintenance.delete({ matchers, profileType: undefined, range });
    };
    for (let step = 0; step < 60; step += 1) {
      const kind = below(10);
      if (kind < 3 || step < 5) await write();
      else if (kind === 3) await store.rotate();
      else if (kind === 4 && below(2) === 0) await remove();
      else if (kind === 5) await maintenance.runPass();
      const fresh = createEngine(querier);
      const question = questions[below(questions.length)];
      const encode = (text: string) => ({ bytes: Buffer.from(text), isWhole: true });
      const [got, want] =
        below(3) === 0
          ? [
              answers.once({ isRange: true }, { signal }, async (caller) =>
                encode(await rangeText(keeping, caller)),
              ),
              rangeText(fresh, { signal }),
            ]
          : [
              answers.once(question, { signal }, async (caller) =>
                encode(await reportText(keeping, question, caller)),
              ),
              reportText(fresh, question, { signal }),
            ];
      const texts = await Promise.allSettled([got, want]);
      const [a, b] = texts.map((text) =>
        text.status === 'fulfilled' ? Buffer.from(text.value).toString() : String(text.reason),
      );
      assert.equal(a, b, `seed ${seed}, step ${step}`);
    }
    await maintenance.close();
    await store.close();
  }
  // Without cached answers, the test would prove nothing.
  assert.ok((shared.get('cached') ?? 0) > 40, String(shared.get('cached')));
});
