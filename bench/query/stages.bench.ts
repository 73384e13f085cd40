// Benchmarks of stages, over 10 million rows of 1,000 series: a graph over time that follows a
// filter, against a plain loop over the same rows, and a filtered flame graph against an unfiltered
// one.
import { noMetrics } from '../../src/base/metrics.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { createQueryEngine } from '../../src/query/engine.ts';
import { createMergePool } from '../../src/query/merge/merge-pool.ts';
import { generateRows } from '../fleet/rows.ts';
import {
  createFleetDictionary,
  layOutSelection,
  querierOf,
  selectionQuery,
} from '../fleet/selection.ts';
import { median, reportRatio } from '../measure.ts';

const rows = generateRows({ rows: 10_000_000 });
const querier = querierOf(layOutSelection(rows, createFleetDictionary()));
const mergePool = createMergePool();
const engine = createQueryEngine({ querier, mergePool, metrics: noMetrics, clock: createClock() });
const { signal } = new AbortController();
const range = { from: 0n, to: 2n ** 62n };
const filter = `${selectionQuery} | focus "1"`;

/** What is to be done at least: decide by stack, and sum what belongs profile by profile. */
function sumPlainly(): BigInt64Array {
  const { stacks, values, runStart, stackCount } = rows;
  const keeps = Uint8Array.from({ length: stackCount + 1 }, (_, stack) => stack % 2);
  const totals = new BigInt64Array(runStart.length - 1);
  for (let run = 0; run < totals.length; run += 1) {
    for (let row = runStart[run]; row < runStart[run + 1]; row += 1) {
      if (keeps[stacks[row]] === 1) totals[run] += values[row];
    }
  }
  return totals;
}

function graph(query: string): Promise<unknown> {
  const question = { query, range, stepNanos: 60_000_000_000n, sumBy: [], limit: 0 };
  return engine.queryRange(question, { signal });
}

function flameGraph(query: string): Promise<unknown> {
  const trims = { nodeTrimFraction: 0, rootTrimFraction: 1e-4, groupBy: [] };
  const select = { mode: 'merge', query, range } as const;
  return engine.report({ select, report: 'flame-graph', ...trims }, { signal });
}

const candidates: readonly { readonly name: string; readonly run: () => unknown }[] = [
  { name: 'plain loop', run: sumPlainly },
  { name: 'graph over time', run: () => graph(selectionQuery) },
  { name: 'graph over time, focus', run: () => graph(filter) },
  { name: 'flame graph', run: () => flameGraph(selectionQuery) },
  { name: 'flame graph, focus', run: () => flameGraph(filter) },
];
const millis: number[][] = candidates.map(() => []);
for (let turn = -3; turn < 9; turn += 1) {
  for (const [i, { run }] of candidates.entries()) {
    const began = performance.now();
    await run();
    if (turn >= 0) millis[i].push(performance.now() - began);
  }
}
candidates.forEach(({ name }, i) => console.log(`${name}: ${median(millis[i]).toFixed(1)} ms`));
const ratioOf = (one: number, other: number): number =>
  median(millis[one].map((value, turn) => value / millis[other][turn]));
reportRatio('graph with focus to plain loop', ratioOf(2, 0), 2.5, false);
reportRatio('flame graph with focus to without', ratioOf(4, 3), 1.5, false);
await mergePool.close();
