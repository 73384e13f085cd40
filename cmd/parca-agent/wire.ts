// The one place where the parts of the agent are made and joined.
import { availableParallelism, hostname, machine, release } from 'node:os';
import { Agent } from '../../agent/agent.ts';
import type { AgentConfig } from '../../agent/config/agent-config.ts';
import { defaultRelabelRules } from '../../agent/config/default-relabeling.ts';
import { BinarySymbols } from '../../agent/frames/binary-symbols.ts';
import { DebugFolders } from '../../agent/frames/debug-folders.ts';
import type { NameSources } from '../../agent/frames/frame-resolver.ts';
import { KernelNames } from '../../agent/frames/kernel-names.ts';
import { PerfMaps } from '../../agent/frames/perf-maps.ts';
import { readVdsoSymbols } from '../../agent/frames/vdso.ts';
import { flushMillisMax, queueMemoryBytesMax, requestBytesMax } from '../../agent/limits.ts';
import { ExecutableTable } from '../../agent/process/executable.ts';
import { KubeletLogs, kubeletLogFolder } from '../../agent/process/kubelet.ts';
import { ProcFolder } from '../../agent/process/proc-folder.ts';
import { ProcessLabels } from '../../agent/process/process-labels.ts';
import { ProcessTable } from '../../agent/process/process-table.ts';
import { createServer, type Server } from '../../agent/send/grpc-client.ts';
import { LocalStore } from '../../agent/send/local-store.ts';
import { RequestQueue } from '../../agent/send/request-queue.ts';
import { Sender } from '../../agent/send/sender.ts';
import { encodeWriteRaw } from '../../agent/send/write-raw.ts';
import { type AgentStatus, executableRows, processRows } from '../../agent/status/status.ts';
import { openStatusServer, type StatusServer } from '../../agent/status/status-server.ts';
import { openSampler } from '../../bpf/index.ts';
import { errorMessage } from '../../src/base/errors.ts';
import { createLogger, type Logger } from '../../src/base/logger.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { createFiles } from '../../src/base/node/files.ts';
import { md5 } from '../../src/base/node/md5.ts';
import { createRandom } from '../../src/base/node/random.ts';
import { createRelabeling } from '../../src/model/relabel.ts';
import { createMetricsRegistry, type MetricsRegistry } from '../../src/telemetry/metrics.ts';
import { SelfProfiler } from '../../src/telemetry/self-profile.ts';
import { projectFolder, type BuildInfo } from '../parca/build-info.ts';
import type { Flags } from './flags.ts';

/** A running agent. */
export interface Program {
  /** Sends what was sampled until now, as far as that goes, and closes everything. */
  stop(signal: string): Promise<void>;
}

