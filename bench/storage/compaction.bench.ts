// Benchmarks of compaction: bytes per row before and after, size and use of rollups, and time.
// Bytes are measured on a day of data from eight series, and query times on a day of data from a
// thousand series with few rows.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { silentLogger } from '../../src/base/logger.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { createFiles } from '../../src/base/node/files.ts';
import { seededRandom, type Random } from '../../src/base/random.ts';
import { createQueryEngine } from '../../src/query/engine/engine.ts';
import { createMergePool } from '../../src/storage/sum/merge-pool.ts';
import { SumQuerier } from '../../src/storage/sum/sum-querier.ts';
import { BlockCache } from '../../src/storage/block/block-cache.ts';
import { createBlockWriter } from '../../src/storage/block/block-writer.ts';
import { publishFile } from '../../src/base/durable-files.ts';
import { openBlock, type Block } from '../../src/storage/block/block.ts';
import type { ChunkInput } from '../../src/storage/chunk/chunk-data.ts';
import { encodeChunk } from '../../src/storage/chunk/encode-chunk.ts';
import { compactBlocks } from '../../src/storage/maintenance/compact.ts';
import { PartList } from '../../src/storage/store/part-list.ts';
import { PartsQuerier } from '../../src/storage/store/parts-querier.ts';
import type { StreamKey } from '../../src/storage/series/stream-key.ts';
import { drawSamples } from '../fleet/fleet.ts';
import { createFleetDictionary, selectionQuery } from '../fleet/selection.ts';
import { zipfSampler } from '../fleet/zipf.ts';
import { median, reportRatio } from '../measure.ts';

const hourNanos = 3_600_000_000_000n;
const windowNanos = 2n * hourNanos;
const midnight = 20_000n * 24n * hourNanos;
const stacksPerProgram = 2_500;
const files = createFiles();
const path = await mkdtemp(join(tmpdir(), 'parca-bench-'));
await files.makeDirectory(`${path}/blocks`);
const dictionary = createFleetDictionary();

/** Data of a day. */
interface Fleet {
  readonly name: string;
  readonly seriesCount: number;
  readonly intervalSeconds: number;
  /** Series of the same program share stacks. */
  readonly programCount: number;
  /** Draws stack (from 0) and count of each row in a profile. */
  draw(random: Random): Iterable<readonly [number, number]>;
}

function seriesKey(series: number): StreamKey {
  const cpu = { type: 'cpu', unit: 'nanoseconds' };
  return {
    labels: [{ name: 'instance', value: `i${String(series).padStart(4, '0')}` }],
    name: 'process_cpu',
    sampleTypes: [{ type: 'samples', unit: 'count' }, cpu],
    periodType: cpu,
    delta: true,
  };
}

/** Creates a chunk with two hours of a series. */
function buildChunk(fleet: Fleet, series: number, fromNanos: bigint, random: Random): ChunkInput {
  const profileCount = 7_200 / fleet.intervalSeconds;
  const first = 1 + (series % fleet.programCount) * stacksPerProgram;
  const rowStart = new Uint32Array(profileCount + 1);
  const stacks: number[] = [];
  const samples: bigint[] = [];
  for (let i = 0; i < profileCount; i += 1) {
    for (const [stack, count] of fleet.draw(random)) {
      stacks.push(first + stack);
      samples.push(BigInt(count));
    }
    rowStart[i + 1] = stacks.length;
  }
  const step = BigInt(fleet.intervalSeconds) * 1_000_000_000n;
  const jitter = (): bigint => BigInt(random.uint32() % 2_000_000);
  return {
    profileCount,
    timeNanos: BigInt64Array.from(
      rowStart.subarray(1),
      (_, i) => fromNanos + BigInt(i) * step + jitter(),
    ),
    durationNanos: new BigInt64Array(profileCount).fill(step),
    period: new BigInt64Array(profileCount).fill(10_000_000n),
    contentHash: Uint32Array.from({ length: profileCount }, () => random.uint32()),
    rowStart,
    stacks: Uint32Array.from(stacks),
    sampleLabels: undefined,
    values: [
      BigInt64Array.from(samples),
      BigInt64Array.from(samples, (count) => count * 10_000_000n),
    ],
  };
}

async function writeWindow(fleet: Fleet, window: number, random: Random): Promise<string> {
  const id = `${fleet.name}-${String(window).padStart(2, '0')}`;
  const fromNanos = midnight + BigInt(window) * windowNanos;
  const writer = await createBlockWriter({
    files,
    path: `${path}/blocks/${id}.block`,
    dictionary,
    isCold: false,
    facts: {
      id,
      level: 0,
      sources: [],
      epoch: 1,
      cutCount: 1,
      createdNanos: fromNanos,
      windowNanos,
    },
  });
  for (let series = 0; series < fleet.seriesCount; series += 1) {
    writer.beginStream(seriesKey(series));
    await writer.addChunk(buildChunk(fleet, series, fromNanos, random), 0);
  }
  await writer.finish();
  await publishFile(files, `${path}/blocks/${id}.block`);
  return id;
}

