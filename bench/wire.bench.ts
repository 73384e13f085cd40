// The real server over the wire: ingest by gRPC WriteRaw, then the queries of an operator's day.
//
// Server CPU and memory are read from /proc, so the work of this client does not count. The figures
// of Parca and the goals are those of bench/RESULTS.md: same fleet, same class of machine, idle.
// BENCH_PROFILES_PER_SERIES sets the number of profiles of each of the 1,000 series (10).
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Client } from '@grpc/grpc-js';
import { toDuration, toTimestamp } from '../src/api/call/message.ts';
import { parca } from '../proto/gen/query.js';
import { connect, unary, writeRawPath, writeRawRequest } from '../test/support/grpc-client.ts';
import { scratchDirectory, startServer } from '../test/support/server.ts';
import { fleetDefaults, generateFleet } from './fleet/fleet.ts';
import { median, reportRatio } from './measure.ts';
import { cpuSeconds, directoryBytes, memoryMegabytes } from './figures.ts';

const { QueryRequest, QueryResponse, QueryRangeRequest, QueryRangeResponse, ProfileDiffSelection } =
  parca.query.v1alpha1;
const service = '/parca.query.v1alpha1.QueryService';
const connectionCount = 8;
const repeats = 7;
const cpuType = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';

/** Profiles per second of server CPU of Parca v0.28.0 that keeps everything in memory. */
const parcaProfilesPerCpuSecond = 114;
const pushP99GoalMillis = 10;
const ingestPeakGoalMegabytes = 150;
const bytesPerRowGoal = 5;

/** A question, how long Parca v0.28.0 takes to answer it, and how long we want to take. */
interface TimedQuestion {
  readonly name: string;
  readonly parcaMillis: number;
  readonly goalMillis: number;
  readonly selected: readonly Upload[];
  /** Asks about the time from this many milliseconds before the first profile. */
  ask(leadMillis: number): Promise<void>;
}

interface Upload {
  readonly request: Uint8Array;
  readonly gzipped: Uint8Array;
  readonly job: string;
  readonly instance: string;
  readonly rows: number;
  readonly timeNanos: bigint;
  readonly cpuNanos: bigint;
}

const endNanos = fleetDefaults.startNanos + 3_600_000_000_000n;

const uploads = makeUploads(Number(process.env['BENCH_PROFILES_PER_SERIES'] ?? 10));
const gunzipSeconds = measureGunzip(uploads);
const scratch = await scratchDirectory();
const storagePath = join(scratch.path, 'data');
const server = await startServer({ storagePath });
try {
  await benchIngest();
  await benchQueries();
} finally {
  await server.stop();
  const rows = uploads.reduce((sum, upload) => sum + upload.rows, 0);
  const bytes = await directoryBytes(storagePath);
  console.log(`disk after an orderly stop: ${bytes} bytes, ${rows} rows`);
  reportRatio(`bytes a row to ${bytesPerRowGoal}`, bytes / rows / bytesPerRowGoal, 1, false);
  await scratch.remove();
}

function makeUploads(profilesPerSeries: number): Upload[] {
  const made: Upload[] = [];
  for (const profile of generateFleet({ profilesPerSeries })) {
    const labels = Object.fromEntries(profile.labels.map(({ name, value }) => [name, value]));
    made.push({
      request: writeRawRequest({ __name__: profile.name, ...labels }, profile.gzipped),
      gzipped: profile.gzipped,
      job: labels['job'] ?? '',
      instance: labels['instance'] ?? '',
      rows: profile.rowCount,
      timeNanos: profile.timeNanos,
      cpuNanos: profile.totals[1],
    });
  }
  return made;
}

/** CPU seconds that gunzip alone takes for all uploads, warm. */
function measureGunzip(all: readonly Upload[]): number {
  // The trailer's length as chunk size: the fastest that the public interface can do.
  const gunzip = (gzipped: Uint8Array): void => {
    const length = Buffer.from(gzipped.buffer, gzipped.byteOffset).readUInt32LE(gzipped.length - 4);
    gunzipSync(gzipped, { chunkSize: length + 1 });
  };
  for (const { gzipped } of all.slice(0, 500)) gunzip(gzipped);
  const before = process.cpuUsage();
  for (const { gzipped } of all) gunzip(gzipped);
  const used = process.cpuUsage(before);
  return (used.user + used.system) / 1e6;
}

