// Counts the complete and the incomplete stacks of each executable, for the status page.
import { type SampleBatch, stackStatus } from '../../bpf/sampler.ts';
import { LeastRecent } from '../../src/base/least-recent.ts';
import { executableFactsMax } from '../limits.ts';

/** Address at which unwinding failed. */
export interface UnwindFailure {
  readonly status: string;
  readonly pid: number;
  /** Path of the file with the code; "" for memory without a file. */
  readonly file: string;
  /** Address in the ELF file; for memory without a file, address in the process. */
  readonly address: bigint;
}

/** A file with an interpreter, and whether the interpreter's frames are unwound. */
export interface InterpreterRow {
  readonly path: string;
  /** Version of the interpreter, or the reason why only native frames are shown. */
  readonly state: string;
}

/** Numbers of stacks of one executable since the start. */
export interface ExecutableHealth {
  /** Path of the executable; name in brackets for kernel threads. */
  readonly executable: string;
  samples: number;
  /** Number of stacks that were unwound completely, including kernel threads. */
  complete: number;
  /** Number of stacks by status, see `stackStatus`. */
  readonly byStatus: number[];
  /** First address at which unwinding failed. */
  firstFailure: UnwindFailure | undefined;
}

/** Names of the statuses, by number. */
export const statusNames: ReadonlyMap<number, string> = new Map(
  Object.entries(stackStatus).map(([name, number]) => [number, name]),
);

const statusCount = Math.max(...statusNames.keys()) + 1;

/** Statuses of complete stacks. */
const whole: ReadonlySet<number> = new Set([stackStatus.complete, stackStatus.kernelOnly]);

/** Counts stacks by executable. */
export class UnwindHealth {
  readonly #known = new LeastRecent<ExecutableHealth>(executableFactsMax, () => 1);
  /** States of interpreters by path. */
  readonly #interpreters = new LeastRecent<InterpreterRow>(executableFactsMax, () => 1);

  add(batch: SampleBatch): void {
    const { samples, stacks, processes, binaries } = batch;
    for (const { path, interpreter } of binaries) {
      if (interpreter !== '') this.#interpreters.put(path, { path, state: interpreter });
    }
    for (let row = 0; row < samples.count; row += 1) {
      const process = processes[samples.process[row]];
      const executable = process.isKernelThread ? '[kernel threads]' : process.executable;
      const health = this.#health(executable);
      const stack = samples.stack[row];
      const status = stacks.status[stack];
      health.samples += 1;
      health.byStatus[status] += 1;
      if (whole.has(status)) health.complete += 1;
      if (stacks.failedAddress[stack] === 0n) continue;
      health.firstFailure ??= describeFailure(batch, stack, process.pid);
    }
  }

  interpreters(): readonly InterpreterRow[] {
    return this.#interpreters.all();
  }

  all(): readonly ExecutableHealth[] {
    return this.#known.all();
  }

  #health(executable: string): ExecutableHealth {
    const health = this.#known.get(executable) ?? {
      executable,
      samples: 0,
      complete: 0,
      byStatus: Array.from({ length: statusCount }, () => 0),
      firstFailure: undefined,
    };
    this.#known.put(executable, health);
    return health;
  }
}

/** Describes where unwinding failed: at the last frame. */
function describeFailure(
  { stacks, frames, binaries }: SampleBatch,
  stack: number,
  pid: number,
): UnwindFailure {
  const status = statusNames.get(stacks.status[stack]) ?? String(stacks.status[stack]);
  const last = stacks.frameStart[stack + 1] - 1;
  if (last < stacks.frameStart[stack] + stacks.kernelFrameCount[stack]) {
    return { status, pid, file: '', address: stacks.failedAddress[stack] };
  }
  return { status, pid, file: binaries[frames.binary[last]].path, address: frames.address[last] };
}