interface Machine {
  readonly clock: ReturnType<typeof createClock>;
  readonly files: ReturnType<typeof createFiles>;
  readonly random: ReturnType<typeof createRandom>;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/** Where profiles go. */
interface Destination {
  readonly text: string;
  readonly server: Server | undefined;
  readonly queue: RequestQueue | undefined;
  readonly sender: Sender | undefined;
  readonly store: LocalStore | undefined;
}

/**
 * Starts the agent; resolves when it samples.
 *
 * Errors: AppError with one clear line: missing privileges, address in use, queue in use.
 */
export async function startProgram(
  flags: Flags,
  config: AgentConfig,
  build: BuildInfo,
): Promise<Program> {
  const on = createMachine(flags, build);
  const destination = await openDestination(on, flags);
  const sampler = openSampler(samplerOptions(flags));
  const names = await createNames(on, flags);
  const executables = new ExecutableTable();
  const table = createTable(on, flags, config, build, executables);
  const agent = new Agent({
    ...on,
    ...{ sampler, table, names: names.sources },
    profile: flags,
    onBatch: async ({ binaries, processes }) => {
      await executables.load(processes.map(({ binary }) => binaries[binary]));
      await names.sources.binarySymbols()?.load(binaries);
    },
    reportMillis: flags.reportMillis,
    sink: async (profiles, timeNanos) => {
      await destination.store?.write(profiles, timeNanos);
      if (destination.queue === undefined) return;
      for (const request of encodeWriteRaw(profiles, requestBytesMax)) {
        destination.queue.push(request);
      }
      destination.sender?.notify();
    },
  });
  const profiler = new SelfProfiler(on.clock, projectFolder);
  const status = (): AgentStatus => ({
    version: `${build.version} (${build.commit.slice(0, 12)})`,
    node: flags.node || hostname(),
    destination: destination.text,
    ...usage(),
    sampler: agent.sampler(),
    sender: destination.sender?.state(),
    queue: destination.queue?.state(),
    symbols: names.describe(),
    notices: names.notices(),
    processes: processRows(table.all()),
    executables: executableRows(agent.health.all()),
  });
  observe(on.metrics, destination, agent);
  let http: StatusServer;
  try {
    http = await openStatusServer(flags.httpAddress, {
      status,
      metricsText: () => on.metrics.text(),
      cpuProfile: (seconds, signal) => profiler.cpu(seconds, signal),
      heapProfile: () => profiler.heap(),
      problem: () => (agent.sampler() === undefined ? 'no samples yet' : undefined),
      logger: on.logger,
    });
  } catch (error) {
    sampler.close();
    await destination.queue?.close();
    throw error;
  }
  agent.start();
  destination.sender?.start();
  for (const notice of names.notices()) on.logger.warn(notice);
  on.logger.info('ready', {
    ...{ address: http.address, url: `http://${http.address}/`, destination: destination.text },
    version: build.version,
    millis: Math.round(performance.now()),
  });
  return { stop: (signal) => stopAll(on, signal, agent, destination, http, profiler) };
}

function createMachine(flags: Flags, build: BuildInfo): Machine {
  const clock = createClock();
  return {
    clock,
    files: createFiles(),
    random: createRandom(),
    logger: createLogger({
      level: flags.logLevel,
      format: flags.logFormat,
      nowMillis: () => clock.nowMillis(),
      write: (line) => process.stderr.write(`${line}\n`),
    }),
    metrics: createMetricsRegistry(build),
  };
}

function samplerOptions(flags: Flags): Parameters<typeof openSampler>[0] {
  // A late batch loses nothing until it is four times too late.
  const expected = flags.frequencyHz * availableParallelism() * (flags.reportMillis / 1_000);
  const options = {
    frequencyHz: flags.frequencyHz,
    tableBytesMax: flags.tableBytesMax,
    ringBytes: flags.ringBytes,
    batchSamplesMax: Math.max(65_536, Math.ceil(expected * 4)),
  };
  return flags.pids.length === 0 ? options : { ...options, pids: flags.pids };
}

async function openDestination(on: Machine, flags: Flags): Promise<Destination> {
  if (flags.localStoreDirectory !== '') {
    await on.files.makeDirectory(flags.localStoreDirectory);
    return {
      text: `profiles in ${flags.localStoreDirectory}`,
      ...{ server: undefined, queue: undefined, sender: undefined },
      store: new LocalStore(on.files, flags.localStoreDirectory),
    };
  }
  const server = createServer({
    address: flags.remoteStoreAddress,
    isInsecure: flags.remoteStoreInsecure,
    skipsVerify: flags.remoteStoreInsecureSkipVerify,
    caFile: flags.remoteStoreCaCert,
    clientCertFile: flags.remoteStoreClientCert,
    clientKeyFile: flags.remoteStoreClientKey,
    bearerToken: flags.remoteStoreBearerToken,
    bearerTokenFile: flags.remoteStoreBearerTokenFile,
    headers: flags.remoteStoreHeaders,
    sendBytesMax: flags.remoteStoreSendBytesMax,
    receiveBytesMax: flags.remoteStoreReceiveBytesMax,
  });
  const queue = await RequestQueue.open({
    ...on,
    directory: flags.queueDirectory,
    memoryBytesMax: queueMemoryBytesMax,
    diskBytesMax: flags.queueBytesMax,
  });
  const sender = new Sender({
    ...on,
    server,
    queue,
    callMillisMax: flags.remoteStoreCallMillisMax,
  });
  return { text: `sends to ${flags.remoteStoreAddress}`, server, queue, sender, store: undefined };
}

function createTable(
  on: Machine,
  flags: Flags,
  config: AgentConfig,
  build: BuildInfo,
  executables: ExecutableTable,
): ProcessTable {
  const processLabels = new ProcessLabels({
    proc: new ProcFolder(),
    executables,
    kubelet: new KubeletLogs(on.clock, kubeletLogFolder),
    host: {
      node: flags.node || hostname(),
      kernelRelease: release(),
      machine: machine(),
      agentRevision: build.commit,
    },
    environmentNames: flags.includeEnvVars,
  });
  return new ProcessTable({
    processLabels,
    relabel: createRelabeling(config.relabelRules ?? defaultRelabelRules, md5),
    externalLabels: flags.externalLabels,
    labelLifeMillis: flags.labelLifeMillis,
    clock: on.clock,
  });
}

/** The names of functions, and what is said about them. */
interface Names {
  readonly sources: NameSources;
  describe(): string;
  notices(): readonly string[];
}

async function createNames(on: Machine, flags: Flags): Promise<Names> {
  const kernel = new KernelNames(on.clock);
  const symbols = new BinarySymbols(new DebugFolders(flags.debuginfoDirectories));
  // No debug information is uploaded yet, so no server has it.
  const isLocal = (): boolean => flags.symbolizeLocally !== 'false';
  const vdso = await attemptVdso();
  return {
    sources: {
      kernel: () => kernel.current(),
      vdso: vdso.symbols,
      perfMaps: new PerfMaps(new ProcFolder(), on.clock),
      binarySymbols: () => (isLocal() ? symbols : undefined),
    },
    describe: () => (isLocal() ? 'by the agent, from symbol tables' : 'by the server'),
    notices: () => [kernel.problem(), vdso.problem].filter((text) => text !== ''),
  };
}

/** Without the vDSO its functions have no names, and everything else works. */
async function attemptVdso(): Promise<{
  readonly symbols: NameSources['vdso'];
  readonly problem: string;
}> {
  try {
    return { symbols: await readVdsoSymbols(), problem: '' };
  } catch (error) {
    return { symbols: undefined, problem: errorMessage(error) };
  }
}

/** The native threads of the sampler belong to the process, and are counted with it. */
function usage(): Pick<AgentStatus, 'uptimeSeconds' | 'cpuSeconds' | 'memoryBytes'> {
  const { user, system } = process.cpuUsage();
  return {
    uptimeSeconds: process.uptime(),
    cpuSeconds: (user + system) / 1e6,
    memoryBytes: process.memoryUsage.rss(),
  };
}

function observe(metrics: MetricsRegistry, { queue }: Destination, agent: Agent): void {
  metrics.observedGauge('parca_agent_num_cpu', 'CPUs of the host.', () => availableParallelism());
  if (queue !== undefined) {
    metrics.observedGauge('parca_agent_queue_requests', 'Requests that wait.', () => {
      return queue.state().requests;
    });
    metrics.observedGauge('parca_agent_queue_bytes', 'Bytes of requests that wait.', () => {
      const { memoryBytes, diskBytes } = queue.state();
      return memoryBytes + diskBytes;
    });
    metrics.observedGauge(
      'parca_agent_queue_dropped_requests',
      'Requests dropped because too many waited.',
      () => queue.state().droppedRequests,
    );
  }
  metrics.observedGauge(
    'parca_agent_unwind_table_bytes',
    'Memory of the kernel for unwinding tables.',
    () => agent.sampler()?.tableBytes ?? 0,
  );
}

/** The sampler first, then what its last batch goes through. */
async function stopAll(
  { logger }: Machine,
  signal: string,
  agent: Agent,
  { sender, queue, server }: Destination,
  http: StatusServer,
  profiler: SelfProfiler,
): Promise<void> {
  logger.info('stopping', { signal });
  await agent.stop();
  await sender?.stop(flushMillisMax);
  await queue?.close();
  server?.close();
  profiler.stop();
  await http.close();
  logger.info('stopped', { queuedRequests: queue?.state().requests });
}
