// Tests the agent with a fake sampler: samples are sent to a server, and queried from it.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Agent, type AgentOptions } from '../../agent/sampling/agent.ts';
import { defaultRelabelRules } from '../../agent/config/default-relabeling.ts';
import { BinarySymbols } from '../../agent/frames/binary-symbols.ts';
import { DebugFolders } from '../../agent/frames/debug-folders.ts';
import { KernelSymbols } from '../../agent/frames/kernel-symbols.ts';
import { JitDumps } from '../../agent/frames/jit-dumps.ts';
import { PerfMaps } from '../../agent/frames/perf-maps.ts';
import { ExecutableTable } from '../../agent/process/executable.ts';
import { KubeletLogs } from '../../agent/process/kubelet.ts';
import { ProcFolder } from '../../agent/process/proc-folder.ts';
import { ProcessLabels } from '../../agent/process/process-labels.ts';
import { ProcessTable } from '../../agent/process/process-table.ts';
import { openRegularFile } from '../../agent/files/open-file.ts';
import { DebuginfoClient } from '../../agent/debuginfo/debuginfo-client.ts';
import { extractDebuginfo } from '../../agent/debuginfo/extract.ts';
import { createServer, type Server } from '../../src/base/node/grpc-client.ts';
import { RequestQueue } from '../../src/forward/request-queue.ts';
import { Sender } from '../../src/forward/sender.ts';
import { FrameResolver } from '../../agent/frames/frame-resolver.ts';
import { makeProfiles } from '../../agent/profile/batch-profiles.ts';
import { arrowRequests, encodeWriteArrow, writeArrowMethod } from '../../agent/send/write-arrow.ts';
import { compressProfiles } from '../../agent/send/compress-profiles.ts';
import { encodeWriteRaw, writeRawMethod } from '../../src/forward/write-raw.ts';
import { fileBinary, kernelBinary, testBatch, testProcess } from '../../agent/testing/samples.ts';
import { sleep } from '../../src/base/clock.ts';
import { AppError } from '../../src/base/errors.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { createFiles } from '../../src/base/node/files.ts';
import { md5 } from '../../src/base/node/md5.ts';
import { createRandom } from '../../src/base/node/random.ts';
import { loadLz4Frames } from '../../src/formats/arrow/lz4-frame.ts';
import { createRelabeling } from '../../src/model/relabel.ts';
import { readBuildIds, readElf } from '../../src/symbolize/elf-file.ts';
import { connect, unary } from '../support/grpc-client.ts';
import { getText } from '../support/json-api.ts';
import { scratchDirectory, startServer, type TestServer } from '../support/server.ts';

const cpu = 'parca_agent:samples:count:cpu:nanoseconds:delta';
const period = 52_693_702n;
const scratch = await scratchDirectory();
after(() => scratch.remove());
const clock = createClock();
const on = { clock, random: createRandom(), logger: silentLogger, metrics: noMetrics };

function createTable(): ProcessTable {
  return new ProcessTable({
    processLabels: new ProcessLabels({
      proc: new ProcFolder(),
      executables: new ExecutableTable(),
      kubelet: new KubeletLogs(clock, join(scratch.path, 'none')),
      host: { node: 'n1', kernelRelease: '6.1', machine: 'x86_64', agentRevision: 'abc' },
      environmentNames: [],
    }),
    relabel: createRelabeling(defaultRelabelRules, md5),
    externalLabels: [],
    labelLifeMillis: 600_000,
    clock,
  });
}

/** Creates a fake sampler with one process, which returns `count` samples in each batch. */
function madeUpSampler(count: number) {
  let startNanos = clock.nowNanos() - 60_000_000_000n;
  return {
    take: () => {
      const batch = testBatch({
        startNanos,
        endNanos: startNanos + 1_000_000_000n,
        binaries: [kernelBinary, fileBinary('/usr/bin/app', 'ab12')],
        processes: [testProcess({ cgroup: '0::/system.slice/app.service\n' })],
        samples: [
          {
            process: 0,
            frames: [
              [0, 0x10n],
              [1, 0x1234n],
            ],
            count,
          },
        ],
      });
      startNanos += 1_000_000_000n;
      return batch;
    },
    leaveOut: () => undefined,
    leaveOutCgroups: () => undefined,
    setPaused: () => undefined,
    close: () => undefined,
  };
}

function agentParts(): Omit<AgentOptions, 'sampler' | 'sink' | 'onFailure'> {
  return {
    ...on,
    table: createTable(),
    names: {
      kernel: () => new KernelSymbols(Buffer.from('0000000000000001 T startup\n')),
      vdso: undefined,
      jitDumps: new JitDumps(new ProcFolder(), clock, () => -1),
      perfMaps: new PerfMaps(new ProcFolder(), clock),
      binarySymbols: new BinarySymbols(new DebugFolders([])),
      demangle: (name) => name,
      isNamedHere: () => false,
    },
    profile: {
      frequencyHz: 19,
      withCpu: true,
      withThreadId: true,
      withThreadName: true,
      withSampleTimes: true,
      withErrorFrames: false,
    },
    reportMillis: 200,
  };
}

