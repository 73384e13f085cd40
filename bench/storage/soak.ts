// Soak test: an hour of continuous ingest at half of the capacity, with queries, compaction and
// retention.
//
// `node bench/storage/soak.ts [minutes]`. The times of the profiles start a few days ago and end
// now, so that windows and days end during the test.
import { join } from 'node:path';
import type { Client } from '@grpc/grpc-js';
import { toTimestamp } from '../../src/api/transport/call/message.ts';
import { parca } from '../../proto/gen/query.js';
import { connect, unary, writeRawPath } from '../../test/support/grpc-client.ts';
import { scratchDirectory, startServer } from '../../test/support/server.ts';
import { reportRatio } from '../measure.ts';
import { directoryBytes, memoryKinds, memoryMegabytes, openFiles } from '../figures.ts';
import { createSoakSeries, soakRequest, soakRoundNanos } from './soak-load.ts';

const { QueryRequest, QueryResponse } = parca.query.v1alpha1;
const queryPath = '/parca.query.v1alpha1.QueryService/Query';
const cpuType = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
const minutes = Number(process.argv[2] ?? 60);
const intervalNanos = 10_000_000_000n;
const seriesCount = 50;
const connectionCount = 8;
const warmUpMillis = 20_000;
/** 30 days. */
const warmUpAgoNanos = 30n * 86_400_000_000_000n;
/**
 * Retention limit in bytes. It is less than an hour of ingest writes; half a million profiles take
 * 20 MB.
 */
const retentionBytes = 24 * 1024 * 1024;
/**
 * Bytes on disk allowed above the retention limit: logs of heads, output of a compaction, and a
 * block.
 */
const slackBytes = 24 * 1024 * 1024;

/** Measurements of a minute. */
interface Minute {
  /** Highest of the values that are measured once a second, in bytes. */
  readonly rss: number;
  readonly files: number;
  readonly diskBytes: number;
  readonly slowestMillis: number;
}

const all = createSoakSeries(seriesCount, 6);
const scratch = await scratchDirectory();
const storagePath = join(scratch.path, 'data');
const flags = [`--storage-retention-size=${retentionBytes}B`];
const server = await startServer({ storagePath, flags });
const clients = Array.from({ length: connectionCount }, () => connect(server.address));
let slowestMillis = 0;
let rssMax = 0;
let round = 0;
let queries = 0;

try {
  const perMinute = await warmUp();
  const startNanos = startOfData(perMinute);
  await soak(perMinute, startNanos);
} finally {
  for (const client of clients) client.close();
  await server.stop();
  await scratch.remove();
}

/** Returns the rounds per minute at half of the server's highest rate. */
async function warmUp(): Promise<number> {
  const start = performance.now();
  const longAgo = BigInt(Date.now()) * 1_000_000n - warmUpAgoNanos;
  let rounds = 0;
  while (performance.now() - start < warmUpMillis) {
    await pushRound(rounds, longAgo + BigInt(rounds) * intervalNanos);
    rounds += 1;
  }
  slowestMillis = 0;
  const perMinute = Math.max(1, Math.floor((rounds * 30_000) / (performance.now() - start)));
  console.log(`capacity ${rounds * seriesCount} profiles in 20 s; soak at ${perMinute} rounds/min`);
  return perMinute;
}

/** Returns the time of the first round, chosen so that the last round is now. */
function startOfData(perMinute: number): bigint {
  const length = BigInt(perMinute * minutes) * intervalNanos;
  const now = BigInt(Date.now()) * 1_000_000n;
  return now - length - ((now - length) % intervalNanos);
}

