// Tests that the answers for two parts of a range add up to the answer for the whole range: each
// profile counts once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../base/errors.ts';
import { rounds } from '../../base/testing/rounds.ts';
import { labelSetKey } from '../../model/labels.ts';
import { formatProfileType, parseProfileType } from '../../model/profile-type.ts';
import { printTimeSpan } from '../../promql-like/time.ts';
import type { MetricsSeries, QueryEngine, Report } from '../interface.ts';
import { cpuText, createEngine, flameGraph } from '../testing/ask.ts';
import { randomWorld } from '../testing/oracle/random-world.ts';
import { rowName, roundRate } from '../testing/print-report.ts';
import { randomFrom } from '../testing/random-rows.ts';
import { randomTypes } from '../testing/random-store.ts';
import { TestStore } from '../testing/test-store.ts';

const { signal } = new AbortController();
const second = 1_000_000_000n;
const wholeRange = { from: 0n, to: 1_000_000n * second };

/** Sums by name. A name that is absent has the sum 0. */
type Sums = Map<string, bigint>;

function add(sums: Sums, name: string, value: bigint): void {
  sums.set(name, (sums.get(name) ?? 0n) + value);
}

function graphQuestion(query: string, groupBy: readonly string[]) {
  return {
    ...({ report: 'flame-graph', nodeTrimFraction: 0, rootTrimFraction: 0, groupBy } as const),
    select: { mode: 'merge', query, range: wholeRange } as const,
  };
}

/** Adds the values of a report by path, and its number of profiles, to `sums`. */
function addReport(sums: Sums, report: Report): void {
  const graph = flameGraph(report);
  const paths: string[] = [];
  for (let row = 0; row < graph.rowCount; row += 1) {
    paths.push(row === 0 ? '' : `${paths[graph.parent[row]]};${rowName(graph, row)}`);
    add(sums, `flat ${paths[row]}`, graph.flat[row]);
    add(sums, `cumulative ${paths[row]}`, graph.cumulative[row]);
  }
  add(sums, 'profiles', BigInt(report.profileCount));
}

function addSeries(sums: Sums, all: readonly MetricsSeries[]): void {
  for (const { labels, timeNanos, value, count, total } of all) {
    timeNanos.forEach((time, i) => {
      add(sums, `${labelSetKey(labels)} at ${time}`, value[i]);
      add(sums, `${labelSetKey(labels)} rows at ${time}`, BigInt(count[i]));
    });
    add(sums, `${labelSetKey(labels)} total`, total);
  }
}

/**
 * Returns the sums of the answers to all kinds of queries; an answer without data has the sum 0.
 */
async function collectSums(
  engine: QueryEngine,
  queries: readonly string[],
  stepNanos: bigint,
): Promise<Sums> {
  const sums: Sums = new Map();
  for (const query of queries) {
    for (const groupBy of [[], ['labels.job', 'labels.thread']]) {
      addReport(sums, await engine.report(graphQuestion(query, groupBy), { signal }));
    }
    for (const sumBy of [[], ['job', 'thread']]) {
      const asked = { query, range: wholeRange, stepNanos, sumBy, limit: 0 };
      try {
        addSeries(sums, (await engine.queryRange(asked, { signal })).series);
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'not-found')) throw error;
      }
    }
  }
  for (const [name, value] of sums) if (value === 0n) sums.delete(name);
  return sums;
}

test('a time and the rest of the range are the whole range', async () => {
  const { alloc, cpu, samples } = randomTypes;
  const asked = [
    { type: cpu, stages: '', steps: [0n, 30n * second] },
    { type: samples, stages: '', steps: [0n, 30n * second] },
    // States in one bucket are not summed, so only buckets of single times (step 0) add up.
    { type: alloc, stages: '', steps: [0n] },
    { type: alloc, stages: ' | increase', steps: [0n, 30n * second] },
  ];
  for (let seed = 1; seed <= rounds(4, 60); seed += 1) {
    const random = randomFrom(seed * 6_007);
    const { querier, profiles } = await randomWorld(random);
    const engine = createEngine(querier);
    for (const { type, stages, steps } of asked) {
      const times = profiles.flatMap((one) => (one.type === type ? [one.timeNanos] : []));
      if (times.length === 0) continue;
      const [a, b] = [times[random(times.length)], times[random(times.length)]];
      // The ends of the range are times of profiles.
      const span = printTimeSpan(a < b ? { from: a, to: b } : { from: b, to: a });
      for (const stepNanos of steps) {
        const all = await collectSums(engine, [type + stages], stepNanos);
        const parts = [`${type} ${span}${stages}`, `${type} except ${span}${stages}`];
        const told = `seed ${seed}, ${parts[1]}, step ${stepNanos}`;
        assert.deepEqual(await collectSums(engine, parts, stepNanos), all, told);
      }
    }
  }
});

