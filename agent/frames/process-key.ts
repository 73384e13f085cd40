// Keys for caches of what processes run.
import type { SampledProcess } from '../../bpf/sampler.ts';

/** Returns a key that identifies a process and its current program. */
export function processKey({ pid, startNanos, executable }: SampledProcess): string {
  return `${pid}:${startNanos}:${executable}`;
}