async function benchIngest(): Promise<void> {
  const clients = Array.from({ length: connectionCount }, () => connect(server.address));
  const latencies: number[] = [];
  const push = async (first: number, end: number): Promise<number> => {
    const before = await cpuSeconds(server.pid);
    let next = first;
    const worker = async (client: Client): Promise<void> => {
      for (let i = next++; i < end; i = next++) {
        const sent = performance.now();
        await unary(client, writeRawPath, uploads[i].request);
        latencies.push(performance.now() - sent);
      }
    };
    await Promise.all(clients.map(worker));
    return (await cpuSeconds(server.pid)) - before;
  };
  const start = performance.now();
  // The first profile of each series brings its symbols, and compiles the server's hot paths.
  const firstCount = fleetDefaults.series;
  const firstCpu = await push(0, firstCount);
  const warmCpu = await push(firstCount, uploads.length);
  const seconds = (performance.now() - start) / 1_000;
  for (const client of clients) client.close();
  latencies.sort((a, b) => a - b);
  const cpu = firstCpu + warmCpu;
  const warmRate = (uploads.length - firstCount) / warmCpu;
  console.log(
    `ingest: ${uploads.length} profiles in ${seconds.toFixed(1)} s, server CPU ${cpu.toFixed(2)} s: ` +
      `${micros(cpu, uploads.length)} us a profile, ${micros(firstCpu, firstCount)} in the first ` +
      `round, ${micros(warmCpu, uploads.length - firstCount)} after it, gunzip alone ` +
      `${micros(gunzipSeconds, uploads.length)}; ` +
      `p50 ${at(latencies, 0.5)} ms, p99 ${at(latencies, 0.99)} ms`,
  );
  reportRatio('server CPU to gunzip alone', cpu / gunzipSeconds, 4.5, false);
  const rate = `${warmRate.toFixed(0)} profiles per server CPU second`;
  reportRatio(`${rate} to Parca's`, warmRate / parcaProfilesPerCpuSecond, 15, true);
  const p99 = latencies[Math.floor((latencies.length - 1) * 0.99)];
  reportRatio(`p99 of a push to ${pushP99GoalMillis} ms`, p99 / pushP99GoalMillis, 1, false);
  const memory = await memoryMegabytes(server.pid);
  const peakRatio = memory.peak / ingestPeakGoalMegabytes;
  reportRatio(`RSS peak of ingest to ${ingestPeakGoalMegabytes} MB`, peakRatio, 1, false);
  console.log(`RSS after ingest ${memory.now.toFixed(0)} MB, peak ${memory.peak.toFixed(0)} MB`);
}

function micros(seconds: number, count: number): string {
  return ((seconds / count) * 1e6).toFixed(0);
}

function at(sorted: readonly number[], share: number): string {
  return sorted[Math.floor((sorted.length - 1) * share)].toFixed(1);
}

async function benchQueries(): Promise<void> {
  const client = connect(server.address);
  for (const question of questionsOf(client)) await time(question);
  client.close();
}

function questionsOf(client: Client): TimedQuestion[] {
  const { job, instance } = uploads[3];
  const ofService = uploads.filter((upload) => upload.job === job);
  const ofInstance = uploads.filter((upload) => upload.instance === instance);
  const middle = medianTime(ofService);
  const lastHalf = ofService.filter(({ timeNanos }) => timeNanos > middle);
  const byJob = `job="${job}"`;
  const { Mode, ReportType } = QueryRequest;
  const reportType = ReportType.REPORT_TYPE_FLAMEGRAPH_ARROW;
  const selection = (selector: string, start: bigint, end: bigint) => ({
    ...{ query: `${cpuType}{${selector}}`, start: toTimestamp(start), end: toTimestamp(end) },
  });
  const report = async (
    asked: parca.query.v1alpha1.QueryRequest.$Properties,
    selected: readonly Upload[],
  ): Promise<void> => {
    // The trimming that a page of 1,440 pixels asks for.
    const request = QueryRequest.encode({ ...asked, reportType, rootTrimThreshold: 0.035 });
    const response = QueryResponse.decode(
      await unary(client, `${service}/Query`, request.finish()),
    );
    expectSum(BigInt(String(response.total)), selected);
  };
  const flameGraph = (selector: string, selected: readonly Upload[]) => (leadMillis: number) =>
    report(
      { mode: Mode.MODE_MERGE, merge: selection(selector, startOf(leadMillis), endNanos) },
      selected,
    );
  return [
    {
      ...{ name: 'flame graph, all', parcaMillis: 3_932, goalMillis: 12, selected: uploads },
      ask: flameGraph('', uploads),
    },
    {
      ...{ name: 'flame graph, one service', parcaMillis: 1_233, goalMillis: 6 },
      ...{ selected: ofService, ask: flameGraph(byJob, ofService) },
    },
    {
      ...{ name: 'flame graph, one instance', parcaMillis: 216, goalMillis: 1.5 },
      ...{ selected: ofInstance, ask: flameGraph(`instance="${instance}"`, ofInstance) },
    },
    {
      ...{ name: 'diff of halves, one service', parcaMillis: 1_313, goalMillis: 6 },
      selected: ofService,
      ask: (leadMillis) => {
        const { MODE_MERGE: mode } = ProfileDiffSelection.Mode;
        const a = { mode, merge: selection(byJob, startOf(leadMillis), middle) };
        const b = { mode, merge: selection(byJob, middle + 1n, endNanos) };
        return report({ mode: Mode.MODE_DIFF, diff: { a, b } }, lastHalf);
      },
    },
    {
      ...{ name: 'range, all series in one', parcaMillis: 339, goalMillis: 2, selected: uploads },
      ask: (leadMillis) => askRange(client, leadMillis),
    },
    {
      ...{ name: 'label values (1,000)', parcaMillis: 252, goalMillis: 2, selected: uploads },
      ask: (leadMillis) => askValues(client, leadMillis),
    },
  ];
}