test('rates are of the time that is left', async () => {
  const store = new TestStore();
  // The program uses two cores, then four for a minute.
  for (let i = 0; i < 60; i += 1) {
    const cores = i >= 30 && i < 36 ? 4n : 2n;
    store.add({
      type: parseProfileType(cpuText),
      labels: { job: 'a' },
      timeNanos: BigInt(i) * 10n * second,
      durationNanos: 10n * second,
      period: 10_000_000n,
      rows: `main ${cores * 10n * second}`,
    });
  }
  const engine = createEngine(store);
  const printCores = async (times: string): Promise<string> => {
    const query = `${cpuText}${times}`;
    const report = await engine.report(graphQuestion(query, []), { signal });
    const { total, durationNanos, sampleCount } = report;
    return `${Number(total) / Number(durationNanos)} cores in ${durationNanos}, ${sampleCount} samples`;
  };
  assert.equal(await printCores(' @ 300 to 359'), `4 cores in ${60n * second}, 24000 samples`);
  assert.equal(
    await printCores(' except @ 300 to 359'),
    `2 cores in ${540n * second}, 108000 samples`,
  );
  assert.equal(await printCores(''), `2.2 cores in ${600n * second}, 132000 samples`);
  assert.equal(
    await printCores(' @ 300 to 359 except @ 310 to 329'),
    `4 cores in ${40n * second}, 16000 samples`,
  );
});

test('of regular profiles, a time left out is as if they had never been', async () => {
  for (let seed = 1; seed <= rounds(20, 300); seed += 1) {
    const random = randomFrom(seed * 15_485_863);
    const isDelta = random(2) === 0;
    const type = parseProfileType(isDelta ? randomTypes.cpu : randomTypes.heap);
    const [pace, count] = [10n * second, 20 + random(20)];
    const [first, last] = [random(count), random(count)].toSorted((a, b) => a - b);
    const span = { from: BigInt(first) * pace, to: BigInt(last) * pace + second };
    const [whole, rest] = [new TestStore(), new TestStore()];
    for (let job = 0; job < 1 + random(3); job += 1) {
      const [from, to] = [random(count), random(count)].toSorted((a, b) => a - b);
      for (let i = from; i <= to; i += 1) {
        const timeNanos = BigInt(i) * pace + BigInt(job * 100_000_000);
        const profile = {
          type,
          labels: { job: `${job}` },
          timeNanos,
          period: 10_000_000n,
          durationNanos: isDelta ? pace : 0n,
          rows: `main ${1 + random(9)}0000000`,
        };
        whole.add(profile);
        if (timeNanos < span.from || timeNanos > span.to) rest.add(profile);
      }
    }
    const query = formatProfileType(type);
    const collectFacts = async (store: TestStore, text: string): Promise<unknown> => {
      const engine = createEngine(store);
      const report = await engine.report(graphQuestion(text, []), { signal });
      const { total, profileCount, sampleCount, durationNanos, snapshots, timeNanos } = report;
      const asked = { query: text, range: wholeRange, stepNanos: 0n, sumBy: ['job'], limit: 0 };
      const answer = engine.queryRange({ ...asked, averages: true }, { signal });
      const averages = await answer.then(
        ({ series }) => series.map(({ average }) => roundRate(average)).toSorted((a, b) => a - b),
        () => [],
      );
      const rounded = [Math.round(Number(durationNanos) / 1e3), roundRate(snapshots)];
      // Without profiles, the time is the start of the requested range.
      const first = profileCount === 0 ? 0n : timeNanos;
      return { total, profileCount, sampleCount, first, rounded, averages };
    };
    const got = await collectFacts(whole, `${query} except ${printTimeSpan(span)}`);
    assert.deepEqual(got, await collectFacts(rest, query), `seed ${seed}`);
  }
});
