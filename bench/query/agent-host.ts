// Compares two versions of the server. A query selects all programs of a busy host with the agent
// over 15 minutes, grouped by name. It is sent once at the start, and then after each batch.
//
// node bench/query/agent-host.ts BEFORE [AFTER]
//
// BEFORE and AFTER are checkouts with installed packages; the default for AFTER is this checkout.
// CPU time is the time of all threads of the server, from /proc. BENCH_NODE_FLAGS are Node flags
// for AFTER, such as --cpu-prof; BENCH_REFRESHES is the number of batches after the first query
// (12).
import { join } from 'node:path';
import type { Client } from '@grpc/grpc-js';
import { parca } from '../../proto/gen/query.js';
import { toDuration, toTimestamp } from '../../src/api/transport/call/message.ts';
import { uploadDebuginfo } from '../../test/support/debuginfo-client.ts';
import { connect, unary, writeRawPath } from '../../test/support/grpc-client.ts';
import { scratchDirectory, startServer, type TestServer } from '../../test/support/server.ts';
import { cpuSeconds } from '../figures.ts';
import {
  batchCount,
  batchNanos,
  binaries,
  encodeElf,
  makeBatch,
  profilesPerBatch,
  unknownBinaryCount,
} from './agent-batches.ts';

const here = join(import.meta.dirname, '../..');
const [startNanos, rangeNanos] = [1_790_000_000_000_000_000n, BigInt(batchCount) * batchNanos];
const refreshCount = Number(process.env['BENCH_REFRESHES'] ?? 12);
const query = 'parca_agent:samples:count:cpu:nanoseconds:delta | by (comm)';

const { QueryRequest, QueryResponse, QueryRangeRequest, QueryRangeResponse } = parca.query.v1alpha1;
const service = '/parca.query.v1alpha1.QueryService';

interface Host {
  readonly server: TestServer;
  readonly client: Client;
}

/** Returns the range that ends with a batch. */
function batchRange(batch: number): { readonly start: bigint; readonly end: bigint } {
  const end = startNanos + BigInt(batch) * batchNanos;
  return { start: end - rangeNanos + 1n, end };
}

let functionCount = 0;

interface Answer {
  readonly total: bigint;
  readonly warnings: readonly string[];
  readonly bytes: number;
}

async function askReport(
  { client }: Host,
  batch: number,
  reportType: parca.query.v1alpha1.QueryRequest.ReportType,
): Promise<Answer> {
  const { start, end } = batchRange(batch);
  const merge = { query, start: toTimestamp(start), end: toTimestamp(end) };
  const request = {
    mode: QueryRequest.Mode.MODE_MERGE,
    merge,
    reportType,
    rootTrimThreshold: 0.035,
    // Older versions do not know this option, and respond with messages.
    topRecord: true,
  };
  const bytes = await unary(client, `${service}/Query`, QueryRequest.encode(request).finish());
  const { total, warnings } = QueryResponse.decode(bytes);
  return { total: BigInt(String(total)), warnings: warnings ?? [], bytes: bytes.length };
}

/** Sends the same query as `parcatool top`. */
async function askJson({ server }: Host, batch: number): Promise<Answer> {
  const { start, end } = batchRange(batch);
  const [from, to] = [start, end].map((nanos) => new Date(Number(nanos / 1_000_000n)));
  const parameters = new URLSearchParams({
    mode: 'MODE_MERGE',
    reportType: 'REPORT_TYPE_TOP',
    'merge.query': query,
    'merge.start': from.toISOString(),
    'merge.end': to.toISOString(),
    // Older versions do not know this option, and respond with all functions.
    'topLimit.count': '20',
  });
  const response = await fetch(`${server.url}/api/profiles/query?${parameters}`);
  const text = await response.text();
  const answer = JSON.parse(text) as { total: string; top: { list: unknown[] } };
  functionCount = Math.max(functionCount, answer.top.list.length);
  return { total: BigInt(answer.total), warnings: [], bytes: text.length };
}

async function askRange({ client }: Host, batch: number): Promise<Answer> {
  const { start, end } = batchRange(batch);
  const range = {
    start: toTimestamp(start),
    end: toTimestamp(end),
    step: toDuration(30_000_000_000n),
  };
  const request = QueryRangeRequest.encode({ query, ...range, sumBy: ['comm'] }).finish();
  const bytes = await unary(client, `${service}/QueryRange`, request);
  const { series } = QueryRangeResponse.decode(bytes);
  const total = (series ?? []).reduce((sum, one) => sum + BigInt(String(one.total)), 0n);
  return { total, warnings: [], bytes: bytes.length };
}

