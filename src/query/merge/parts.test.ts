// Tests that answers do not depend on how profiles are split over parts of the store.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorMessage } from '../../base/errors.ts';
import { rounds } from '../../base/testing/rounds.ts';
import type { Querier } from '../../storage/interface.ts';
import type { QueryEngine, RangeQuestion, Report, ReportQuestion } from '../interface.ts';
import { createEngine, flameGraph } from '../testing/ask.ts';
import { listNames, printGraph, printSeries } from '../testing/print-report.ts';
import { randomFrom } from '../testing/random-rows.ts';
import {
  denseProfiles,
  randomParts,
  randomProfiles,
  randomTypes,
} from '../testing/random-store.ts';
import { realHeads, realStore } from '../testing/real-parts.ts';
import { TestStore } from '../testing/test-store.ts';

const { signal } = new AbortController();
const second = 1_000_000_000n;
const whole = { from: 0n, to: 1_000_000n * second };
const hour = 3_600n * second;
const names = ['job', 'instance', 'thread'];

/** Returns a report without references to the rows of a dictionary. */
function plainReport({ kind, ...report }: Report): Record<string, unknown> {
  assert.equal(kind, 'flame-graph');
  const graph = flameGraph({ kind, ...report } as Report);
  const { graph: _, ...head } = { graph, ...report } as Report & { graph: unknown };
  const { trimmed, height } = graph;
  return { ...head, trimmed, height, tree: printGraph(graph), order: listNames(graph) };
}

async function reportText(
  engine: QueryEngine,
  asked: Partial<ReportQuestion> & Pick<ReportQuestion, 'select'>,
): Promise<Record<string, unknown>> {
  const usual = { nodeTrimFraction: 0, rootTrimFraction: 0.01, groupBy: [] };
  return plainReport(
    await engine.report({ report: 'flame-graph', ...usual, ...asked }, { signal }),
  );
}

async function rangeText(
  engine: QueryEngine,
  asked: Pick<RangeQuestion, 'query' | 'range' | 'sumBy'>,
): Promise<string[]> {
  const texts: string[] = [];
  for (const stepNanos of [0n, 30n * second]) {
    const answer = engine.queryRange({ ...asked, stepNanos, limit: 0 }, { signal });
    const lines = answer.then(({ series }) => printSeries(series, names).sort());
    texts.push(...(await lines.catch((error: unknown) => [errorMessage(error)])));
  }
  return texts;
}

/** Returns the answers to many queries about all and about some of the data. */
async function collectAnswers(store: Querier, seed: number): Promise<unknown[]> {
  const random = randomFrom(seed);
  const engine = createEngine(store);
  const answers: unknown[] = [];
  const from = BigInt(random(100)) * second;
  const start = BigInt(random(10)) * hour;
  const ranges = [
    whole,
    { from, to: from + BigInt(random(200)) * second },
    { from: start, to: start + BigInt(1 + random(10)) * hour - 1n },
  ];
  const { alloc, cpu } = randomTypes;
  const asked = [
    ...Object.values(randomTypes).map((type) => ({ type, stages: '' })),
    { type: cpu, stages: ' except @ 40 to 90' },
    { type: alloc, stages: ' except @ 40 to 90' },
    { type: alloc, stages: ' except @ 40 to 90 | increase' },
    { type: alloc, stages: ' | increase' },
    { type: alloc, stages: ' | ignore "f1" | increase' },
  ];
  for (const { type, stages } of asked) {
    for (const range of ranges) {
      const query = type + stages;
      const select = { mode: 'merge', query, range } as const;
      const base = { ...select, query: `${type}{job="job0"}${stages}` };
      const diff = { mode: 'diff', base, compared: select, baseScale: 'total' } as const;
      answers.push(await reportText(engine, { select }));
      answers.push(await reportText(engine, { select: diff }));
      for (const name of names) {
        answers.push(await reportText(engine, { select, groupBy: [`labels.${name}`] }));
      }
      for (const matcher of ['thread="t1"', 'thread!="t1"', 'thread=""']) {
        const filtered = { ...select, query: `${type}{${matcher}}${stages}` };
        // Profile counts are left out: parts do not count profiles without a matching row.
        const { total, tree, order } = await reportText(engine, { select: filtered });
        answers.push({ matcher, total, tree, order });
        answers.push(await rangeText(engine, { query: filtered.query, range, sumBy: [] }));
      }
      for (const sumBy of [[], ['job'], ['thread']]) {
        answers.push(await rangeText(engine, { query, range, sumBy }));
      }
    }
  }
  return answers;
}

test('the same answers for every split of profiles over parts', async () => {
  for (let seed = 1; seed <= rounds(1, 20); seed += 1) {
    const random = randomFrom(seed * 7919);
    const profiles = randomProfiles(random, 0);
    const one = new TestStore();
    const count = 2 + random(4);
    const stores = Array.from({ length: count }, () => new TestStore());
    const partNumbers = randomParts(random, profiles, count);
    profiles.forEach((profile, i) => {
      one.add(profile);
      stores[partNumbers[i]].add(profile);
    });
    const want = await collectAnswers(one, seed);
    assert.deepEqual(await collectAnswers(realHeads(...stores), seed), want, `seed ${seed}`);
  }
});

// All profiles here have rows. A matcher on sample labels would find a profile without rows only
// if its part has other rows of the series.
test('the same answers of heads, blocks and compacted blocks with rollups', async () => {
  for (let seed = 1; seed <= rounds(1, 12); seed += 1) {
    const random = randomFrom(seed * 104_729);
    const profiles = seed % 3 === 0 ? denseProfiles(random) : randomProfiles(random, 1);
    const one = new TestStore();
    const count = 2 + random(4);
    const stores = Array.from({ length: count }, () => {
      const kind = (['head', 'block', 'compacted', 'compacted'] as const)[random(4)];
      return { store: new TestStore(), kind };
    });
    const partNumbers = randomParts(random, profiles, count);
    profiles.forEach((profile, i) => {
      one.add(profile);
      stores[partNumbers[i]].store.add(profile);
    });
    const want = await collectAnswers(one, seed);
    assert.deepEqual(await collectAnswers(await realStore(stores), seed), want, `seed ${seed}`);
  }
});
