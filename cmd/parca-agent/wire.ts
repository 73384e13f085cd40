// Creates and connects the parts of the agent.
import { availableParallelism, hostname } from 'node:os';
import { Agent } from '../../agent/sampling/agent.ts';
import type { AgentConfig } from '../../agent/config/agent-config.ts';
import { DebuginfoClient } from '../../agent/debuginfo/debuginfo-client.ts';
import { processWith } from '../../agent/debuginfo/part-files.ts';
import { DebuginfoUploader } from '../../agent/debuginfo/uploader.ts';
import { BinarySymbols } from '../../agent/frames/binary-symbols.ts';
import { DebugFolders } from '../../agent/frames/debug-folders.ts';
import type { NameSources } from '../../agent/frames/frame-resolver.ts';
import { KernelNames } from '../../agent/frames/kernel-names.ts';
import { JitDumps } from '../../agent/frames/jit-dumps.ts';
import { PerfMaps } from '../../agent/frames/perf-maps.ts';
import { remember } from '../../agent/frames/remember.ts';
import { readVdsoSymbols } from '../../agent/frames/vdso.ts';
import { garbageBytesMax, waitingBytesMax } from '../../agent/limits.ts';
import { flushMillisMax, queueMemoryBytesMax, requestBytesMax } from '../../src/forward/limits.ts';
import { missingCapabilities } from '../../agent/privileges.ts';
import { ExecutableTable } from '../../agent/process/executable.ts';
import { ProbabilisticSampling } from '../../agent/sampling/probabilistic-sampling.ts';
import { ProcFolder } from '../../agent/process/proc-folder.ts';
import type { ProcessTable } from '../../agent/process/process-table.ts';
import { shareNextRun } from '../../src/base/next-run.ts';
import { createServer, type Server } from '../../src/base/node/grpc-client.ts';
import { LocalStore } from '../../agent/send/local-store.ts';
import { RequestQueue } from '../../src/forward/request-queue.ts';
import { Sender } from '../../src/forward/sender.ts';
import { arrowRequests, encodeWriteArrow } from '../../agent/send/write-arrow.ts';
import { compressProfiles } from '../../agent/send/compress-profiles.ts';
import { encodeWriteRaw } from '../../src/forward/write-raw.ts';
import { type AgentStatus, executableRows, processRows } from '../../agent/status/status.ts';
import { openStatusServer, type StatusServer } from '../../agent/status/status-server.ts';
import { openDemangler, openFilesOfProcesses, openSampler } from '../../bpf/index.ts';
import type { Binary, Sampler } from '../../bpf/sampler.ts';
import { errorMessage } from '../../src/base/errors.ts';
import { createCollector, objectBytes } from '../../src/base/node/memory.ts';
import { loadLz4Frames } from '../../src/formats/arrow/lz4-frame.ts';
import { SelfProfiler } from '../../src/telemetry/self-profile.ts';
import { createMachine, type Machine } from '../machine.ts';
import { projectFolder, type BuildInfo } from '../build-info.ts';
import type { Flags } from './flags.ts';
import { openLabels, type OpenLabels, rulesOfGroups } from './open-labels.ts';
import { withOtherNames } from '../other-names.ts';
import { agentNames, countAgentCalls } from './parca-metrics.ts';

/** A running agent. */
export interface Program {
  /** Sends the samples so far, if possible, and closes everything. */
  stop(reason: string): Promise<void>;
  /** Returns the part that `stop` is waiting for. */
  closing(): string;
}

/** Server or folder for the profiles. */
interface Destination {
  readonly text: string;
  readonly server: Server | undefined;
  readonly queue: RequestQueue | undefined;
  readonly sender: Sender | undefined;
  readonly uploader: DebuginfoUploader | undefined;
  readonly store: LocalStore | undefined;
}

/**
 * Starts the agent, and resolves when it is sampling. `onFailure` is called if sampling fails
 * later.
 *
 * Errors: AppError for missing privileges, an address in use, a queue in use.
 */
