// The real server over the wire: ingest with gRPC WriteRaw, then the queries of an operator's day.
//
// Server CPU time and memory are read from /proc, so the client's work does not count. Parca's
// results and the goals are in bench/RESULTS.md. They were measured with the same fleet, on an idle
// machine of the same class. BENCH_PROFILES_PER_SERIES is the number of profiles in each of the
// 1,000 series (10).
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { connect } from '../../test/support/grpc-client.ts';
import { scratchDirectory, startServer } from '../../test/support/server.ts';
import { fleetDefaults } from '../fleet/fleet.ts';
import { median, reportRatio } from '../measure.ts';
import { cpuSeconds, directoryBytes, memoryMegabytes } from '../figures.ts';
import { makeUploads, pushAll, makeQuestions, type TimedQuestion, type Upload } from './load.ts';

const connectionCount = 8;
const repeats = 7;

/** Profiles per second of server CPU time of Parca v0.28.0, which keeps everything in memory. */
const parcaProfilesPerCpuSecond = 114;
const pushP99GoalMillis = 10;
const ingestPeakGoalMegabytes = 150;
const bytesPerRowGoal = 5;

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

/** Returns the CPU seconds that gunzip alone takes for all uploads, after a warm-up. */
function measureGunzip(all: readonly Upload[]): number {
  // Uses the uncompressed length in the trailer as the chunk size, which is the fastest way with
  // the public interface.
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
    await pushAll(clients, uploads, first, end, (millis) => latencies.push(millis));
    return (await cpuSeconds(server.pid)) - before;
  };
  const start = performance.now();
  // The first round is counted separately: its profiles contain all symbols, and V8 compiles hot
  // code.
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
  for (const question of makeQuestions(client, uploads)) await time(question);
  client.close();
}

/**
 * Prints the median time of several runs, not counting the first run. Each run uses a different
 * range, so that its first response does not come from the cache. It then repeats the query, which
 * the cache answers.
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
