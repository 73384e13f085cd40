// Cost of sample times on a busy host with the agent: bytes on disk, CPU time of creating and
// pushing them, and the time of a heatmap relative to a graph of the same range.
//
// `node bench/storage/sample-times.bench.ts [folder]`: the folder contains profiles that the agent
// wrote with --local-store-directory. If a folder is given, measures only the bytes of its samples.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { publishFile } from '../../src/base/durable-files.ts';
import { MemoryFiles } from '../../src/base/fake/memory-files.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { type Random, randomBelow, seededRandom } from '../../src/base/random.ts';
import { encodeRecord, type RecordProfile } from '../../src/formats/parca-arrow/encode-record.ts';
import { createIngester } from '../../src/ingest/ingester.ts';
import type { Ingester } from '../../src/ingest/interface.ts';
import { dayNanos } from '../../src/storage/block/block-facts.ts';
import { freeContext } from '../../src/storage/free-context.ts';
import { compactBlocks } from '../../src/storage/maintenance/compact.ts';
import { openStore } from '../../src/storage/store/open-store.ts';
import type { Store } from '../../src/storage/store/store.ts';
import { median, reportRatio } from '../measure.ts';

/** Start time. It is a multiple of a day, so that all profiles are in one block. */
const startNanos = 1_790_035_200_000_000_000n;
const batchNanos = 5_000_000_000n;
const [batchCount, coreCount, programCount, stackCount, threadCount] = [360, 8, 60, 300, 4];
/** Samples in a batch from all cores; three fifths of the samples are of programs. */
const samplesPerBatch = Math.floor(coreCount * 19 * 5 * 0.6);
const storagePath = '/store';
const turns = 15;

/** A store, and measurements. */
interface Filled {
  readonly name: string;
  readonly files: MemoryFiles;
  readonly store: Store;
  readonly ingester: Ingester;
  /** CPU time of each batch in milliseconds. */
  readonly millis: number[];
}

async function open(name: string): Promise<Filled> {
  const random = seededRandom(1);
  const files = new MemoryFiles(random);
  const given = { files, random, clock: createClock(), logger: silentLogger, metrics: noMetrics };
  const store = await openStore({ ...given, path: storagePath });
  return { name, files, store, ingester: createIngester({ ...given, storage: store }), millis: [] };
}

/** Returns the size of a store's blocks in bytes: when they are new, and as one block of a day. */
async function closeAndMeasure({ files, store }: Filled): Promise<{ cut: number; day: number }> {
  await store.close();
  const blocks = `${storagePath}/blocks`;
  const sources = (await files.list(blocks)).map((name) => name.replace('.block', ''));
  const sum = (ids: readonly string[]): number =>
    ids.reduce((bytes, id) => bytes + (files.peek(`${blocks}/${id}.block`)?.length ?? 0), 0);
  const cut = sum(sources);
  const plan = {
    id: 'day',
    level: 2 as const,
    createdNanos: 0n,
    windowNanos: dayNanos,
    inputs: sources,
  };
  const seeds = [1, 2, 3] as const;
  const rest = { sources, hashesFromNanos: startNanos + dayNanos, storagePath, seeds };
  await compactBlocks(files, { ...plan, ...rest }, new AbortController().signal);
  await publishFile(files, `${blocks}/day.block`);
  return { cut, day: sum(['day']) };
}

function reportBytes(
  what: string,
  samples: number,
  [without, withTimes]: readonly { readonly cut: number; readonly day: number }[],
): void {
  for (const age of ['cut', 'day'] as const) {
    const [before, after] = [without[age] / samples, withTimes[age] / samples];
    console.log(`${what}, ${age}: ${before.toFixed(2)} and ${after.toFixed(2)} bytes a sample`);
    reportRatio(`${what}, ${age}: bytes that a time adds`, after - before, 3, false);
  }
}

/** Returns a number below `count`; small numbers are more likely. */
function skewed(random: Random, count: number): number {
  return Math.floor(count * (randomBelow(random, 1_000_000) / 1_000_000) ** 3);
}

/** Creates the profiles of a batch. */
function makeBatch(random: Random, batch: number, withTimes: boolean): RecordProfile[] {
  const timeNanos = startNanos + BigInt(batch) * batchNanos;
  const rows = new Map<string, { readonly ids: readonly number[]; readonly times: bigint[] }>();
  for (let i = 0; i < samplesPerBatch; i += 1) {
    const program = skewed(random, programCount);
    const ids = [program, skewed(random, stackCount), skewed(random, threadCount)];
    ids.push(randomBelow(random, coreCount));
    const row = rows.get(ids.join(' ')) ?? { ids, times: [] };
    rows.set(ids.join(' '), row);
    row.times.push(timeNanos + BigInt(10 * randomBelow(random, 500)) * 1_000_000n);
  }
  const byProgram = Map.groupBy(rows.values(), ({ ids }) => ids[0]);
  return Array.from(byProgram, ([program, own]) => ({
    name: 'parca_agent',
    sampleType: { type: 'samples', unit: 'count' },
    periodType: { type: 'cpu', unit: 'nanoseconds' },
    period: 52_684_211n,
    timeNanos,
    durationNanos: batchNanos,
    samples: own.map(({ ids: [, stack, thread, cpu], times }) => ({
      labels: Object.entries({
        comm: `program-${program}`,
        node: 'host',
        cpu: String(cpu),
        thread_id: String(1_000 + program * threadCount + thread),
      }).map(([name, value]) => ({ name, value })),
      frames: Array.from({ length: 30 }, (_, depth) => ({
        mappingFile: `/usr/bin/program-${program}`,
        buildId: `${program}`,
        address: BigInt(0x1000 + (depth < 20 ? depth : stack * 30 + depth)),
        lines: [],
      })),
      value: BigInt(times.length),
      timesNanos: withTimes ? times.toSorted((a, b) => Number(a - b)) : undefined,
    })),
  }));
}

