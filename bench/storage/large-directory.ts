// Makes a data directory shaped like 100 GB of profiles: thirty days, and the log of a killed
// server. The blocks are real, with sums over windows, and sparse: each has a hole before its
// footer.
import { cp, open, rm } from 'node:fs/promises';
import { silentLogger } from '../../src/base/logger.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { createFiles } from '../../src/base/node/files.ts';
import { randomBelow, seededRandom } from '../../src/base/random.ts';
import { createBlockId, blockName } from '../../src/storage/files/block-names.ts';
import { footerBytes } from '../../src/storage/block/block-facts.ts';
import { createBlockWriter } from '../../src/storage/block/block-writer.ts';
import type { ChunkInput } from '../../src/storage/chunk/chunk-input.ts';
import { openStore } from '../../src/storage/store/open-store.ts';
import { internStack } from '../../src/storage/fake/intern.ts';
import { RollupBuilder } from '../../src/storage/maintenance/rollup-builder.ts';
import { publishFile } from '../../src/storage/files/durable-files.ts';
import type { StreamKey } from '../../src/storage/series/stream-key.ts';
import { createFleetDictionary } from '../fleet/selection.ts';
import { labelsOfSeries, profileOf } from './series-profile.ts';

const seriesCount = 1_000;
const days = 30;
const second = 1_000_000_000n;
const hourNanos = 3_600n * second;
const dayNanos = 24n * hourNanos;
const intervalSeconds = 600;
const rowsPerProfile = 5;
const stacksPerSeries = 40;
const period = 10_000_000n;
/** Profiles of a killed server: about as much as a head takes before it is cut. */
const loggedProfiles = 40_000;
const rowsPerLogged = 100;
const footerGuessBytes = 1 << 16;

const files = createFiles();
const random = seededRandom(1);
const dictionary = createFleetDictionary();

/** Level and window of a block. */
interface Span {
  readonly level: 1 | 2;
  readonly fromNanos: bigint;
  readonly windowNanos: bigint;
}

/** Fills an empty folder; the sizes of its blocks add up to `totalBytes`. */
export async function makeLargeDirectory(path: string, totalBytes: number): Promise<void> {
  await files.makeDirectory(`${path}/blocks`);
  const today = (BigInt(Date.now()) * 1_000_000n) / dayNanos;
  const spans: Span[] = [];
  for (let day = 0n; day < days; day += 1n) {
    const fromNanos = (today - BigInt(days) + day) * dayNanos;
    spans.push({ level: 2, fromNanos, windowNanos: dayNanos });
  }
  const windowNanos = 2n * hourNanos;
  for (let window = 0n; window < 12n; window += 1n) {
    spans.push({ level: 1, fromNanos: today * dayNanos + window * windowNanos, windowNanos });
  }
  const nanos = spans.reduce((sum, span) => sum + span.windowNanos, 0n);
  for (const span of spans) {
    const block = await writeBlock(path, span);
    await inflate(block, Math.ceil((totalBytes * Number(span.windowNanos)) / Number(nanos)));
  }
  await leaveLog(path);
}

/** Writes a block with all series and returns its path. */
async function writeBlock(path: string, { level, fromNanos, windowNanos }: Span): Promise<string> {
  const createdNanos = fromNanos + windowNanos;
  const id = createBlockId(createdNanos, random);
  const block = `${path}/blocks/${blockName(id)}`;
  const origin = { id, level, sources: [], epoch: 0, cutCount: 0, createdNanos, windowNanos };
  const writer = await createBlockWriter({
    ...{ files, path: block, dictionary, isCold: level === 2, facts: origin },
  });
  for (let series = 0; series < seriesCount; series += 1) {
    writer.beginStream(keyOf(series));
    const chunk = chunkOf(series, fromNanos, windowNanos);
    await writer.addChunk(chunk, 0);
    if (level === 1) continue;
    const rollups = new RollupBuilder(1);
    for (let i = 0; i < chunk.profileCount; i += 1) {
      const rows = { first: chunk.rowStart[i], end: chunk.rowStart[i + 1] };
      rollups.add(chunk.timeNanos[i], period, { ...chunk, ...rows });
    }
    for (const rollup of rollups.finish())
      await writer.addChunk(rollup.chunk, rollup.windowSeconds);
  }
  await writer.finish();
  await publishFile(files, block);
  return block;
}

function keyOf(series: number): StreamKey {
  const { name, sampleTypes, periodType } = profileOf(0, [], 0, 1);
  return { labels: labelsOfSeries(series), name, sampleTypes, periodType, delta: true };
}

function chunkOf(series: number, fromNanos: bigint, windowNanos: bigint): ChunkInput {
  const step = BigInt(intervalSeconds) * second;
  const profileCount = Number(windowNanos / step);
  const first = 1 + ((series * stacksPerSeries) % (dictionary.stacks.length - stacksPerSeries));
  const stacks = Uint32Array.from(
    { length: profileCount * rowsPerProfile },
    () => first + randomBelow(random, stacksPerSeries),
  );
  return {
    profileCount,
    timeNanos: BigInt64Array.from({ length: profileCount }, (_, i) => fromNanos + BigInt(i) * step),
    durationNanos: new BigInt64Array(profileCount).fill(step),
    period: new BigInt64Array(profileCount).fill(period),
    contentHash: undefined,
    rowStart: Uint32Array.from({ length: profileCount + 1 }, (_, i) => i * rowsPerProfile),
    stacks,
    sampleLabels: undefined,
    values: [new BigInt64Array(stacks.length).fill(period)],
  };
}

/** Makes a block as large as given, by a hole between its content and its footer. */
async function inflate(block: string, bytes: number): Promise<void> {
  const file = await open(block, 'r+');
  const { size } = await file.stat();
  const tail = Buffer.alloc(Math.min(size, footerGuessBytes));
  await file.read(tail, 0, tail.length, size - tail.length);
  const footer = tail.subarray(tail.length - footerBytes(tail, size));
  await file.truncate(size - footer.length);
  await file.truncate(bytes);
  await file.write(footer, 0, footer.length, bytes - footer.length);
  await file.close();
}

/** Leaves the log of a store with profiles that are not in blocks. */
async function leaveLog(path: string): Promise<void> {
  const elsewhere = `${path}/elsewhere`;
  const clock = createClock();
  const storage = await openStore({
    ...{ path: elsewhere, files, clock, random, logger: silentLogger, metrics: noMetrics },
  });
  const now = BigInt(Date.now()) * 1_000_000n;
  for (let i = 0; i < loggedProfiles; i += seriesCount) {
    const appender = storage.appender();
    for (let row = 0; row < rowsPerLogged; row += 1) {
      internStack(appender.dictionary, [`leaf_${row}`, 'main']);
    }
    for (let series = 0; series < seriesCount; series += 1) {
      const profile = profileOf(i + series, labelsOfSeries(series), rowsPerLogged, 1);
      appender.append({ ...profile, timeNanos: now + BigInt(i) });
    }
    await appender.commit();
  }
  await cp(`${elsewhere}/wal`, `${path}/wal`, { recursive: true });
  await storage.close();
  await rm(elsewhere, { recursive: true });
}
