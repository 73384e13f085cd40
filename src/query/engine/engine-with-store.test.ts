// Tests of the query engine with the real write path and store: reports show the pushed profiles.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { cpuProfile, encodeProfile } from '../../../test/support/profiles/pprof-builder.ts';
import { MemoryFiles } from '../../base/fake/memory-files.ts';
import { silentLogger } from '../../base/logger.ts';
import { noMetrics } from '../../base/metrics.ts';
import { createClock } from '../../base/node/clock.ts';
import { seededRandom } from '../../base/random.ts';
import { encodePprof } from '../../formats/pprof/encode.ts';
import { createIngester } from '../../ingest/ingester.ts';
import { openStore } from '../../storage/store/open-store.ts';
import type { Storage } from '../../storage/interface.ts';
import { createQueryEngine } from './engine.ts';
import type { QueryEngine, Report } from '../interface.ts';
import type { ReportKind } from '../report-kinds.ts';
import { oracleTop, oracleTree, oracleTrim } from '../testing/oracle/calls.ts';
import {
  parseRows,
  printGraph,
  printSeries,
  printTop,
  printTree,
} from '../testing/print-report.ts';
import { sumTexts, total } from '../testing/oracle/text-sums.ts';

const { signal } = new AbortController();
const cpu = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
const samples = 'process_cpu:samples:count:cpu:nanoseconds:delta';
const start = 1_760_000_000_000_000_000n;
const second = 1_000_000_000n;
const range = { from: start, to: start + 10_000n * second };

class Server {
  readonly random = seededRandom(3);
  readonly #files = new MemoryFiles(this.random);
  #storage: Storage | undefined;