const cpuMillis = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000;

async function measureHost(): Promise<void> {
  const stores = [await open('without times'), await open('with times')];
  const encoding: number[][] = [[], []];
  const sentBytes = [0, 0];
  for (let batch = 0; batch < batchCount; batch += 1) {
    for (const i of batch % 2 === 0 ? [0, 1] : [1, 0]) {
      const profiles = makeBatch(seededRandom(batch), batch, i === 1);
      const before = process.cpuUsage();
      const stream = encodeRecord(profiles, undefined);
      encoding[i].push(cpuMillis(process.cpuUsage(before)));
      sentBytes[i] += stream.length;
      const start = process.cpuUsage();
      await stores[i].ingester.writeRecord([stream]);
      stores[i].millis.push(cpuMillis(process.cpuUsage(start)));
    }
  }
  const [without, withTimes] = stores;
  const ratio = (a: readonly number[], b: readonly number[]): number => median(b) / median(a);
  console.log(`bytes sent: ${sentBytes.map((bytes) => bytes / batchCount).join(' and ')} a batch`);
  console.log(`CPU of a push: ${stores.map(({ millis }) => median(millis)).join(' and ')} ms`);
  reportRatio('CPU of a push with times', ratio(without.millis, withTimes.millis), 1.15, false);
  console.log(`CPU of its encoding: ${encoding.map(median).join(' and ')} ms`);
  reportRatio('CPU of encoding with times', ratio(encoding[0], encoding[1]), 1.15, false);
  await measureAnswers(withTimes.store);
  const samples = samplesPerBatch * batchCount;
  reportBytes('made-up host', samples, [
    await closeAndMeasure(without),
    await closeAndMeasure(withTimes),
  ]);
}

/** Compares the time of a heatmap of all samples with that of a line graph of their profiles. */
async function measureAnswers(store: Store): Promise<void> {
  const range = { from: startNanos, to: startNanos + BigInt(batchCount) * batchNanos };
  const common = { groupBy: [], timesPeriod: false };
  const [heatmap, graph]: number[][] = [[], []];
  for (let turn = -3; turn < turns; turn += 1) {
    using selection = await store.querier.select({ matchers: [], profileType: undefined, range });
    let start = performance.now();
    await selection.samplesOverTime({ ...common, range, stepNanos: 1_000_000_000n }, freeContext);
    if (turn >= 0) heatmap.push(performance.now() - start);
    start = performance.now();
    const steps = { steps: undefined, offsetNanos: 0n, isFirstOnly: false, keeps: undefined };
    const question = { ...common, ...steps, stepNanos: batchNanos, tellsShares: false };
    await selection.overTime(question, freeContext);
    if (turn >= 0) graph.push(performance.now() - start);
  }
  const samples = samplesPerBatch * batchCount;
  const nanos = (1e6 * median(heatmap)) / samples;
  console.log(`heatmap of ${samples} samples: ${median(heatmap).toFixed(1)} ms`);
  console.log(`graph of the same profiles: ${median(graph).toFixed(1)} ms`);
  reportRatio('nanoseconds of a heatmap for a sample', nanos, 600, false);
}

/** Stores the profiles in an agent's folder with and without times. */
async function measureFolder(folder: string): Promise<void> {
  const stores = [await open('without times'), await open('with times')];
  let samples = 0n;
  const withoutTimes = stores[0];
  const strip = stripping(withoutTimes.store, (count) => (samples += count));
  const given = { logger: silentLogger, metrics: noMetrics, clock: createClock() };
  const ingesters = [createIngester({ ...given, storage: strip }), stores[1].ingester];
  for (const comm of await readdir(folder)) {
    for (const file of (await readdir(join(folder, comm))).sort()) {
      const profile = await readFile(join(folder, comm, file));
      const labels = [
        { name: '__name__', value: 'parca_agent' },
        { name: 'comm', value: comm },
        { name: 'part', value: file.replace(/^.*-/, '') },
      ];
      for (const ingester of ingesters) await ingester.write([{ labels, profile }]);
    }
  }
  reportBytes(`profiles of ${folder}`, Number(samples), [
    await closeAndMeasure(stores[0]),
    await closeAndMeasure(stores[1]),
  ]);
}

/** Returns a store that drops sample times, and counts samples. */
function stripping(store: Store, count: (samples: bigint) => void): Pick<Store, 'appender'> {
  return {
    appender: () => {
      const appender = store.appender();
      return {
        dictionary: appender.dictionary,
        commit: () => appender.commit(),
        append: (profile) => {
          for (const value of profile.values[0].subarray(0, profile.rowCount)) count(value);
          appender.append({ ...profile, sampleTimes: undefined });
        },
      };
    },
  };
}

const folder = process.argv[2];
await (folder === undefined ? measureHost() : measureFolder(folder));