async function open(id: string, cache: BlockCache): Promise<Block> {
  const file = await files.open(`${path}/blocks/${id}.block`, { create: false });
  return openBlock({ file, cache, logger: silentLogger, metrics: noMetrics });
}

/** Writes a day of the fleet, compacts it, prints bytes and time; returns the compacted block. */
async function compactDay(fleet: Fleet): Promise<Block> {
  const random = seededRandom(1);
  const inputs: string[] = [];
  for (let window = 0; window < 12; window += 1)
    inputs.push(await writeWindow(fleet, window, random));
  const cache = new BlockCache(256 * 1024 * 1024);
  const hot = await Promise.all(inputs.map((id) => open(id, cache)));
  const hotBytes = hot.reduce((sum, { fileBytes }) => sum + fileBytes, 0);
  for (const block of hot) await block.close();
  const id = `${fleet.name}-day`;
  const started = performance.now();
  await compactBlocks(
    files,
    {
      storagePath: path,
      seeds: [1, 2, 3],
      id,
      level: 2,
      createdNanos: 0n,
      windowNanos: 24n * hourNanos,
      inputs,
      sources: inputs,
      hashesFromNanos: midnight + 2n * hourNanos,
    },
    new AbortController().signal,
  );
  const millis = performance.now() - started;
  await publishFile(files, `${path}/blocks/${id}.block`);
  const cold = await open(id, cache);
  const { rowCount } = cold;
  console.log(
    `${fleet.name}: ${rowCount} rows, ${(hotBytes / rowCount).toFixed(2)} B a row before, ` +
      `${(cold.fileBytes / rowCount).toFixed(2)} after; ${((millis / rowCount) * 1e6).toFixed(0)} ns a row`,
  );
  return cold;
}

/** Returns the stored size of a block's rollups. */
async function rollupBytes(block: Block): Promise<number> {
  let bytes = 0;
  const noteMissing = (sentence: string): void => console.log(sentence);
  for await (const stream of block.streams(noteMissing)) {
    for await (const { chunk } of stream.rollups()) {
      const { profiles, stacks, rows } = encodeChunk(chunk);
      for (const section of [profiles, stacks, rows]) bytes += zstdCompressSync(section).length;
    }
  }
  return bytes;
}

/** Returns the median milliseconds of a flame graph for each range, measured in turns. */
async function askRanges(
  block: Block,
  ranges: readonly (readonly [number, number])[],
): Promise<number[]> {
  const parts = new PartList<Block>();
  parts.replaceBlocks([], [block]);
  const stored = new PartsQuerier({ parts, onMissing: (_part, error) => console.log(error) });
  const mergePool = createMergePool();
  const querier = new SumQuerier(stored, mergePool);
  const engine = createQueryEngine({
    querier,
    metrics: noMetrics,
    clock: createClock(),
  });
  const millis: number[][] = ranges.map(() => []);
  const hour = Number(hourNanos);
  for (let turn = -2; turn < 7; turn += 1) {
    for (const [i, [from, to]] of ranges.entries()) {
      const range = {
        from: midnight + BigInt(Math.round(from * hour)),
        to: midnight + BigInt(Math.round(to * hour)) - 1n,
      };
      const started = performance.now();
      await engine.report(
        {
          select: { mode: 'merge', query: selectionQuery, range },
          report: 'flame-graph',
          groupBy: [],
          nodeTrimFraction: 0,
          rootTrimFraction: 1e-4,
        },
        { signal: new AbortController().signal },
      );
      if (turn >= 0) millis[i].push(performance.now() - started);
    }
  }
  await mergePool.close();
  return millis.map(median);
}

try {
  const draw = zipfSampler(seededRandom(2), stacksPerProgram, 1.05);
  const full = await compactDay({
    name: 'full',
    seriesCount: 8,
    intervalSeconds: 10,
    programCount: 1,
    draw: (random) => drawSamples(random, draw),
  });
  const raw = full.fileBytes - (await rollupBytes(full));
  reportRatio('rollups: bytes with to without', full.fileBytes / raw, 1.1, false);
  reportRatio('cold bytes a row without rollups', raw / full.rowCount, 1, false);
  await full.close();
  const few = zipfSampler(seededRandom(3), 40, 1.05);
  const wide = await compactDay({
    name: 'wide',
    seriesCount: 1_000,
    intervalSeconds: 60,
    programCount: 20,
    *draw() {
      const counts = new Map<number, number>();
      while (counts.size < 10) {
        const stack = few();
        counts.set(stack, (counts.get(stack) ?? 0) + 1);
      }
      yield* counts;
    },
  });
  // The ranges begin and end inside rollup windows. Rows are read for the hour, but not for the
  // days.
  const names = ['1 h', '24 h', '23.5 h, ragged'];
  const millis = await askRanges(wide, [
    [9.25, 10.25],
    [0, 24],
    [0.25, 23.75],
  ]);
  names.forEach((name, i) => console.log(`${name} of 1,000 series: ${millis[i].toFixed(1)} ms`));
  reportRatio('24 h to 1 h', millis[1] / millis[0], 2, false);
  reportRatio('23.5 h, ragged, to 1 h', millis[2] / millis[0], 2, false);
  await wide.close();
} finally {
  await rm(path, { recursive: true });
}
