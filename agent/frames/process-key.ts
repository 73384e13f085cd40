// Keys of processes in caches of what they run.
import type { SampledProcess } from '../../bpf/sampler.ts';

/** Returns a key that neither another process has, nor the same one with another program. */
export function processKey({ pid, startNanos, executable }: SampledProcess): string {
  return `${pid}:${startNanos}:${executable}`;
}