  /** Opens or reopens the store. */
  async open(): Promise<QueryEngine> {
    await this.#storage?.close();
    const { random } = this;
    const files = this.#files;
    const shared = { clock: createClock(), metrics: noMetrics, logger: silentLogger };
    this.#storage = await openStore({ path: '/data', files, random, ...shared });
    return createQueryEngine({ ...shared, querier: this.#storage.querier });
  }

  async push(name: string, labels: Record<string, string>, profile: Uint8Array): Promise<void> {
    const storage = this.#storage;
    assert.ok(storage);
    const shared = { clock: createClock(), metrics: noMetrics, logger: silentLogger };
    const all = Object.entries({ ...labels, __name__: name });
    const pairs = all.map(([key, value]) => ({ name: key, value }));
    await createIngester({ storage, ...shared }).write([{ labels: pairs, profile }]);
  }

  close(): Promise<void> | undefined {
    return this.#storage?.close();
  }
}

function merge(engine: QueryEngine, query: string, report: ReportKind, trim = 0): Promise<Report> {
  const select = { mode: 'merge', query, range } as const;
  const none = { nodeTrimFraction: trim, rootTrimFraction: 0, groupBy: [] };
  return engine.report({ select, report, ...none }, { signal });
}

test('pushed profiles come back exactly: by series, by time, after a restart', async () => {
  const server = new Server();
  let engine = await server.open();
  const below = (bound: number): number => server.random.uint32() % bound;
  const rows = new Map<string, string[]>();
  for (let i = 0; i < 60; i += 1) {
    const job = `j${i % 3}`;
    // Two equal stacks of one profile become one row of the store.
    const counts = new Map<string, number>();
    for (let row = below(30); row >= 0; row -= 1) {
      const frames = Array.from({ length: 1 + below(8) }, () => `f${below(6)}`).join(';');
      counts.set(frames, (counts.get(frames) ?? 0) + 1 + below(9));
    }
    const timeNanos = start + BigInt(i) * second;
    const list = [...counts].map(([stack, count]) => [stack, BigInt(count)] as const);
    const pprof = encodeProfile(cpuProfile({ timeNanos, samples: list }));
    await server.push('process_cpu', { job, pod: `p${i % 6}` }, pprof);
    rows.set(job, [...(rows.get(job) ?? []), ...list.map(([s, n]) => `${s} ${n * 10_000_000n}`)]);
  }
  for (let round = 0; round < 2; round += 1) {
    for (const [job, lines] of rows) {
      const stacks = parseRows(lines.join('\n'));
      for (const query of [`${cpu}{job="${job}"}`, `${samples}{job="${job}"}`]) {
        const trim = { nodeTrimFraction: 0.02, rootTrimFraction: 0 };
        const { tree } = oracleTrim(oracleTree(stacks), trim);
        const report = await merge(engine, query, 'flame-graph', 0.02);
        assert.ok(report.kind === 'flame-graph');
        assert.equal(printGraph(report.graph), printTree(tree));
        assert.equal(report.profileCount, 20);
        assert.equal(report.valueType.unit, 'nanoseconds');
        assert.equal(report.period, 10_000_000n);
      }
      const top = await merge(engine, `${cpu}{job="${job}"}`, 'top');
      assert.ok(top.kind === 'top');
      assert.deepEqual(printTop(top.top), sumTexts(oracleTop(stacks)));
    }
    engine = await server.open();
  }
  const question = { query: cpu, range, stepNanos: 20n * second, sumBy: ['job'], limit: 0 };
  const { series } = await engine.queryRange(question, { signal });
  const totals = series.map(({ labels, value }) => [
    labels[0].value,
    value.reduce((a, b) => a + b, 0n),
  ]);
  const want = [...rows].map(([job, lines]) => [job, total(parseRows(lines.join('\n')))[0]]);
  assert.deepEqual(totals, want);
  assert.deepEqual(await engine.labelNames({ match: [], profileType: cpu, range }, { signal }), [
    'job',
    'pod',
  ]);
  const pods = { match: ['{job="j1"}'], profileType: '', range: undefined };
  assert.deepEqual(await engine.labelValues('pod', pods, { signal }), ['p1', 'p4']);
  await server.close();
});

test('a real Go heap profile: exports of each type read back the same', async () => {
  const server = new Server();
  const engine = await server.open();
  const folder = new URL('../../formats/pprof/testdata/', import.meta.url);
  const heap = gunzipSync(readFileSync(new URL('go-heap.pb.gz', folder)));
  await server.push('memory', { job: 'a' }, heap);
  const types = await engine.profileTypes(undefined, { signal });
  assert.equal(types.length, 4);
  const everything = { from: 0n, to: 2n ** 62n };
  const ask = async (name: string, report: ReportKind, sample: string): Promise<Report> =>
    engine.report(
      {
        select: { mode: 'merge', query: `${name}:${sample}`, range: everything },
        report,
        nodeTrimFraction: 0,
        rootTrimFraction: 0,
        groupBy: [],
      },
      { signal },
    );
  for (const { sample } of types) {
    const graph = await ask('memory', 'flame-graph', sample.type);
    assert.ok(graph.kind === 'flame-graph');
    assert.equal(graph.graph.cumulative[0], graph.total);
    const exported = await ask('memory', 'profile', sample.type);
    assert.ok(exported.kind === 'profile');
    const bytes = encodePprof(exported.dictionary, exported.groups, {
      sampleType: exported.valueType,
      periodType: exported.profileType.period,
      period: exported.period,
      timeNanos: 1n,
      durationNanos: 0n,
    });
    await server.push('again', { job: 'a' }, bytes);
    const again = await ask('again', 'flame-graph', sample.type);
    assert.ok(again.kind === 'flame-graph');
    assert.equal(again.total, graph.total);
    assert.equal(printGraph(again.graph), printGraph(graph.graph));
  }
  await server.close();
});

test('sample labels: matched, grouped and summed by, through the store', async () => {
  const server = new Server();
  const engine = await server.open();
  const folder = new URL('../../formats/pprof/testdata/', import.meta.url);
  const pprof = gunzipSync(readFileSync(new URL('go-cpu.pb.gz', folder)));
  await server.push('process_cpu', { job: 'go' }, pprof);
  const whole = { from: 0n, to: 2n ** 62n };
  const names = await engine.labelNames(
    { match: [], profileType: '', range: undefined },
    { signal },
  );
  assert.ok(names.includes('job'));
  const range1 = { query: 'process_cpu:cpu', range: whole, stepNanos: second, limit: 0 };
  for (const name of names) {
    const values = await engine.labelValues(
      name,
      { match: [], profileType: '', range: undefined },
      { signal },
    );
    const { series } = await engine.queryRange({ ...range1, sumBy: [name] }, { signal });
    const { series: all } = await engine.queryRange({ ...range1, sumBy: [] }, { signal });
    const sum = series.reduce((total, one) => total + one.value[0], 0n);
    assert.equal(sum, all[0].value[0], printSeries(series, [name]).join('\n'));
    for (const value of values) {
      const query = `process_cpu:cpu{${JSON.stringify(name)}="${value}"}`;
      const found1 = await engine.queryRange({ ...range1, query, sumBy: [] }, { signal });
      const [only] = found1.series;
      const found = series.find(({ labels }) => labels[0]?.value === value);
      assert.equal(only.value[0], found?.value[0]);
    }
    const select = { mode: 'merge', query: 'process_cpu:cpu', range: whole } as const;
    const grouped = await engine.report(
      {
        select,
        report: 'flame-graph',
        groupBy: [`labels.${name}`],
        nodeTrimFraction: 0,
        rootTrimFraction: 0,
      },
      { signal },
    );
    assert.equal(grouped.total, sum);
  }
  await server.close();
});