const { ReportType } = QueryRequest;
const questions = [
  {
    name: 'flame graph',
    ask: (host: Host, batch: number) =>
      askReport(host, batch, ReportType.REPORT_TYPE_FLAMEGRAPH_ARROW),
  },
  {
    name: 'top',
    ask: (host: Host, batch: number) => askReport(host, batch, ReportType.REPORT_TYPE_TOP),
  },
  {
    name: 'table',
    ask: (host: Host, batch: number) => askReport(host, batch, ReportType.REPORT_TYPE_TABLE_ARROW),
  },
  { name: 'parcatool top', ask: askJson },
  { name: 'graph over time', ask: askRange },
] as const;

/** Runs the same work on each server in turns; returns their CPU seconds. */
async function takeTurns<T>(
  turn: number,
  hosts: readonly Host[],
  work: (host: Host) => Promise<T>,
): Promise<{ readonly seconds: number[]; readonly results: T[] }> {
  const seconds = hosts.map(() => 0);
  const results: T[] = [];
  for (const i of turn % 2 === 0 ? [0, 1] : [1, 0]) {
    const { pid } = hosts[i].server;
    const before = await cpuSeconds(pid);
    results[i] = await work(hosts[i]);
    seconds[i] = (await cpuSeconds(pid)) - before;
  }
  return { seconds, results };
}

const [before, after = here] = process.argv.slice(2);
if (before === undefined) throw new Error('usage: node bench/query/agent-host.ts BEFORE [AFTER]');
const scratch = await scratchDirectory();
const hosts: Host[] = [];
try {
  for (const [i, checkout] of [before, after].entries()) {
    const storagePath = join(scratch.path, `data-${i}`);
    const flags = process.env['BENCH_NODE_FLAGS']?.split(' ') ?? [];
    const nodeFlags = i === 1 ? flags : [];
    const server = await startServer({ storagePath, checkout, nodeFlags });
    hosts.push({ server, client: connect(server.address) });
  }
  for (const binary of binaries.slice(0, -unknownBinaryCount)) {
    const elf = encodeElf(binary);
    const offer = { buildId: binary.buildId, hash: 'a', force: true };
    for (const { client } of hosts) await uploadDebuginfo(client, offer, elf);
  }
  const pushed = hosts.map(() => 0);
  const push = async (batch: number): Promise<void> => {
    const requests = makeBatch(startNanos + BigInt(batch) * batchNanos);
    const { seconds } = await takeTurns(batch, hosts, async ({ client }) => {
      for (const request of requests) await unary(client, writeRawPath, request);
    });
    seconds.forEach((one, i) => (pushed[i] += one));
  };
  for (let batch = 1; batch <= batchCount; batch += 1) await push(batch);
  console.log(`${batchCount * profilesPerBatch} pushes: CPU ${pushed.map(shown).join(', ')}`);
  const [flameGraph] = questions;
  const first = await takeTurns(0, hosts, (host) => flameGraph.ask(host, batchCount));
  console.log(`first flame graph: CPU ${first.seconds.map(shown).join(', ')}`);
  first.results.forEach(({ warnings }) => console.log(`  ${warnings.join('; ')}`));
  for (const host of hosts) {
    const isNaming = async (): Promise<boolean> =>
      (await flameGraph.ask(host, batchCount)).warnings.join().includes('being looked up');
    while (await isNaming()) await new Promise((resolve) => setTimeout(resolve, 500));
  }
  const costs = questions.map(() => hosts.map((): number[] => []));
  for (let turn = 1; turn <= refreshCount; turn += 1) {
    const batch = batchCount + turn;
    await push(batch);
    // Leaves the server time to symbolize new addresses before the query, in case it does so.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    for (const [i, { ask }] of questions.entries()) {
      const { seconds, results } = await takeTurns(turn, hosts, (host) => ask(host, batch));
      const [one, other] = results;
      if (one.total !== other.total) throw new Error(`totals differ: ${one.total}, ${other.total}`);
      seconds.forEach((cpu, host) => costs[i][host].push(cpu));
    }
  }
  console.log(`${functionCount} functions`);
  for (const [i, { name }] of questions.entries()) {
    const medians = costs[i].map((all) => all.toSorted((a, b) => a - b)[all.length >> 1]);
    const ratio = (medians[1] / medians[0]).toFixed(2);
    console.log(`${name}, each refresh: CPU ${medians.map(shown).join(', ')}, ratio ${ratio}`);
  }
} finally {
  for (const { server, client } of hosts) {
    client.close();
    await server.stop();
  }
  await scratch.remove();
}

function shown(seconds: number): string {
  return `${(seconds * 1_000).toFixed(0)} ms`;
}
