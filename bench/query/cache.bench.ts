// Benchmarks of questions that come again, over 10 million rows, against answering anew: an equal
// one gets the bytes that were kept; the same stacks in another trim, or below a frame that was
// zoomed to, need no merge, but a tree and an encoding.
import { encodeReport } from '../../src/api/encode-report.ts';
import { assert } from '../../src/base/assert.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { createQueryEngine } from '../../src/query/engine.ts';
import type { EncodedAnswer, QueryEngine } from '../../src/query/interface.ts';
import type { StringIndex } from '../../src/model/rows.ts';
import { createMergePool } from '../../src/query/merge-pool.ts';
import { SharedAnswers } from '../../src/query/shared-answers.ts';
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
const parts = { querier, mergePool, metrics: noMetrics, clock: createClock() };
const without = createQueryEngine(parts);
const keeping = createQueryEngine({ ...parts, mergeCacheBytesMax: 64 * mebi });
const answers = new SharedAnswers(querier, 64 * mebi, noMetrics);
const { signal } = new AbortController();

const range = { from: 0n, to: 2n ** 62n };
const select = { mode: 'merge', query: selectionQuery, range } as const;

async function flameGraph(
  engine: QueryEngine,
  rootTrimFraction: number,
  zoomPath: readonly string[] = [],
): Promise<Uint8Array> {
  const trims = { nodeTrimFraction: 0, rootTrimFraction, groupBy: [], zoomPath };
  const question = { select, report: 'flame-graph', ...trims } as const;
  const make = async (): Promise<EncodedAnswer> => ({
    bytes: await encodeReport(await engine.report(question, { signal })),
    isWhole: true,
  });
  if (engine === without) return (await make()).bytes;
  return answers.once(question, { signal }, make);
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
await flameGraph(keeping, trim);
let turn = 0;
const candidates = [
  { name: 'anew', run: () => flameGraph(without, trim) },
  { name: 'equal', run: () => flameGraph(keeping, trim) },
  {
    name: 'another trim',
    run: () => flameGraph(keeping, trim * (1 + turn / 1000)),
  },
  { name: 'zoomed', run: () => flameGraph(keeping, trim * (1 + turn / 1000), [widest]) },
];
const millis: number[][] = candidates.map(() => []);
for (turn = -3; turn < 9; turn += 1) {
  for (const [i, { run }] of candidates.entries()) {
    const began = performance.now();
    await run();
    if (turn >= 0) millis[i].push(performance.now() - began);
  }
}
const medians = millis.map((all) => median(all));
candidates.forEach(({ name }, i) => console.log(`${name}: ${medians[i].toFixed(3)} ms`));
reportRatio('anew to equal', medians[0] / medians[1], 10, true);
reportRatio('anew to another trim', medians[0] / medians[2], 10, true);
reportRatio('anew to zoomed', medians[0] / medians[3], 10, true);
await mergePool.close();