export async function startProgram(
  flags: Flags,
  config: AgentConfig,
  build: BuildInfo,
  onFailure: (error: unknown) => void,
): Promise<Program> {
  const on = createMachine(flags, build);
  const folders = new DebugFolders(flags.debuginfoDirectories);
  const destination = await openDestination(on, flags, folders);
  const sampler = openSampler(samplerOptions(flags, rulesOfGroups(flags, config).length > 0));
  const collectGarbage = createCollector(garbageBytesMax, objectBytes);
  const collect = (): void => collectGarbage(0);
  const names = await createNames(on, flags, folders, destination.uploader, collect);
  const executables = new ExecutableTable();
  const labels = await openLabels({ on, flags, config, build, executables });
  const { table } = labels;
  const parts = { sampler, table, executables, collect, onFailure };
  const agent = createAgent(on, flags, parts, names, destination);
  const profiler = new SelfProfiler(on.clock, projectFolder);
  observe(on.metrics, destination, agent);
  const web =
    flags.webConfigFile === ''
      ? undefined
      : await (await import('./open-web.ts')).openAgentWeb(on, flags.webConfigFile);
  const allowedHosts = [hostname().toLowerCase(), flags.node.toLowerCase()];
  const door = { gate: web?.gate, tls: web?.tls, allowedHosts };
  let http: StatusServer;
  try {
    http = await openStatusServer(
      flags.httpAddress,
      {
        status: () => ({
          version: `${build.version} (${build.commit.slice(0, 12)})`,
          node: flags.node || hostname(),
          ...readStatus(agent, table, names, destination),
        }),
        metricsText: shareNextRun(() => on.metrics.text()),
        cpuProfile: (seconds, signal) => profiler.cpu(seconds, signal),
        heapProfile: () => profiler.heap(),
        problem: () => (agent.sampler() === undefined ? 'no samples yet' : undefined),
        logger: on.logger,
      },
      door,
    );
  } catch (error) {
    sampler.close();
    await destination.queue?.close();
    throw error;
  }
  agent.start();
  const lots = new ProbabilisticSampling({
    ...on,
    sampler,
    intervalMillis: flags.probabilisticMillis,
    threshold: flags.probabilisticThreshold,
  });
  destination.sender?.start();
  for (const notice of names.notices()) on.logger.warn(notice);
  on.logger.info('ready', {
    address: http.address,
    url: `${web?.tls.isOn === true ? 'https' : 'http'}://${http.address}/`,
    destination: destination.text,
    version: build.version,
    millis: Math.round(performance.now()),
  });
  return createProgram(on, agent, destination, http, { profiler, labels, lots });
}

interface AgentParts {
  readonly sampler: Sampler;
  readonly table: ProcessTable;
  readonly executables: ExecutableTable;
  /** Collects garbage if a lot has accumulated. */
  collect(): void;
  onFailure(error: unknown): void;
}

function createAgent(
  on: Machine,
  flags: Flags,
  { sampler, table, executables, collect, onFailure }: AgentParts,
  { sources }: Names,
  { store, queue, sender, uploader }: Destination,
): Agent {
  return new Agent({
    ...on,
    metrics: withOtherNames(on.metrics, agentNames),
    sampler,
    table,
    names: sources,
    profile: flags,
    reportMillis: flags.reportMillis,
    onFailure,
    onBatch: async (batch) => {
      const { binaries, processes } = batch;
      await executables.load(processes.map(({ binary }) => binaries[binary]));
      await table.load(processes);
      uploader?.offer(binaries, (row) => processWith(batch, row));
      const isNamedHere = (binary: Binary): boolean => sources.isNamedHere(binary);
      await sources.binarySymbols.load(binaries.filter(isNamedHere));
      sources.binarySymbols.forget(binaries.filter((binary) => !isNamedHere(binary)));
    },
    sink: async (profiles, timeNanos) => {
      // There is garbage now: sent profiles, and files that were read for names and uploads.
      collect();
      await store?.write(await compressProfiles(profiles), timeNanos);
      if (queue === undefined) return;
      const requests =
        sender?.takesArrow === true
          ? encodeWriteArrow(profiles, await loadLz4Frames())
          : encodeWriteRaw(await compressProfiles(profiles), requestBytesMax);
      for (const request of requests) queue.push(request);
      sender?.notify();
    },
  });
}

function readStatus(
  agent: Agent,
  table: ProcessTable,
  names: Names,
  { text, sender, queue, uploader }: Destination,
): Omit<AgentStatus, 'version' | 'node'> {
  return {
    destination: text,
    ...usage(),
    sampler: agent.sampler(),
    sender: sender?.state(),
    queue: queue?.state(),
    uploads: uploader?.state(),
    symbols: names.describe(),
    notices: names.notices(),
    processes: processRows(table.all()),
    executables: executableRows(agent.health.all()),
    interpreters: agent.health.interpreters(),
  };
}

function samplerOptions(flags: Flags, readsCgroups: boolean): Parameters<typeof openSampler>[0] {
  const { frequencyHz, tableBytesMax, ringBytes } = flags;
  const options = { frequencyHz, tableBytesMax, ringBytes, waitingBytesMax, readsCgroups };
  return flags.pids.length === 0 ? options : { ...options, pids: flags.pids };
}

