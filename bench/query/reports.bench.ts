// Benchmarks of reports over 1, 10 and 50 million rows, in one run: a compressed flame graph with
// the default trim, against reading the bytes of all rows once and against the merge alone; a diff,
// groups of a label, filters by function, each against that flame graph; values over time, against
// the merge.
import { encodeReport } from '../../src/api/query/encode-report.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { createQueryEngine } from '../../src/query/engine.ts';
import type { ReportQuestion } from '../../src/query/interface.ts';
import { createMergePool } from '../../src/query/merge/merge-pool.ts';
import { plainView } from '../../src/report/stacks/stack-view.ts';
import { generateRows } from '../fleet/rows.ts';
import type { FleetRows } from '../fleet/rows.ts';
import {
  createFleetDictionary,
  layOutSelection,
  querierOf,
  selectionQuery,
} from '../fleet/selection.ts';
import { median, reportRatio } from '../measure.ts';

const mega = 1_000_000;
const jobs = 10;
const caller = { signal: new AbortController().signal };
const range = { from: 0n, to: 2n ** 62n };
const whole = { mode: 'merge', query: selectionQuery, range } as const;
const twice = { mode: 'diff', base: whole, compared: whole, baseScale: 'none' } as const;
/** Half a pixel of a wide screen. */
const trim = { nodeTrimFraction: 0, rootTrimFraction: 1e-4 };

/** The binaries of what was merged are all that is made of it. */
const mergeOnly: ReportQuestion = { select: whole, report: 'metadata', groupBy: [], ...trim };

const dictionary = createFleetDictionary();
const mergePool = createMergePool();
for (const millions of [1, 10, 50]) await measure(generateRows({ rows: millions * mega }));
await mergePool.close();

async function measure(rows: FleetRows): Promise<void> {
  console.log(`${rows.rowCount / mega} million rows`);
  const selection = layOutSelection(rows, dictionary);
  const series = selection.series.map((one, i) => ({
    ...one,
    labels: [...one.labels, { name: 'job', value: `j${i % jobs}` }],
  }));
  const querier = querierOf({ ...selection, series });
  const parts = { querier, mergePool, metrics: noMetrics, clock: createClock() };
  const engine = createQueryEngine(parts);
  const ask = async (asked: Partial<ReportQuestion>): Promise<unknown> => {
    const question = { select: whole, report: 'flame-graph', groupBy: [], ...trim } as const;
    return encodeReport(await engine.report({ ...question, ...asked }, caller));
  };
  const functionName = { operator: 'contains', isNegated: false, texts: ['7'] } as const;
  const candidates: Readonly<Record<string, () => Promise<unknown>>> = {
    'bytes read once': async () => readOnce(rows),
    'merge alone': () => engine.report(mergeOnly, caller),
    'flame graph': () => ask({}),
    diff: () => ask({ select: twice }),
    'groups of a label': () => ask({ groupBy: ['labels.job'] }),
    'stack filter': () => ask({ view: { ...plainView, stackFilters: [{ functionName }] } }),
    'frame filter': () => ask({ view: { ...plainView, frameFilters: [{ functionName }] } }),
    'values over time': () =>
      engine.queryRange(
        { query: selectionQuery, range, stepNanos: 60_000_000_000n, sumBy: ['job'], limit: 0 },
        caller,
      ),
  };
  const millis = new Map(Object.keys(candidates).map((name) => [name, [] as number[]]));
  // Of short answers single collections are a large part.
  const turns = rows.rowCount > mega ? 7 : 21;
  for (let turn = -2; turn < turns; turn += 1) {
    for (const [name, run] of Object.entries(candidates)) {
      // What one leaves behind is collected in the time of the next: behind a diff, groups of 1
      // million rows took 8 ms more.
      await run();
      const start = performance.now();
      await run();
      if (turn >= 0) millis.get(name)?.push(performance.now() - start);
    }
  }
  for (const [name, all] of millis) console.log(`${name}: ${median(all).toFixed(1)} ms`);
  const ratioOf = (name: string, to: string): number => {
    const under = millis.get(to) ?? [];
    return median((millis.get(name) ?? []).map((value, turn) => value / under[turn]));
  };
  const ratio = (name: string, to: string, goal: number): void =>
    reportRatio(`${name} to ${to}`, ratioOf(name, to), goal, false);
  for (const to of ['bytes read once', 'merge alone']) {
    console.log(`flame graph to ${to}: ratio ${ratioOf('flame graph', to).toFixed(2)}`);
  }
  // Both sides are merged, and there are two to a flame graph.
  ratio('diff', 'flame graph', 2.2);
  ratio('groups of a label', 'flame graph', 1.5);
  ratio('stack filter', 'flame graph', 1.5);
  ratio('frame filter', 'flame graph', 1.5);
  ratio('values over time', 'merge alone', 0.3);
}

/** Sums the words of all rows: what reading them costs at least. */
function readOnce({ stacks, values }: FleetRows): number {
  const words = new Int32Array(values.buffer);
  let sum = 0;
  for (let i = 0; i < stacks.length; i += 1) sum ^= stacks[i] ^ words[i * 2] ^ words[i * 2 + 1];
  return sum;
}
