// Benchmark of merging 10 million rows with two workers relative to one. The speed-up is compared
// with the speed-up of a plain loop over arrays, which shows how much a second core can gain.
//
// Turns in which a thread waited for a core are not counted: on a machine with two cores, a few
// milliseconds of other work change the ratio, because workers have a lower priority.
import { StackMerger } from '../src/model/merge.ts';
import { ChunkSummer } from '../src/storage/sum/chunk-sums.ts';
import { QueryContext } from '../src/query/running/context.ts';
import { createMergePool, type MergePool } from '../src/storage/sum/merge-pool.ts';
import { RowGrouper } from '../src/storage/sum/row-grouper.ts';
import { generateRows } from './fleet/rows.ts';
import { createFleetDictionary, layOutSelection } from './fleet/selection.ts';
import { median, reportRatio } from './measure.ts';
import { waitedMillis } from './figures.ts';
import { ScatterThreads } from './scatter-threads.ts';

const turnsWanted = 15;
const millisMax = 60_000;
/** Largest share of a turn that threads may wait for a core; undisturbed workers wait 0.5 %. */
const waitedShareMax = 0.03;

const rows = generateRows({ rows: 10_000_000 });
const dictionary = createFleetDictionary();
const { series } = layOutSelection(rows, dictionary);
const merger = new StackMerger();
const { signal } = new AbortController();
const [onePool, twoPool] = [1, 2].map((workers) => createMergePool(undefined, workers));
const sharedRows = { ...rows, stacks: shared(rows.stacks), values: sharedValues(rows.values) };
const [oneThread, twoThreads] = [1, 2].map((threads) => new ScatterThreads(sharedRows, threads));

function shared(column: Uint32Array): Uint32Array {
  const copy = new Uint32Array(new SharedArrayBuffer(column.byteLength));
  copy.set(column);
  return copy;
}

function sharedValues(column: BigInt64Array): BigInt64Array {
  const copy = new BigInt64Array(new SharedArrayBuffer(column.byteLength));
  copy.set(column);
  return copy;
}

/** Merges like the query engine, from listing rows to the sum. */
async function merge(pool: MergePool): Promise<void> {
  const grouper = new RowGrouper([], false, new ChunkSummer(merger));
  for (const { labels, slices } of series) {
    for (const slice of slices) {
      grouper.add({ labels, slice, sources: await slice.rows(true), dictionary });
    }
  }
  const { groups, segments } = grouper.take();
  const stackCount = dictionary.stacks.length;
  const task = { lists: groups[0].lists, segments, stackCount };
  const { sums } = await pool.merge(task, new QueryContext({ signal }));
  merger.combine(
    sums.map(({ merged }) => ({ merged, factor: 1n })),
    stackCount,
  );
}

const candidates = [
  { name: 'merge in one worker', run: () => merge(onePool) },
  { name: 'merge in two workers', run: () => merge(twoPool) },
  { name: 'plain loop in one thread', run: () => oneThread.run() },
  { name: 'plain loop in two threads', run: () => twoThreads.run() },
];

const quiet: number[][] = candidates.map(() => []);
const isEnough = (): boolean => quiet.every((millis) => millis.length >= turnsWanted);
const ends = performance.now() + millisMax;
let turn = 0;
for (; performance.now() < ends && !isEnough(); turn += 1) {
  for (const [i, { run }] of candidates.entries()) {
    const waitedBefore = waitedMillis();
    const start = performance.now();
    await run();
    const millis = performance.now() - start;
    const isQuiet = waitedMillis() - waitedBefore <= millis * waitedShareMax;
    if (turn >= 3 && isQuiet) quiet[i].push(millis);
  }
}
candidates.forEach(({ name }, i) => {
  const { length } = quiet[i];
  const [least, middle] = [Math.min(...quiet[i]), length > 0 ? median(quiet[i]) : Number.NaN];
  const times = `${middle.toFixed(1)} ms, at best ${least.toFixed(1)}`;
  console.log(`${name}: ${times}, in ${length} quiet turns of ${turn}`);
});
if (isEnough()) {
  const [one, two, loopInOne, loopInTwo] = quiet.map(median);
  console.log(`plain loop in one thread to two: ratio ${(loopInOne / loopInTwo).toFixed(2)}`);
  reportRatio('merge in one worker to merge in two', one / two, 1.7, true);
  reportRatio('merge in two workers to plain loop in one thread', two / loopInOne, 2.2, false);
} else {
  console.log('too few quiet turns: something else takes the cores');
}
for (const each of [onePool, twoPool, oneThread, twoThreads]) await each.close();