async function askRange(client: Client, leadMillis: number): Promise<void> {
  const request = QueryRangeRequest.encode({
    ...{ query: `${cpuType}{}`, start: toTimestamp(startOf(leadMillis)) },
    ...{ end: toTimestamp(endNanos), step: toDuration(10_000_000_000n) },
  }).finish();
  const bytes = await unary(client, `${service}/QueryRange`, request);
  let sum = 0n;
  for (const series of QueryRangeResponse.decode(bytes).series ?? []) {
    for (const sample of series.samples ?? []) sum += BigInt(String(sample.value));
  }
  expectSum(sum, uploads);
}

async function askValues(client: Client, leadMillis: number): Promise<void> {
  const { ValuesRequest, ValuesResponse } = parca.query.v1alpha1;
  const range = { start: toTimestamp(startOf(leadMillis)), end: toTimestamp(endNanos) };
  const request = ValuesRequest.encode({ labelName: 'instance', ...range }).finish();
  const bytes = await unary(client, `${service}/Values`, request);
  const count = ValuesResponse.decode(bytes).labelValues?.length;
  if (count !== 1_000) throw new Error(`expected 1000 values, got ${count}`);
}

function startOf(leadMillis: number): bigint {
  return fleetDefaults.startNanos - 1_000_000_000n - BigInt(leadMillis) * 1_000_000n;
}

function medianTime(some: readonly Upload[]): bigint {
  const sorted = some.map(({ timeNanos }) => timeNanos).sort((a, b) => (a < b ? -1 : 1));
  return sorted[sorted.length >> 1];
}

function expectSum(sum: bigint, selected: readonly Upload[]): void {
  const expected = selected.reduce((total, upload) => total + upload.cpuNanos, 0n);
  if (sum !== expected) throw new Error(`expected a sum of ${expected}, got ${sum}`);
}

/**
 * Prints the median of some runs after a first one. Each run asks about a range of its own, so that
 * no answer comes from the cache; then it asks again, which the cache answers.
 */
async function time({
  name,
  parcaMillis,
  goalMillis,
  selected,
  ask,
}: TimedQuestion): Promise<void> {
  const millis: number[] = [];
  const again: number[] = [];
  for (let i = 0; i <= repeats; i += 1) {
    for (const times of [millis, again]) {
      const start = performance.now();
      await ask(i);
      times.push(performance.now() - start);
    }
  }
  const [first, ...fresh] = millis;
  const middle = median(fresh);
  const rows = selected.reduce((sum, upload) => sum + upload.rows, 0);
  console.log(
    `${name}: ${middle.toFixed(1)} ms fresh, ${first.toFixed(1)} ms first, ` +
      `${median(again).toFixed(1)} ms asked again, ${rows} rows, ` +
      `${((middle * 1e6) / rows).toFixed(0)} ns a row`,
  );
  reportRatio(`${name}: Parca's time to ours`, parcaMillis / middle, 50, true);
  reportRatio(`${name}: to ${goalMillis} ms`, middle / goalMillis, 1, false);
}
