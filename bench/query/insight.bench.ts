// Benchmarks of ranked changes and of functions over time, over 10 million rows, against reports
// that are made alike.
import { noMetrics } from '../../src/base/metrics.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { createQueryEngine } from '../../src/query/engine.ts';
import type { ReportQuestion } from '../../src/query/interface.ts';
import { createMergePool } from '../../src/query/merge/merge-pool.ts';
import type { Querier, TimeRange } from '../../src/storage/interface.ts';
import { digestOf } from '../../src/storage/piece-digest.ts';
import type { RunRows, SelectedSeries } from '../../src/storage/selection.ts';
import { generateRows } from '../fleet/rows.ts';
import { createFleetDictionary, layOutSelection, selectionQuery } from '../fleet/selection.ts';
import { median, reportRatio } from '../measure.ts';

const selection = layOutSelection(generateRows({ rows: 10_000_000 }), createFleetDictionary());
/** Each profile of a series is of its own moment. */
const profilesPerSeries = Math.ceil(selection.profileCount / selection.series.length);

/** The profiles first .. end of a series whose only piece has runs. */
function slice({ labels, profileType, pieces }: SelectedSeries, first: number, end: number) {
  const [piece] = pieces;
  const all = piece.profiles();
  const [runs] = piece.rows(true) as readonly RunRows[];
  if (all instanceof Promise) throw new Error('columns are in memory');
  const count = Math.max(0, Math.min(end, all.profileCount) - first);
  const cut = <T extends BigInt64Array | Uint32Array | Uint8Array>(column: T): T =>
    column.subarray(first, first + count) as T;
  const columns = {
    profileCount: count,
    timeNanos: BigInt64Array.from({ length: count }, (_, i) => BigInt(first + i)),
    durationNanos: cut(all.durationNanos),
    period: cut(all.period),
    total: cut(all.total),
    count: cut(all.count),
  };
  const rows: RunRows = {
    ...runs,
    profileCount: count,
    period: columns.period,
    runSegment: cut(runs.runSegment),
    runOffset: cut(runs.runOffset),
    runRows: cut(runs.runRows),
    runLabelled: cut(runs.runLabelled),
  };
  const rowCount = rows.runRows.reduce((sum, one) => sum + one, 0);
  const sliced = {
    ...piece,
    digest: () => digestOf(columns, rowCount),
    profiles: () => columns,
    rows: () => [rows],
  };
  return { labels, profileType, pieces: count === 0 ? [] : [sliced] };
}

const querier: Pick<Querier, 'select'> = {
  async select({ range }) {
    const [first, end] = [Number(range.from), Number(range.to) + 1];
    const series = selection.series.map((one) => slice(one, first, end));
    return { ...selection, series: series.filter(({ pieces }) => pieces.length > 0) };
  },
};
const mergePool = createMergePool();
const engine = createQueryEngine({
  ...{ querier: querier as Querier, mergePool, metrics: noMetrics, clock: createClock() },
});
const caller = { signal: new AbortController().signal };
const whole: TimeRange = { from: 0n, to: BigInt(profilesPerSeries - 1) };
const merge = { mode: 'merge', query: selectionQuery, range: whole } as const;
const diff = { mode: 'diff', base: merge, compared: merge, baseScale: 'total' } as const;

function report(select: ReportQuestion['select'], kind: 'flame-graph' | 'top' | 'changes') {
  const trims = { nodeTrimFraction: 0, rootTrimFraction: 1e-4, groupBy: [] };
  return engine.report({ select, report: kind, ...trims }, caller);
}

function functions(bucketCount: number) {
  const stepNanos = BigInt(Math.ceil(profilesPerSeries / bucketCount));
  const asked = { names: [], top: 5, measure: 'flat' } as const;
  return engine.queryFunctions(
    { query: selectionQuery, range: whole, stepNanos, ...asked },
    caller,
  );
}

const candidates = [
  { name: 'top of everything', run: () => report(merge, 'top') },
  { name: 'top of a diff', run: () => report(diff, 'top') },
  { name: 'changes', run: () => report(diff, 'changes') },
  { name: 'functions in 10 buckets', run: () => functions(10) },
];
const millis: number[][] = candidates.map(() => []);
for (let turn = -2; turn < 7; turn += 1) {
  for (const [i, { run }] of candidates.entries()) {
    const began = performance.now();
    await run();
    if (turn >= 0) millis[i].push(performance.now() - began);
  }
}
const medians = millis.map((all) => median(all));
candidates.forEach(({ name }, i) => console.log(`${name}: ${medians[i].toFixed(1)} ms`));
reportRatio('changes to top of a diff', medians[2] / medians[1], 1.5, false);
// One for the names, one of the whole range, and the buckets, which are the range once more.
reportRatio('functions to three tops', medians[3] / (3 * medians[0]), 1.5, false);
await mergePool.close();