async function soak(perMinute: number, startNanos: bigint): Promise<void> {
  const seen: Minute[] = [];
  const start = performance.now();
  const asking = askUntil(() => round, startNanos, start + minutes * 60_000);
  for (let minute = 1; minute <= minutes; minute += 1) {
    while (round < perMinute * minute) {
      const due = start + (round * 60_000) / perMinute;
      await sleep(Math.max(0, due - performance.now()));
      await pushRound(round, startNanos + BigInt(round) * intervalNanos);
      round += 1;
    }
    seen.push(await look());
    slowestMillis = 0;
    rssMax = 0;
    const { rss, files, diskBytes, slowestMillis: slowest } = seen[seen.length - 1];
    console.log(
      `minute ${minute}: RSS ${rss.toFixed(0)} MB, ${files} files open, ` +
        `disk ${(diskBytes / 1e6).toFixed(1)} MB, slowest request ${slowest.toFixed(0)} ms, ` +
        `${round * seriesCount} profiles, ${queries} queries exact`,
    );
    console.log(`  MB: ${await memoryKinds(server.url)}`);
  }
  await asking;
  report(seen);
}

async function pushRound(number: number, timeNanos: bigint): Promise<void> {
  let next = 0;
  const work = async (client: Client): Promise<void> => {
    for (let i = next++; i < seriesCount; i = next++) {
      await timed(() => unary(client, writeRawPath, soakRequest(all[i], number, timeNanos)));
    }
  };
  await Promise.all(clients.map(work));
}

/** Requests a flame graph of the last 1-360 finished rounds once a second, and checks its sum. */
async function askUntil(rounds: () => number, startNanos: bigint, end: number): Promise<void> {
  const client = connect(server.address);
  while (performance.now() < end) {
    const last = rounds() - 1;
    if (last >= 0) {
      const first = Math.max(0, last - ((queries * 37) % 360));
      await ask(client, startNanos, first, last);
      queries += 1;
    }
    rssMax = Math.max(rssMax, (await memoryMegabytes(server.pid)).now);
    await sleep(1_000);
  }
  client.close();
}

async function ask(client: Client, startNanos: bigint, first: number, last: number): Promise<void> {
  const request = QueryRequest.encode({
    mode: QueryRequest.Mode.MODE_MERGE,
    merge: {
      query: `${cpuType}{}`,
      start: toTimestamp(startNanos + BigInt(first) * intervalNanos),
      end: toTimestamp(startNanos + BigInt(last) * intervalNanos),
    },
    reportType: QueryRequest.ReportType.REPORT_TYPE_FLAMEGRAPH_ARROW,
    rootTrimThreshold: 0.01,
  }).finish();
  const answer = QueryResponse.decode(await timed(() => unary(client, queryPath, request)));
  let expected = 0n;
  for (let i = first; i <= last; i += 1) expected += soakRoundNanos(all, i);
  const total = BigInt(String(answer.total));
  if (total !== expected) {
    throw new Error(`rounds ${first} to ${last}: expected ${expected}, got ${total}`);
  }
}

async function timed<T>(work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await work();
  slowestMillis = Math.max(slowestMillis, performance.now() - start);
  return result;
}

async function look(): Promise<Minute> {
  const files = await openFiles(server.pid);
  const diskBytes = await directoryBytes(storagePath);
  return { rss: rssMax, files, diskBytes, slowestMillis };
}

/** Compares the last third with the middle third, to find growth. */
function report(seen: readonly Minute[]): void {
  const third = Math.max(1, Math.floor(seen.length / 3));
  const last = seen.slice(-third);
  const middle = seen.slice(-2 * third, -third);
  const largest = (part: readonly Minute[], read: (minute: Minute) => number): number =>
    Math.max(...part.map(read));
  const reportGrowth = (name: string, read: (minute: Minute) => number): void => {
    if (middle.length === 0) return;
    reportRatio(
      `most ${name} of the last third to the middle one`,
      largest(last, read) / largest(middle, read),
      1.05,
      false,
    );
  };
  reportGrowth('memory', ({ rss }) => rss);
  reportGrowth('open files', ({ files }) => files);
  reportRatio(
    'slowest request to 1 s',
    largest(seen, (one) => one.slowestMillis) / 1_000,
    1,
    false,
  );
  const disk = largest(seen, ({ diskBytes }) => diskBytes);
  reportRatio('disk to retention and slack', disk / (retentionBytes + slackBytes), 1, false);
}

function sleep(millis: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, millis));
}
