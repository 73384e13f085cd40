// Benchmark of the agent's cost: kernel time per sample, CPU time when idle and busy, memory with
// 100 busy processes, and time from start to the first uploaded batch.
//
// Other programs on the machine are sampled, too. Each figure is the smallest of several runs.
// BENCH_AGENT=samples measures only the time per sample, at 19 and at 997 Hz, and takes a minute;
// BENCH_AGENT=process measures only the agent's process, and takes five minutes.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSampler } from '../../bpf/index.ts';
import type { SampleBatch } from '../../bpf/sampler.ts';
import { scratchDirectory, startServer, type TestServer } from '../../test/support/server.ts';
import { cpuSeconds, memoryMegabytes } from '../figures.ts';
import { median } from '../measure.ts';

const agentProgram = new URL('../../cmd/parca-agent/main.ts', import.meta.url).pathname;
const source = new URL('busy.c', import.meta.url).pathname;
const statsSetting = '/proc/sys/kernel/bpf_stats_enabled';
const frequencyHz = 19;
/** High enough that the data needed for a sample stays in the CPU caches. */
const warmFrequencyHz = 997;
/** Longer than the agent's interval between batches, including jitter. */
const windowMillis = 15_000;
const runs = 3;
const processCount = 100;

if (process.geteuid?.() !== 0) {
  console.log('not run: sampling needs root');
  process.exit();
}
const cpus = availableParallelism();
const scratch = await scratchDirectory();
const busy = join(scratch.path, 'busy');
execFileSync('cc', ['-O2', '-fomit-frame-pointer', '-pthread', '-o', busy, source]);
const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});
// On these signals, exits through the 'exit' handler, which kills the busy processes.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const part = process.env['BENCH_AGENT'];
if (part !== 'process') {
  for (const hz of part === 'samples' ? [frequencyHz, warmFrequencyHz] : [frequencyHz]) {
    const micros: number[] = [];
    for (let i = 0; i < runs; i += 1) micros.push(await sampleMicros(hz));
    report(`BPF time of a sample at depth 20, ${hz} Hz`, least(micros), 10, 'us');
  }
}
if (part !== 'samples') await measureAgent();
await scratch.remove();

async function measureAgent(): Promise<void> {
  const server = await startServer({ storagePath: join(scratch.path, 'data') });
  try {
    const [starts, idle, loaded, memory]: number[][] = [[], [], [], []];
    for (let i = 0; i < runs; i += 1) {
      const agent = await startAgent(server);
      starts.push(agent.firstBatchSeconds);
      await sleep(windowMillis);
      idle.push(await cpuPercent(agent.pid));
      const load = start(busy, [String(cpus)]);
      // Leaves the agent time to build unwind tables and to read names, which it does only once.
      await sleep(windowMillis);
      loaded.push(await cpuPercent(agent.pid));
      await stop(load);
      memory.push(await memoryWithProcesses(agent.pid));
      await stop(agent.child);
    }
    report('start to first sent batch', least(starts), 8, 's');
    report('CPU of the agent, idle host', least(idle), 1, '% of a core');
    report(`CPU of the agent, ${cpus} busy cores`, least(loaded), 3, '% of a core');
    report(`RSS with ${processCount} busy processes`, least(memory), 150, 'MB');
  } finally {
    await server.stop();
  }
}

function report(what: string, figure: number, goal: number, unit: string): void {
  const verdict = figure <= goal ? 'ok' : 'NOT';
  console.log(`${what}: ${figure.toFixed(2)} ${unit}, goal <= ${goal}, ${verdict}`);
}

function least(values: readonly number[]): number {
  console.log(`  runs: ${values.map((value) => value.toFixed(2)).join(', ')}`);
  return Math.min(...values);
}

/** Starts a program that ends with this process. */
function start(program: string, args: readonly string[]): ChildProcess {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  children.add(child);
  return child;
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  children.delete(child);
}

/**
 * Returns the median kernel time per sample in µs, as counted by the kernel. The count includes all
 * processes of the host, but nearly all samples are of the busy process.
 */