async function openDestination(
  on: Machine,
  flags: Flags,
  folders: DebugFolders,
): Promise<Destination> {
  if (flags.localStoreDirectory !== '') {
    await on.files.makeDirectory(flags.localStoreDirectory);
    return {
      text: `profiles in ${flags.localStoreDirectory}`,
      server: undefined,
      queue: undefined,
      sender: undefined,
      uploader: undefined,
      store: new LocalStore(on.files, flags.localStoreDirectory),
    };
  }
  const connection = createServer({
    address: flags.remoteStoreAddress,
    isInsecure: flags.remoteStoreInsecure,
    flagNames: { insecure: '--remote-store-insecure', caFile: '--remote-store-ca-cert' },
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
  const server = countAgentCalls(connection, on.metrics, on.clock);
  const queue = await RequestQueue.open({
    ...on,
    directory: flags.queueDirectory,
    memoryBytesMax: queueMemoryBytesMax,
    diskBytesMax: flags.queueBytesMax,
  });
  const sender = new Sender({
    ...on,
    metrics: withOtherNames(on.metrics, agentNames),
    server,
    queue,
    callMillisMax: flags.remoteStoreCallMillisMax,
    arrow: flags.remoteStoreUseV2Schema ? arrowRequests : undefined,
    metricPrefix: 'parca_agent',
  });
  const uploader = flags.debuginfoUploads ? createUploader(on, flags, folders, server) : undefined;
  const text = `sends to ${flags.remoteStoreAddress}`;
  return { text, server, queue, sender, uploader, store: undefined };
}

function createUploader(
  on: Machine,
  flags: Flags,
  folders: DebugFolders,
  server: Server,
): DebuginfoUploader {
  return new DebuginfoUploader({
    ...on,
    client: new DebuginfoClient(server),
    folders,
    openFile: openFilesOfProcesses(),
    parallel: flags.debuginfoParallel,
    queueMax: flags.debuginfoQueueMax,
    callMillisMax: flags.debuginfoCallMillisMax,
    strips: flags.debuginfoStrips,
  });
}

/** Sources of function names, and their state for the status page. */
interface Names {
  readonly sources: NameSources;
  describe(): string;
  notices(): readonly string[];
}

async function createNames(
  on: Machine,
  flags: Flags,
  folders: DebugFolders,
  uploader: DebuginfoUploader | undefined,
  collect: () => void,
): Promise<Names> {
  const kernel = new KernelNames(on.clock);
  const mode = flags.symbolizeLocally;
  const vdso = await attemptVdso();
  const proc = new ProcFolder();
  return {
    sources: {
      kernel: () => kernel.current(),
      vdso: vdso.symbols,
      jitDumps: new JitDumps(proc, on.clock, openFilesOfProcesses()),
      perfMaps: new PerfMaps(proc, on.clock),
      // Names are remembered, because demangling would otherwise take half of a batch's time: 30 us
      // for each C++ or Rust frame.
      demangle: remember(openDemangler()),
      binarySymbols: new BinarySymbols(folders, collect),
      isNamedHere: (binary) =>
        mode === 'auto' ? uploader?.hasUploaded(binary) !== true : mode === 'true',
    },
    describe: () => symbolModes[mode],
    notices: () => [
      ...missingCapabilities(),
      ...[kernel.problem(), vdso.problem].filter((text) => text !== ''),
    ],
  };
}

const symbolModes: Readonly<Record<Flags['symbolizeLocally'], string>> = {
  true: 'by the agent, from symbol tables',
  false: 'by the server',
  auto: 'by the server where it has debug information, else by the agent',
};

/** Reads the vDSO. If this fails, only the functions of the vDSO have no names. */
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

/** Returns the resource usage of the process, including the sampler's native threads. */
function usage(): Pick<AgentStatus, 'uptimeSeconds' | 'cpuSeconds' | 'memoryBytes'> {
  const { user, system } = process.cpuUsage();
  return {
    uptimeSeconds: process.uptime(),
    cpuSeconds: (user + system) / 1e6,
    memoryBytes: process.memoryUsage.rss(),
  };
}

function observe(metrics: Machine['metrics'], { queue }: Destination, agent: Agent): void {
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

/** Parts that no other part depends on. */
interface SmallParts {
  readonly profiler: SelfProfiler;
  readonly labels: OpenLabels;
  readonly lots: ProbabilisticSampling;
}

/**
 * Creates the program. Its `stop` first stops the sampler, then the parts that process the
 * sampler's last batch.
 */
function createProgram(
  { logger }: Machine,
  agent: Agent,
  { sender, queue, server, uploader }: Destination,
  http: StatusServer,
  { profiler, labels, lots }: SmallParts,
): Program {
  const parts: readonly (readonly [name: string, stop: () => unknown])[] = [
    ['the lots', () => lots.stop()],
    ['the sampler', () => agent.stop()],
    ['uploads', () => uploader?.stop()],
    ['requests to the server', () => sender?.stop(flushMillisMax)],
    ['the queue', () => queue?.close()],
    ['connections to the server', () => server?.close()],
    ['the profiler', () => profiler.stop()],
    ['the watch of pods and containers', () => labels.stop()],
    ['the status page', () => http.close()],
  ];
  let closing = '';
  return {
    stop: async (reason) => {
      logger.info('stopping', { reason });
      for (const [name, stop] of parts) {
        closing = name;
        await stop();
      }
      logger.info('stopped', { queuedRequests: queue?.state().requests });
    },
    closing: () => closing,
  };
}
