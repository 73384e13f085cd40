// Benchmark of a graph over a day in a block, relative to a plain sum over the same number of
// totals.
import { MemoryFiles } from '../../src/base/fake/memory-files.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { randomBelow, seededRandom } from '../../src/base/random.ts';
import { parseProfileType } from '../../src/model/profile-type.ts';
import { createQueryEngine } from '../../src/query/engine/engine.ts';
import { createMergePool } from '../../src/storage/sum/merge-pool.ts';
import { SumQuerier } from '../../src/storage/sum/sum-querier.ts';
import type { Block } from '../../src/storage/block/block.ts';
import { createBlockWriter } from '../../src/storage/block/block-writer.ts';
import { publishFile } from '../../src/base/durable-files.ts';
import { openBlockAt, makeOrigin } from '../../src/storage/block/testing/block-files.ts';
import type { ChunkInput } from '../../src/storage/chunk/chunk-data.ts';
import { RollupBuilder } from '../../src/storage/maintenance/rollup-builder.ts';
import { PartList } from '../../src/storage/store/part-list.ts';
import { PartsQuerier } from '../../src/storage/store/parts-querier.ts';
import { createFleetDictionary, selectionQuery } from '../fleet/selection.ts';
import { reportRatio } from '../measure.ts';

const seriesCount = 100;
const profilesPerDay = 8_640;
const rowsPerProfile = 20;
const stacksPerSeries = 500;
const period = 10_000_000n;
const second = 1_000_000_000n;
/** Midnight in UTC. */
const start = 1_760_054_400n * second;
const { sample, period: periodType, name, delta } = parseProfileType(selectionQuery);
const random = seededRandom(1);
const dictionary = createFleetDictionary();
const files = new MemoryFiles(random);
const path = '/blocks/day.block';

/** Creates a day of a series: a profile every ten seconds, with some milliseconds of jitter. */
function generateDay(series: number): ChunkInput {
  const rowCount = profilesPerDay * rowsPerProfile;
  const stacks = new Uint32Array(rowCount);
  const first = 1 + ((series * stacksPerSeries) % (dictionary.stacks.length - stacksPerSeries));
  const skip = 1 + randomBelow(random, 20);
  for (let row = 0; row < rowCount; row += 1) {
    const inProfile = row % rowsPerProfile;
    const profile = (row - inProfile) / rowsPerProfile;
    // Half of the rows have the same stacks in all profiles.
    const moves = inProfile % 2 === 0 ? 0 : profile * skip;
    stacks[row] = first + ((inProfile * 25 + moves) % stacksPerSeries);
  }
  const jitter = (): bigint => BigInt(randomBelow(random, 2_000_000));
  const count = { length: profilesPerDay };
  return {
    profileCount: profilesPerDay,
    timeNanos: BigInt64Array.from(count, (_, i) => start + BigInt(i) * 10n * second + jitter()),
    durationNanos: BigInt64Array.from(count, () => 10n * second + jitter()),
    period: new BigInt64Array(profilesPerDay).fill(period),
    contentHash: undefined,
    rowStart: Uint32Array.from({ length: profilesPerDay + 1 }, (_, i) => i * rowsPerProfile),
    stacks,
    sampleLabels: undefined,
    values: [BigInt64Array.from(stacks, () => BigInt(1 + randomBelow(random, 30)) * period)],
  };
}

async function writeDay(): Promise<Block> {
  const facts = { ...makeOrigin('day'), level: 2 } as const;
  const writer = await createBlockWriter({ files, path, dictionary, isCold: true, facts });
  for (let series = 0; series < seriesCount; series += 1) {
    const labels = [{ name: 'instance', value: `i${series}` }];
    writer.beginStream({ labels, name, sampleTypes: [sample], periodType, delta });
    const day = generateDay(series);
    await writer.addChunk(day, 0);
    const rollups = new RollupBuilder(1);
    for (let i = 0; i < day.profileCount; i += 1) {
      const rows = { first: day.rowStart[i], end: day.rowStart[i + 1] };
      const { stacks, sampleLabels, values } = day;
      rollups.add(day.timeNanos[i], period, { stacks, sampleLabels, values, ...rows });
    }
    for (const { chunk, windowSeconds } of rollups.finish()) {
      await writer.addChunk(chunk, windowSeconds);
    }
  }
  await writer.finish();
  await publishFile(files, path);
  return openBlockAt(files, path, 1 << 28);
}

await files.makeDirectory('/blocks');
const parts = new PartList<Block>();
parts.replaceBlocks([], [await writeDay()]);
const mergePool = createMergePool();
const stored = new PartsQuerier({ parts, onMissing: () => undefined });
const querier = new SumQuerier(stored, mergePool);
const engine = createQueryEngine({ querier, metrics: noMetrics, clock: createClock() });
const { signal } = new AbortController();

async function overTime(from: bigint, seconds: bigint): Promise<void> {
  const range = { from, to: from + seconds * second - 1n };
  const question = { query: selectionQuery, range, stepNanos: 600n * second, sumBy: [], limit: 0 };
  await engine.queryRange(question, { signal });
}

const totals = new BigInt64Array(seriesCount * profilesPerDay).fill(5n);
const sum = new BigInt64Array(1);
function plainSum(): void {
  for (let i = 0; i < totals.length; i += 1) sum[0] += totals[i];
}

interface Query {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/**
 * Runs queries in turns and prints the shortest time of each query in milliseconds. Queries take
 * only a millisecond, so other work would disturb an average.
 */
async function measureBest(queries: readonly Query[], turns: number): Promise<number[]> {
  const best = queries.map(() => Infinity);
  // V8 compiles the code in the first turns.
  for (let turn = -turns / 4; turn < turns; turn += 1) {
    for (const [i, { run }] of queries.entries()) {
      const begin = performance.now();
      await run();
      if (turn >= 0) best[i] = Math.min(best[i], performance.now() - begin);
    }
  }
  const profiles = seriesCount * profilesPerDay;
  queries.forEach(({ name: what }, i) => {
    const nanos = (best[i] * 1e6) / profiles;
    console.log(`${what}: ${best[i].toFixed(2)} ms, ${nanos.toFixed(2)} ns a profile of the day`);
  });
  return best;
}

const [plain, dayOfValues, mostOfValues] = await measureBest(
  [
    { name: 'plain sum over totals', run: async () => plainSum() },
    { name: 'values over time of a day', run: () => overTime(start, 86_400n) },
    {
      name: 'values over time of most of a day',
      run: () => overTime(start + 700n * second, 80_000n),
    },
  ],
  400,
);
reportRatio('values over time of a day to a plain sum', dayOfValues / plain, 1.5, false);
reportRatio('values over time of most of a day to a day', mostOfValues / dayOfValues, 1.5, false);
await mergePool.close();
