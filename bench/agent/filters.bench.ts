// Benchmark of the kernel time per clock tick in four cases: the tick is sampled, it is sampled
// with the control group's id, or it is skipped because of its control group or its process. One
// program keeps the cores busy; in the last two cases, all other programs are skipped, too.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSampler } from '../../bpf/index.ts';
import { TestGroup } from '../../bpf/testing/control-groups.ts';
import { scratchDirectory } from '../../test/support/server.ts';
import { median } from '../measure.ts';

const source = new URL('busy.c', import.meta.url).pathname;
const statsSetting = '/proc/sys/kernel/bpf_stats_enabled';
/** High enough for hundreds of ticks per round. */
const frequencyHz = 997;
const rounds = 2;
const secondsOfRound = 3;
const ways = ['sampled', 'sampled, ids read', 'group left out', 'process left out'] as const;
type Way = (typeof ways)[number];

if (process.geteuid?.() !== 0) {
  console.log('not run: sampling needs root');
  process.exit();
}
const scratch = await scratchDirectory();
const busy = join(scratch.path, 'busy');
execFileSync('cc', ['-O2', '-fomit-frame-pointer', '-pthread', '-o', busy, source]);
const setting = readFileSync(statsSetting, 'utf8');
const group = new TestGroup(`bench-${process.pid}`);
// The busy program has a high priority, so that other programs get few ticks.
const command = ['-n', '-15', busy, String(availableParallelism())];
const load: ChildProcess = spawn('nice', command, { stdio: 'ignore' });
process.on('exit', () => {
  load.kill('SIGKILL');
  writeFileSync(statsSetting, setting);
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
writeFileSync(statsSetting, '1');
const { pid } = load;
if (pid === undefined) throw new Error('cannot start the busy program');
group.add(pid);
for (const hz of [frequencyHz]) {
  const micros = new Map<Way, number[]>(ways.map((way) => [way, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const way of ways) micros.get(way)?.push(await tickMicros(way, pid, hz));
  }
  const whole = median(micros.get('sampled') ?? []);
  for (const [way, values] of micros) {
    const figure = median(values);
    const share = ((figure / whole) * 100).toFixed(0);
    const all = values.map((value) => value.toFixed(2)).join(', ');
    console.log(`${hz} Hz, ${way}: ${figure.toFixed(2)} us a tick, ${share} % (${all})`);
  }
}
load.kill('SIGKILL');
await group.remove();
await scratch.remove();

/** Returns the kernel time per run of the BPF program, counted by the kernel. */
async function tickMicros(way: Way, busyPid: number, hz: number): Promise<number> {
  const sampler = openSampler({
    frequencyHz: hz,
    tableBytesMax: 64 << 20,
    ringBytes: 4 << 20,
    waitingBytesMax: 64 << 20,
    readsCgroups: way === 'sampled, ids read' || way === 'group left out',
  });
  try {
    // Leaves the sampler time to build its unwind tables.
    await sleep(1_500);
    const { processes } = sampler.take();
    if (way === 'group left out') {
      sampler.leaveOutCgroups([...new Set([group.id, ...processes.map((one) => one.cgroupId)])]);
    } else if (way === 'process left out') {
      sampler.leaveOut([busyPid, ...processes.map((one) => one.pid)]);
    }
    // The sampler updates its counters every second.
    await sleep(1_200);
    const before = sampler.take().counters;
    await sleep(secondsOfRound * 1_000);
    const after = sampler.take().counters;
    const isLeftOut = way.endsWith('left out');
    const [ticks, skipped] = [
      after.programRuns - before.programRuns,
      after.skippedSamples - before.skippedSamples,
    ];
    if (isLeftOut && skipped < ticks * 0.7) throw new Error(`only ${skipped} of ${ticks} skipped`);
    return (after.programNanos - before.programNanos) / ticks / 1_000;
  } finally {
    sampler.close();
  }
}