interface RunningAgent {
  readonly sender: Sender;
  readonly queue: RequestQueue;
  /** Stops the agent; its queue stays on disk. */
  stop(): Promise<void>;
}

/** Starts an agent; `change` replaces its connection. */
async function startAgent(
  address: string,
  queueDirectory: string,
  change: (server: Server) => Pick<Server, 'call'> = (server) => server,
  prefersArrow = true,
): Promise<RunningAgent> {
  const server = createServer({
    address,
    isInsecure: true,
    skipsVerify: false,
    caFile: '',
    clientCertFile: '',
    clientKeyFile: '',
    bearerToken: '',
    bearerTokenFile: '',
    headers: [],
    sendBytesMax: 33_554_432,
    receiveBytesMax: 33_554_432,
  });
  const queue = await RequestQueue.open({
    files: createFiles(),
    directory: queueDirectory,
    logger: silentLogger,
    memoryBytesMax: 1_000_000,
    diskBytesMax: 1_000_000,
  });
  const arrow = prefersArrow ? arrowRequests : undefined;
  const limits = { callMillisMax: 5_000, arrow, metricPrefix: 'parca_agent' };
  const sender = new Sender({ ...on, server: change(server), queue, ...limits });
  const agent = new Agent({
    ...agentParts(),
    sampler: madeUpSampler(3),
    sink: async (profiles) => {
      const requests = sender.takesArrow
        ? encodeWriteArrow(profiles, await loadLz4Frames())
        : encodeWriteRaw(await compressProfiles(profiles), 1_000_000);
      for (const request of requests) queue.push(request);
      sender.notify();
    },
    onFailure: (error) => assert.fail(String(error)),
  });
  agent.start();
  sender.start();
  return {
    sender,
    queue,
    stop: async () => {
      await agent.stop();
      await sender.stop(20_000);
      await queue.close();
      server.close();
    },
  };
}

async function waitFor(what: string, isSo: () => boolean): Promise<void> {
  for (let i = 0; i < 2_000; i += 1) {
    if (isSo()) return;
    await sleep(clock, 10);
  }
  assert.fail(`${what} did not happen`);
}

async function sampleCount(server: TestServer): Promise<number> {
  const answer = await getText(server.url, '/profiles/query', {
    mode: 'MODE_MERGE',
    reportType: 'REPORT_TYPE_TOP',
    'merge.query': `${cpu}{node="n1", comm="app", systemd_unit="app.service"}`,
    'merge.start': new Date(Date.now() - 3_600_000).toISOString(),
    'merge.end': new Date(Date.now() + 3_600_000).toISOString(),
  });
  return Number(BigInt(JSON.parse(answer).total) / period);
}

test('samples arrive once each, with labels, whatever happens to server and agent', async () => {
  const storagePath = join(scratch.path, 'data');
  const queueDirectory = join(scratch.path, 'queue');
  let server = await startServer({ storagePath });
  const { address } = server;
  const first = await startAgent(address, queueDirectory);
  await waitFor('sending', () => first.sender.state().sentRequests >= 3);
  // Kills the server in the middle of its work.
  await server.kill();
  await waitFor('waiting on the disk', () => first.queue.state().diskBytes > 0);
  await waitFor('more waiting', () => first.queue.state().requests >= 5);
  await first.stop();
  const sentBefore = first.sender.state().sentRequests;
  const left = first.queue.state().requests;
  assert.ok(left >= 5);
  const second = await startAgent(address, queueDirectory);
  server = await startServer({ storagePath, flags: [`--http-address=${address}`] });
  after(() => server.stop());
  await waitFor('sending again', () => second.sender.state().sentRequests > left);
  await second.stop();
  const { sentRequests } = second.sender.state();
  assert.equal(second.queue.state().requests, 0);
  assert.equal(second.queue.state().droppedRequests, 0);
  assert.equal(await sampleCount(server), 3 * (sentBefore + sentRequests));
});

test('an agent whose sampler has failed says so', async () => {
  const failure = new AppError('internal', 'cannot take samples: the sampling thread has failed');
  const failing = { ...madeUpSampler(1), take: () => assert.fail(failure) };
  const sink = (): Promise<void> => assert.fail('nothing was sampled');
  let agent: Agent | undefined;
  const error = await new Promise<unknown>((resolve) => {
    agent = new Agent({ ...agentParts(), sampler: failing, sink, onFailure: resolve });
    agent.start();
  });
  assert.equal(error, failure);
  await agent?.stop();
});

