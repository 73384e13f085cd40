// Benchmarks of questions that come again, over 10 million rows, against answering anew, reports
// made in their thread as in the server: an equal one gets the bytes that were kept; the same
// stacks in another trim, or below a frame that was zoomed to, need no merge and no tree, but an
// encoding.
import { createReportMaker } from '../../cmd/report-maker.ts';
import { assert } from '../../src/base/assert.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { createQueryEngine } from '../../src/query/engine.ts';
import type { QueryEngine, ReportQuestion } from '../../src/query/interface.ts';
import type { StringIndex } from '../../src/model/rows.ts';
import { createMergePool } from '../../src/query/merge/merge-pool.ts';
import { ReportThread } from '../../src/query/report/report-thread.ts';
import { SharedAnswers } from '../../src/query/kept/shared-answers.ts';
import { generateRows } from '../fleet/rows.ts';
import {
  createFleetDictionary,
  layOutSelection,
  querierOf,
  selectionQuery,
} from '../fleet/selection.ts';
import { median, reportRatio } from '../measure.ts';

const mebi = 1024 * 1024;
const selection = layOutSelection(generateRows({ rows: 10_000_000 }), createFleetDictionary());
const querier = { ...querierOf(selection), state: () => 'unchanged' };
const mergePool = createMergePool();
const clock = createClock();
const parts = { querier, mergePool, metrics: noMetrics, clock };
const script = new URL('../../cmd/parca/report-worker.ts', import.meta.url);
const threads = [0, 32 * mebi].map(
  (keptBytesMax) => new ReportThread(clock, script, createReportMaker(), { keptBytesMax }),
);
const without = createQueryEngine({ ...parts, reportThread: threads[0] });
const caches = { reportThread: threads[1], mergeCacheBytesMax: 16 * mebi };
const keeping = createQueryEngine({ ...parts, ...caches });
const answers = new SharedAnswers(querier, 16 * mebi, noMetrics);
const { signal } = new AbortController();

const range = { from: 0n, to: 2n ** 62n };
const select = { mode: 'merge', query: selectionQuery, range } as const;

type Asked = Partial<Omit<ReportQuestion, 'select'>>;

async function ask(engine: QueryEngine, asked: Asked): Promise<Uint8Array> {
  const trims = { nodeTrimFraction: 0, rootTrimFraction: trim, groupBy: [] };
  const question = { select, report: 'flame-graph', ...trims, ...asked } as const;
  if (engine === without)
    return (await without.encodedReport(question, 'message', { signal })).bytes;
  return answers.once(question, { signal }, async (caller) => {
    const { bytes } = await engine.encodedReport(question, 'message', caller);
    return { bytes, isWhole: true };
  });
}

/** What is as good as `trim`, but another question each time. */
function anotherTrim(): Asked {
  otherTrims += 1;
  return { rootTrimFraction: trim * (1 + otherTrims / 1000) };
}

/** The function at the root that has most. */
async function widestAtRoot(): Promise<string> {
  const trims = { nodeTrimFraction: 0, rootTrimFraction: trim, groupBy: [] };
  const report = await without.report({ select, report: 'flame-graph', ...trims }, { signal });
  assert(report.kind === 'flame-graph', 'a flame graph');
  const { childStart, cumulative, functionName, strings } = report.graph;
  let [widest] = childStart;
  for (let row = childStart[0]; row < childStart[1]; row += 1) {
    if (cumulative[row] > cumulative[widest]) widest = row;
  }
  return strings.text(functionName[widest] as StringIndex);
}

const trim = 1e-4;
const widest = await widestAtRoot();
let otherTrims = 0;
await ask(keeping, {});
const candidates = [
  { name: 'anew', run: () => ask(without, {}) },
  { name: 'equal', run: () => ask(keeping, {}) },
  { name: 'another trim', run: () => ask(keeping, anotherTrim()) },
  { name: 'zoomed', run: () => ask(keeping, { ...anotherTrim(), zoomPath: [widest] }) },
];
const millis: number[][] = candidates.map(() => []);
for (let turn = -3; turn < 20; turn += 1) {
  for (const [i, { run }] of candidates.entries()) {
    // What one leaves behind is collected in the time of the next.
    await run();
    const began = performance.now();
    await run();
    if (turn >= 0) millis[i].push(performance.now() - began);
  }
}
// The best of many: others who use the machine can only make a turn longer.
const least = millis.map((all) => Math.min(...all));
candidates.forEach(({ name }, i) => {
  console.log(`${name}: ${least[i].toFixed(3)} ms, median ${median(millis[i]).toFixed(3)}`);
});
reportRatio('anew to equal', least[0] / least[1], 10, true);
reportRatio('anew to another trim', least[0] / least[2], 10, true);
reportRatio('anew to zoomed', least[0] / least[3], 10, true);
for (const thread of threads) await thread.close();
await mergePool.close();
