// The real server over the wire: ingest by gRPC WriteRaw, then the queries of an operator's day.
//
// Server CPU and memory are read from /proc, so that this client's own work does not count. The
// figures of Parca beside ours were taken with the same fleet on a machine of this class; they say
// how far ahead we are, not what Parca would do today on this machine.
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Client } from '@grpc/grpc-js';
import { toDuration, toTimestamp } from '../src/api/call/message.ts';
import { parca } from '../proto/gen/query.js';
import { connect, unary, writeRawPath, writeRawRequest } from '../test/support/grpc-client.ts';
import { scratchDirectory, startServer } from '../test/support/server.ts';
import { diskFigures } from './disk-figures.ts';
import { fleetDefaults, generateFleet } from './fleet/fleet.ts';
import { median, reportRatio } from './measure.ts';
import { cpuSeconds, memoryMegabytes } from './process-figures.ts';

const { QueryRequest, QueryResponse, QueryRangeRequest, QueryRangeResponse } = parca.query.v1alpha1;
const service = '/parca.query.v1alpha1.QueryService';
const connectionCount = 8;
const repeats = 7;
const cpuType = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';

/** Parca v0.28.0: profiles per server CPU second; milliseconds with everything in memory. */
const parcaFigures = {
  /** As it comes; it drops most of what it acknowledged. */
  profilesPerCpuSecondDefault: 89,
  /** With 8 GiB of memory, nothing on disk. */
  profilesPerCpuSecondInMemory: 111,
  /** With persistence and write-ahead log, the nearest to what we do; it loses some on kill -9. */
  profilesPerCpuSecondDurable: 60,
  allFlameGraph: 13_019,
  serviceFlameGraph: 2_525,
  servicePprof: 3_431,
  instanceFlameGraph: 481,
  rangeAll: 732,
  labelValues: 468,
} as const;

interface Upload {
  readonly request: Uint8Array;
  readonly gzipped: Uint8Array;
  readonly job: string;
  readonly instance: string;
  readonly rows: number;
  readonly cpuNanos: bigint;
}

const range = {
  start: toTimestamp(fleetDefaults.startNanos - 1_000_000_000n),
  end: toTimestamp(fleetDefaults.startNanos + 3_600_000_000_000n),
};

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
  const { bytes } = await diskFigures(storagePath);
  console.log(`disk after an orderly stop: ${bytes} bytes, ${rows} rows`);
  reportRatio('bytes a row to 5', bytes / rows / 5, 1, false);
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
  const { profilesPerCpuSecondDefault, profilesPerCpuSecondInMemory, profilesPerCpuSecondDurable } =
    parcaFigures;
  const rate = `${warmRate.toFixed(0)} profiles per server CPU second to Parca's`;
  reportRatio(`${rate} (default)`, warmRate / profilesPerCpuSecondDefault, 15, true);
  reportRatio(`${rate} (in memory)`, warmRate / profilesPerCpuSecondInMemory, 15, true);
  reportRatio(`${rate} (persistent, WAL)`, warmRate / profilesPerCpuSecondDurable, 15, true);
  const memory = await memoryMegabytes(server.pid);
  reportRatio('RSS peak of ingest to 250 MB', memory.peak / 250, 1, false);
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
  const { job, instance } = uploads[3];
  const everything = uploads;
  const ofService = uploads.filter((upload) => upload.job === job);
  const ofInstance = uploads.filter((upload) => upload.instance === instance);
  const { ReportType } = QueryRequest;
  const flameGraph = ReportType.REPORT_TYPE_FLAMEGRAPH_ARROW;
  const pprof = ReportType.REPORT_TYPE_PPROF;
  const ask =
    (
      selector: string,
      reportType: parca.query.v1alpha1.QueryRequest.ReportType,
      selected: readonly Upload[],
    ) =>
    async () => {
      const request = QueryRequest.encode({
        mode: QueryRequest.Mode.MODE_MERGE,
        merge: { query: `${cpuType}{${selector}}`, ...range },
        reportType,
        rootTrimThreshold: 0.01,
      }).finish();
      const response = QueryResponse.decode(await unary(client, `${service}/Query`, request));
      if (reportType === pprof) {
        if (!response.pprof || response.pprof.length === 0) throw new Error('empty pprof');
      } else {
        expectSum(BigInt(String(response.total)), selected);
      }
    };
  const byJob = `job="${job}"`;
  const byInstance = `instance="${instance}"`;
  const { allFlameGraph, serviceFlameGraph, servicePprof, instanceFlameGraph } = parcaFigures;
  await time('flame graph, all', everything, allFlameGraph, ask('', flameGraph, everything));
  await time(
    'flame graph, one service',
    ofService,
    serviceFlameGraph,
    ask(byJob, flameGraph, ofService),
  );
  await time('pprof, one service', ofService, servicePprof, ask(byJob, pprof, ofService));
  await time(
    'flame graph, one instance',
    ofInstance,
    instanceFlameGraph,
    ask(byInstance, flameGraph, ofInstance),
  );
  await time('range, all series in one', everything, parcaFigures.rangeAll, async () => {
    const request = QueryRangeRequest.encode({
      query: `${cpuType}{}`,
      ...range,
      step: toDuration(10_000_000_000n),
    }).finish();
    const bytes = await unary(client, `${service}/QueryRange`, request);
    const response = QueryRangeResponse.decode(bytes);
    let sum = 0n;
    for (const series of response.series ?? []) {
      for (const sample of series.samples ?? []) sum += BigInt(String(sample.value));
    }
    expectSum(sum, everything);
  });
  await time('label values (1,000)', everything, parcaFigures.labelValues, async () => {
    const { ValuesRequest, ValuesResponse } = parca.query.v1alpha1;
    const request = ValuesRequest.encode({ labelName: 'instance', ...range }).finish();
    const bytes = await unary(client, `${service}/Values`, request);
    const count = ValuesResponse.decode(bytes).labelValues?.length;
    if (count !== 1_000) throw new Error(`expected 1000 values, got ${count}`);
  });
  client.close();
}

function expectSum(sum: bigint, selected: readonly Upload[]): void {
  const expected = selected.reduce((total, upload) => total + upload.cpuNanos, 0n);
  if (sum !== expected) throw new Error(`expected a sum of ${expected}, got ${sum}`);
}

/** Median of some runs after a first one, as ns per selected row, and how far ahead of Parca. */
async function time(
  name: string,
  selected: readonly Upload[],
  parcaMillis: number,
  run: () => Promise<void>,
): Promise<void> {
  const coldStart = performance.now();
  await run();
  const cold = performance.now() - coldStart;
  const millis: number[] = [];
  for (let i = 0; i < repeats; i += 1) {
    const start = performance.now();
    await run();
    millis.push(performance.now() - start);
  }
  const rows = selected.reduce((sum, upload) => sum + upload.rows, 0);
  const warm = median(millis);
  console.log(
    `${name}: ${warm.toFixed(1)} ms warm, ${cold.toFixed(1)} ms first, ${rows} rows, ` +
      `${((warm * 1e6) / rows).toFixed(0)} ns a row`,
  );
  reportRatio(`${name}: Parca's time to ours`, parcaMillis / warm, 50, true);
}
