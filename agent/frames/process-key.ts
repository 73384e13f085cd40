// Keys for caches of data about the programs that processes run.
import type { SampledProcess } from '../../bpf/sampler.ts';

/** Returns a key that identifies a process and its current program. */
export function processKey({ pid, startNanos, executable }: SampledProcess): string {
  return `${pid}:${startNanos}:${executable}`;
}