async function sampleMicros(hz: number): Promise<number> {
  const load = start(busy, [String(cpus)]);
  const { pid } = load;
  if (pid === undefined) throw new Error('cannot start the busy program');
  const setting = readFileSync(statsSetting, 'utf8');
  const restore = (): void => writeFileSync(statsSetting, setting);
  process.once('exit', restore);
  writeFileSync(statsSetting, '1');
  const sampler = openSampler({
    frequencyHz: hz,
    tableBytesMax: 64 << 20,
    ringBytes: 1 << 20,
    waitingBytesMax: 64 << 20,
  });
  try {
    // Leaves the sampler time to build the unwind table of the C library.
    await sleep(2_500);
    let last = sampler.take().counters;
    const micros: number[] = [];
    const depths: number[] = [];
    for (let i = 0; i < 10; i += 1) {
      await sleep(1_030);
      const batch = sampler.take();
      const { programNanos, samples } = batch.counters;
      if (samples > last.samples) {
        micros.push((programNanos - last.programNanos) / (samples - last.samples) / 1_000);
      }
      depths.push(...userDepths(batch, pid));
      last = batch.counters;
    }
    console.log(`  ${depths.length} samples of the busy process, depth ${median(depths)}`);
    return median(micros);
  } finally {
    sampler.close();
    restore();
    process.off('exit', restore);
    await stop(load);
  }
}

function userDepths({ samples, processes, stacks, frames }: SampleBatch, pid: number): number[] {
  return Array.from(samples.stack).flatMap((row, i) => {
    if (processes[samples.process[i]]?.pid !== pid) return [];
    const end = row + 1 < stacks.count ? stacks.frameStart[row + 1] : frames.count;
    return [end - stacks.frameStart[row] - stacks.kernelFrameCount[row]];
  });
}

interface RunningAgent {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Time from the start of the process to the server's response. */
  readonly firstBatchSeconds: number;
}

async function startAgent({ address }: TestServer): Promise<RunningAgent> {
  const started = performance.now();
  const child = start(process.execPath, [
    agentProgram,
    '--http-address=127.0.0.1:0',
    `--remote-store-address=${address}`,
    '--remote-store-insecure',
    `--queue-directory=${join(scratch.path, 'queue')}`,
  ]);
  let log = '';
  child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  for (;;) {
    if (child.exitCode !== null || child.pid === undefined) throw new Error(`no agent:\n${log}`);
    const url = /msg=ready address=(\S+)/.exec(log)?.[1];
    if (url !== undefined) {
      const status = await (await fetch(`http://${url}/status.json`)).json();
      if (sentRequests(status) > 0) break;
    }
    await sleep(50);
  }
  return { child, pid: child.pid, firstBatchSeconds: (performance.now() - started) / 1_000 };
}

function sentRequests(status: unknown): number {
  return (status as { sender?: { sentRequests: number } }).sender?.sentRequests ?? 0;
}

/** Returns the CPU time of all threads, user and system, as a percentage of a core. */
async function cpuPercent(pid: number): Promise<number> {
  const [before, started] = [await cpuSeconds(pid), performance.now()];
  await sleep(windowMillis);
  return ((await cpuSeconds(pid)) - before) / ((performance.now() - started) / 1e5);
}

/**
 * Returns the largest of ten readings of the agent's memory in MB, while busy processes run: half
 * of them C programs, half of them Node.
 */
async function memoryWithProcesses(pid: number): Promise<number> {
  const load = Array.from({ length: processCount }, (_, i) =>
    i % 2 === 0 ? start(busy, []) : start(process.execPath, ['-e', 'for (;;);']),
  );
  const readings: number[] = [];
  await sleep(windowMillis);
  for (let i = 0; i < 10; i += 1) {
    await sleep(1_000);
    readings.push((await memoryMegabytes(pid)).now);
  }
  console.log(`  peak of the agent's memory: ${(await memoryMegabytes(pid)).peak.toFixed(0)} MB`);
  await Promise.all(load.map(stop));
  return Math.max(...readings);
}
