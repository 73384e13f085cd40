// Measures a process (from /proc), a server (from its metrics) and a directory.
import { readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

const clockTicksPerSecond = 100;
const memoryMetrics = [
  ['heap', 'nodejs_heap_size_used_bytes'],
  ['whole heap', 'nodejs_heap_size_total_bytes'],
  ['outside the heap', 'nodejs_external_memory_bytes'],
  ['heads', 'parca_storage_head_bytes'],
  ['blocks', 'parca_storage_block_cache_bytes'],
  ['answers', 'parca_query_cache_bytes'],
] as const;

/** Returns user and system CPU seconds of a process so far. */
export async function cpuSeconds(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / clockTicksPerSecond;
}

/** Returns the CPU milliseconds of a process's running threads. */
export function threadMillis(pid: number): number {
  let nanos = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    nanos += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
  }
  return nanos / 1e6;
}

/**
 * Returns how long the threads of this process have waited for a core in total, in milliseconds.
 */
export function waitedMillis(): number {
  let nanos = 0;
  for (const thread of readdirSync('/proc/self/task')) {
    nanos += Number(readFileSync(`/proc/self/task/${thread}/schedstat`, 'utf8').split(' ')[1]);
  }
  return nanos / 1e6;
}

/** Returns the resident memory of a process in MB, now and at its peak. */
export async function memoryMegabytes(pid: number): Promise<{ now: number; peak: number }> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8');
  const read = (name: string): number =>
    (Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(text)?.[1]) * 1_024) / 1e6;
  return { now: read('VmRSS'), peak: read('VmHWM') };
}

export async function openFiles(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length;
}

/** Returns a line of text with the size in MB of each type of memory of a server's main thread. */
export async function memoryKinds(url: string): Promise<string> {
  const response = await fetch(`${url}/metrics`);
  const text = await response.text();
  const texts = memoryMetrics.map(([kind, metric]) => {
    const value = new RegExp(`^${metric} (\\S+)$`, 'm').exec(text)?.[1];
    return `${kind} ${(Number(value) / 1e6).toFixed(0)}`;
  });
  return texts.join(', ');
}

/** Returns the total size of all files below a path; files may be removed in the meantime. */
export async function directoryBytes(path: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(path, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const found = await stat(join(entry.parentPath, entry.name)).catch(() => undefined);
    bytes += found?.size ?? 0;
  }
  return bytes;
}
