// Benchmarks of queries over 10 million rows, as ratios within one run: merging against a plain
// loop over arrays, a compressed flame graph against merging alone.
import { encodeReport } from '../src/api/query/encode-report.ts';
import { noMetrics } from '../src/base/metrics.ts';
import { createClock } from '../src/base/node/clock.ts';
import { StackMerger } from '../src/model/merge.ts';
import { createQueryEngine } from '../src/query/engine.ts';
import type { Report, ReportQuestion } from '../src/query/interface.ts';
import { createMergePool } from '../src/query/merge/merge-pool.ts';
import { ChunkSummer } from '../src/query/merge/chunk-sums.ts';
import { RowGrouper } from '../src/query/merge/row-grouper.ts';
import type { RowBatch } from '../src/query/merge/row-grouper.ts';
import type { Selection } from '../src/storage/selection.ts';
import { generateRows } from './fleet/rows.ts';
import {
  createFleetDictionary,
  layOutSelection,
  querierOf,
  selectionQuery,
} from './fleet/selection.ts';
import { median, reportRatio } from './measure.ts';

const rows = generateRows({ rows: 10_000_000 });
const dictionary = createFleetDictionary();
const selection = layOutSelection(rows, dictionary);
const few: Selection = { ...selection, series: selection.series.slice(0, 1) };
const merger = new StackMerger();
const mergePool = createMergePool();
const engine = createEngine(selection);
const engineOfFew = createEngine(few);
const { signal } = new AbortController();

function createEngine(of: Selection): ReturnType<typeof createQueryEngine> {
  const parts = { mergePool, metrics: noMetrics, clock: createClock() };
  return createQueryEngine({ ...parts, querier: querierOf(of) });
}

function scatter(): void {
  const { stacks, values, stackCount } = rows;
  const totals = new BigInt64Array(stackCount);
  for (let i = 0; i < stacks.length; i += 1) totals[stacks[i]] += values[i];
}

/** All rows of a selection whose rows are in memory, as one batch. */
async function group({ series }: Selection): Promise<RowBatch> {
  const grouper = new RowGrouper([], false, new ChunkSummer(merger));
  for (const { labels, pieces } of series) {
    for (const piece of pieces) {
      grouper.add({ labels, piece, sources: await piece.rows(true), dictionary });
    }
  }
  return grouper.take();
}

async function merge(of: Selection): Promise<void> {
  const { groups, memories } = await group(of);
  merger.merge(groups[0].lists[0].runs, memories, dictionary.stacks.length);
}

async function range(): Promise<void> {
  const stepNanos = 60_000_000_000n;
  const whole = { from: 0n, to: 2n ** 62n };
  const question = { query: selectionQuery, range: whole, stepNanos, sumBy: [], limit: 0 };
  await engine.queryRange(question, { signal });
}

async function flameGraph(
  from: typeof engine,
  trim: Pick<ReportQuestion, 'nodeTrimFraction' | 'rootTrimFraction'>,
): Promise<{ report: Report; bytes: number }> {
  const range = { from: 0n, to: 2n ** 62n };
  const select = { mode: 'merge', query: selectionQuery, range } as const;
  const question = { select, report: 'flame-graph', groupBy: [], ...trim } as const;
  const report = await from.report(question, { signal });
  return { report, bytes: (await encodeReport(report)).length };
}

const byRoot = { nodeTrimFraction: 0, rootTrimFraction: 1e-4 };
const byParent = { nodeTrimFraction: 0.0005, rootTrimFraction: 0 };
const candidates = [
  { name: 'plain loop', run: async () => scatter() },
  { name: 'merge', run: () => merge(selection) },
  { name: 'flame graph, 1e-4 of the root', run: () => flameGraph(engine, byRoot) },
  { name: 'flame graph, 5e-4 of the parent', run: () => flameGraph(engine, byParent) },
  { name: 'flame graph of one series', run: () => flameGraph(engineOfFew, byRoot) },
  { name: 'values over time', run: range },
];

const millis: number[][] = candidates.map(() => []);
for (let turn = -3; turn < 15; turn += 1) {
  for (const [i, { run }] of candidates.entries()) {
    const start = performance.now();
    await run();
    if (turn >= 0) millis[i].push(performance.now() - start);
  }
}
candidates.forEach(({ name }, i) => console.log(`${name}: ${median(millis[i]).toFixed(1)} ms`));
for (const trim of [byRoot, byParent]) {
  const { report, bytes } = await flameGraph(engine, trim);
  if (report.kind === 'flame-graph') console.log(`${report.graph.rowCount} rows, ${bytes} bytes`);
}
const ratioOf = (name: string, to: string): number => {
  const [over, under] = [name, to].map((one) => candidates.findIndex((c) => c.name === one));
  return median(millis[over].map((value, turn) => value / millis[under][turn]));
};
const atMost = (name: string, to: string, goal: number): void =>
  reportRatio(`${name} to ${to}`, ratioOf(name, to), goal, false);
atMost('merge', 'plain loop', 2.2);
atMost('flame graph, 1e-4 of the root', 'merge', 4);
atMost('flame graph, 5e-4 of the parent', 'merge', 12);
atMost('flame graph of one series', 'flame graph, 1e-4 of the root', 0.3);
atMost('values over time', 'merge', 0.2);
await mergePool.close();
