// What /proc says about a process: CPU time, waits for a core, memory, open files.
import { readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';

const clockTicksPerSecond = 100;

/** User and system CPU seconds of a process so far. */
export async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / clockTicksPerSecond;
}

/** Milliseconds that this process's threads had work and no core for it, all together, so far. */
export function waitedMillis(): number {
  let nanos = 0;
  for (const thread of readdirSync('/proc/self/task')) {
    nanos += Number(readFileSync(`/proc/self/task/${thread}/schedstat`, 'utf8').split(' ')[1]);
  }
  return nanos / 1e6;
}

/** Resident memory of a process in MB, now and at its highest. */
export async function memoryMegabytes(pid: number): Promise<{ now: number; peak: number }> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8');
  const read = (name: string): number =>
    (Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(text)?.[1]) * 1_024) / 1e6;
  return { now: read('VmRSS'), peak: read('VmHWM') };
}

export async function openFiles(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length;
}