/** Server that the following tests share. */
let shared: TestServer | undefined;
after(() => shared?.stop());

test('a request that is sent twice is stored once', async () => {
  shared = await startServer({ storagePath: join(scratch.path, 'twice') });
  const server = shared;
  let sent = 0;
  const methods = new Set<string>();
  for (const prefersArrow of [true, false]) {
    const twice = (connection: Server): Pick<Server, 'call'> => ({
      call: async (method, ...request) => {
        methods.add(`${prefersArrow} ${method.slice(method.lastIndexOf('/') + 1)}`);
        await connection.call(method, ...request);
        return connection.call(method, ...request);
      },
    });
    const agent = await startAgent(server.address, '', twice, prefersArrow);
    await waitFor('sending', () => agent.sender.state().sentRequests >= 1);
    await agent.stop();
    sent += agent.sender.state().sentRequests;
  }
  assert.equal(await sampleCount(server), 3 * sent);
  assert.ok(methods.has('true WriteArrow') && !methods.has('false WriteArrow'));
});

test('samples are in the heatmap where the sampler took them, by WriteArrow and by WriteRaw', async () => {
  const server = shared;
  assert.ok(server !== undefined);
  const client = connect(server.address);
  const start = Math.floor(Date.now() / 1_000) * 1_000 - 60_000;
  const nanos = (milli: number): bigint => BigInt(start + milli) * 1_000_000n;
  for (const method of [writeArrowMethod, writeRawMethod]) {
    const comm = method.slice(method.lastIndexOf('/') + 1);
    const batch = testBatch({
      startNanos: nanos(0),
      endNanos: nanos(5_000),
      binaries: [kernelBinary, fileBinary('/usr/bin/app', 'ab12')],
      processes: [testProcess({ name: comm })],
      samples: [{ process: 0, frames: [[1, 0x1234n]], count: 3, at: 400_000_000n }],
    });
    const { names, profile, table } = agentParts();
    const resolver = new FrameResolver(names, batch.binaries);
    const { profiles } = makeProfiles(batch, table, resolver, profile);
    const requests =
      method === writeArrowMethod
        ? encodeWriteArrow(profiles, await loadLz4Frames())
        : encodeWriteRaw(await compressProfiles(profiles), 1_000_000);
    for (const request of requests) await unary(client, method, request);
    const heatmap = async (from: number, to: number): Promise<unknown> => {
      const text = await getText(server.url, '/v1/heatmap', {
        query: `${cpu}{comm="${comm}"}`,
        start: new Date(start + from).toISOString(),
        end: new Date(start + to).toISOString(),
        by: 'thread_id',
      });
      const { lines, untimed } = JSON.parse(text) as {
        readonly lines: readonly { readonly buckets: unknown; readonly values: unknown }[];
        readonly untimed: string;
      };
      return [lines.map(({ buckets, values }) => [buckets, values]), untimed];
    };
    const one = String(period);
    // The chart has cells of 20 ms; the samples are at 400, 500 and 600 ms.
    assert.deepEqual(
      await heatmap(0, 999),
      [
        [
          [
            [20, 25, 30],
            [one, one, one],
          ],
        ],
        '0',
      ],
      comm,
    );
    assert.deepEqual(
      await heatmap(450, 550),
      [
        [
          [
            [20, 25],
            [one, one],
          ],
        ],
        '0',
      ],
      comm,
    );
  }
  client.close();
});

test('the server takes debug information of a file once', async () => {
  const server = shared;
  assert.ok(server !== undefined);
  const connection = createServer({
    address: server.address,
    isInsecure: true,
    skipsVerify: false,
    caFile: '',
    clientCertFile: '',
    clientKeyFile: '',
    bearerToken: '',
    bearerTokenFile: '',
    headers: [],
    sendBytesMax: 33_554_432,
    receiveBytesMax: 1_000_000,
  });
  const opened = openRegularFile(process.execPath);
  assert.ok(opened !== undefined);
  const { gnu } = await readBuildIds(await readElf(opened.file));
  assert.ok(gnu !== undefined);
  const offer = { buildId: gnu, kind: 'gnu' } as const;
  const client = new DebuginfoClient(connection);
  const { signal } = new AbortController();
  assert.equal((await client.isWanted(offer, 10_000, signal)).isWanted, true);
  const extract = await extractDebuginfo(await readElf(opened.file));
  assert.ok(extract !== undefined);
  const file = { size: extract.size, hash: 'one', pieces: () => extract.pieces() };
  await client.upload(offer, file, 60_000, signal);
  assert.equal((await client.isWanted(offer, 10_000, signal)).isWanted, false);
  opened.close();
  connection.close();
});
