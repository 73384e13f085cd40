// Types of the native add-on: what a sampler takes, and the batches of samples it gives.
//
// A batch is columns and complete by itself: its row numbers mean nothing in the next batch.

/** Processes to sample, how often, and with how much memory. */
export interface SamplerOptions {
  /** Samples a second on each CPU, 1 to 10000. */
  readonly frequencyHz: number;
  /**
   * Memory of the kernel for unwinding tables in bytes, at least 1 MiB, taken at the start. Node
   * and its libraries need 5 MB, Bash and its libraries 0.5 MB. Before it is full, the tables of
   * files that were not sampled lately are dropped.
   */
  readonly tableBytesMax: number;
  /** Size of the ring buffer between kernel and add-on in bytes: a power of two, at least 64 KiB. */
  readonly ringBytes: number;
  /**
   * Bytes of samples kept until they are taken, at least 1 MiB; later samples are dropped and
   * counted. A stack takes 16 bytes a frame, a sample of a known stack 28.
   */
  readonly waitingBytesMax: number;
  /** Processes to sample by id; absent for every process. */
  readonly pids?: readonly number[];
  /** True to read ids of control groups, which `leaveOutCgroups` takes. Each sample costs more. */
  readonly readsCgroups?: boolean;
}

/** Host-wide sampling in native threads. No method waits for those threads to finish work. */
export interface Sampler {
  /**
   * Returns the samples since the last call, or the oldest 4 MiB of them; `hasMore` is then true.
   * An unused batch needs no clean-up.
   */
  take(): SampleBatch;
  /**
   * Stops sampling these processes of the last batch, and their children, until they run other
   * programs. All are sampled again every ten minutes, because the reason may have changed.
   */
  leaveOut(pids: readonly number[]): void;
  /**
   * Stops sampling everything in these control groups, by `SampledProcess.cgroupId`, including what
   * starts later. As with `leaveOut`, all are sampled again every ten minutes.
   */
  leaveOutCgroups(ids: readonly bigint[]): void;
  /** Pauses sampling, which then costs nothing, or resumes it. */
  setPaused(isPaused: boolean): void;
  /** Ends sampling and its threads, and releases all memory of the kernel. May be called twice. */
  close(): void;
}

/** Samples from `startNanos` to `endNanos`. */
export interface SampleBatch {
  /** Nanoseconds since 1970, like all times of a batch. */
  readonly startNanos: bigint;
  readonly endNanos: bigint;
  /** True if another batch waits. */
  readonly hasMore: boolean;
  readonly samples: SampleColumns;
  readonly stacks: StackColumns;
  readonly frames: FrameColumns;
  /** Binaries that `frames.binary` refers to. Row 0 is the kernel. */
  readonly binaries: readonly Binary[];
  /** Functions that `frames.function` refers to. */
  readonly functions: readonly ScriptFunction[];
  /** Processes that `samples.process` refers to: only those with samples in this batch. */
  readonly processes: readonly SampledProcess[];
  /** Names of threads. */
  readonly threadNames: readonly string[];
  /** Processes that started, became another program or ended, oldest first. */
  readonly events: readonly ProcessEvent[];
  readonly counters: SamplerCounters;
}

/** One row a sample; each stands for one period of CPU time, `samplingPeriodNanos`. */
export interface SampleColumns {
  readonly count: number;
  readonly timeNanos: BigInt64Array;
  /** Row of `processes`. */
  readonly process: Uint32Array;
  readonly threadId: Uint32Array;
  /** Row of `threadNames`. */
  readonly threadName: Uint32Array;
  readonly cpu: Uint32Array;
  /** Row of `stacks`. */
  readonly stack: Uint32Array;
}

/** Distinct stacks of a batch. Stacks of two processes may share a row. */
export interface StackColumns {
  readonly count: number;
  /**
   * Row of the first frame, the leaf. There are `count + 1` elements: the next one is the end of
   * the stack.
   */
  readonly frameStart: Uint32Array;
  /** Number of kernel frames; kernel frames come first. */
  readonly kernelFrameCount: Uint32Array;
  /** One of `stackStatus`. */
  readonly status: Uint8Array;
  /** Address of the process at which unwinding failed; 0 unless the status is a failure. */
  readonly failedAddress: BigUint64Array;
}

/** Frames from the leaf to the root. */
export interface FrameColumns {
  readonly count: number;
  /**
   * ELF virtual address in a file; address in the process if the binary is 'anonymous' or
   * 'unknown', and in the kernel for row 0. In callers it is the return address minus 1, which is
   * in the call instruction.
   */
  readonly address: BigUint64Array;
  /** Row of `binaries`. */
  readonly binary: Uint32Array;
  /**
   * 1 + the element of `functions` that the frame runs; 0 for native frames. Frames of
   * Python and Ruby have no address: the native frames of their interpreters come after them.
   */
  readonly function: Uint32Array;
}

/** A function of a script, as its runtime describes it in the memory of the process. */
export interface ScriptFunction {
  readonly language: 'javascript' | 'python' | 'ruby';
  /**
   * '' for functions without a name, and for those of Python and Ruby that could not be read; at
   * most some 256 characters.
   */
  readonly name: string;
  /**
   * Name of the script: a path, a `file:` URL, a name like 'node:fs' or '<string>', or ''. C
   * functions of Ruby have none.
   */
  readonly fileName: string;
  /** Line of the script in which the function starts, from 1 on; 0 where it is not known. */
  readonly startLine: number;
  /** Line that runs; 0 where it is not known, as in JavaScript. */
  readonly line: number;
}

/** End of a user stack. */
export const stackStatus = {
  /** Reached the first function of the thread. */
  complete: 0,
  /** Has more than the about 1,000 frames that are kept; those nearest to the leaf are. */
  truncated: 1,
  /** Kernel frames only: a kernel thread, or a process that is becoming another program. */
  kernelOnly: 2,
  /** A 32-bit process: no user frames. */
  compat: 3,
  /** Tables of the process are not ready yet, as in its first samples. */
  pending: 4,
  /** There is no known mapping at the address. */
  noMapping: 5,
  /** The table has no rule for the address, and the frame pointer leads nowhere. */
  noRule: 6,
  /** The kernel program cannot follow the rule of the address. */
  unsupportedRule: 7,
  /** Stack memory could not be read, for example because its page is swapped out. */
  unreadable: 8,
} as const;

/** State of the Python or Ruby frames in a sample. */
export const interpreterStatus = {
  /** There were no frames of the interpreter. */
  unseen: 0,
  /** Its frames are in the stack. */
  found: 1,
  /** The thread has no state of the interpreter, for example while that starts. */
  noThread: 2,
  /** Memory could not be read. */
  unreadable: 3,
  /** Its frames do not match the native frames, or something else than a frame was there. */
  odd: 4,
  /** There are more than are kept. */
  truncated: 5,
} as const;

/** A file with code, or another kind of memory with code. */
export interface Binary {
  readonly kind: 'kernel' | 'file' | 'vdso' | 'anonymous' | 'unknown';
  /** Path as the process sees it, without " (deleted)"; '' unless it is a file. */
  readonly path: string;
  readonly isDeleted: boolean;
  /** In hex for 'gnu' and 'hash', as a string for 'go'; '' when the file could not be read. */
  readonly buildId: string;
  /** Source of the id; 'hash' is SHA-256 of the first and last 4 KiB and the size. */
  readonly buildIdKind: 'gnu' | 'go' | 'hash' | 'none';
  /** Size of the file in bytes; 0 unless it was opened. */
  readonly fileBytes: number;
  /**
   * Descriptor of the file in this process, -1 for none: `/proc/self/fd/<descriptor>` opens it even
   * where it is deleted or in a container. Valid until the next call of take returns; the add-on
   * owns and closes it.
   */
  readonly descriptor: number;
  /** Says whether frames of an interpreter in the file can be unwound; '' for other files. */
  readonly interpreter: string;
  /** Address where code starts in the ELF file, and where it ends; 0 unless known. */
  readonly codeStart: bigint;
  readonly codeEnd: bigint;
}

/** One program run by one process: exec makes another row with the same id and start. */
export interface SampledProcess {
  readonly pid: number;
  /** Start of the process. The pair of id and start is unique while the machine runs. */
  readonly startNanos: bigint;
  readonly parentPid: number;
  /** Name of its first thread, at most 15 bytes. */
  readonly name: string;
  /** Path of the executable as the process sees it; '' where that could not be read. */
  readonly executable: string;
  /** Arguments, at most 4096 bytes in total; empty where they could not be read. */
  readonly commandLine: readonly string[];
  /** Content of /proc/PID/cgroup, at most 4096 bytes; '' where it could not be read. */
  readonly cgroup: string;
  /**
   * The kernel's id of its control group of version 2. 0n where that is not known: unless
   * `readsCgroups` is set, on kernels without control groups, and when threads are in several.
   */
  readonly cgroupId: bigint;
  readonly isKernelThread: boolean;
  /** Id in the innermost PID namespace, by which perf maps are named; `pid` outside containers. */
  readonly namespacePid: number;
  /** Row of the executable in `binaries`; 0 where it is unknown. */
  readonly binary: number;
}

/** A change of a process. */
export interface ProcessEvent {
  readonly kind: 'exec' | 'exit';
  readonly pid: number;
  readonly timeNanos: bigint;
}

/** Totals since the sampler was opened, and current sizes. */
export interface SamplerCounters {
  /** Samples taken in the kernel program. */
  readonly samples: number;
  /** Samples lost because the ring buffer was full. */
  readonly lostSamples: number;
  /** Samples dropped because take was not called in time. */
  readonly droppedSamples: number;
  /** Samples that were not taken, because their process or control group is left out. */
  readonly skippedSamples: number;
  /** Process records lost by the kernel; the processes are read again from /proc. */
  readonly lostRecords: number;
  /** Samples by the status of their user stack; the index is one of `stackStatus`. */
  readonly stacksByStatus: readonly number[];
  /** Samples by their `interpreterStatus`. Those of other programs count as Python, 'unseen'. */
  readonly pythonByStatus: readonly number[];
  readonly rubyByStatus: readonly number[];
  readonly tablesBuilt: number;
  readonly tablesFailed: number;
  readonly tablesEvicted: number;
  /** Time spent on building tables. */
  readonly tableBuildNanos: number;
  /** Current number of tables, and bytes and limit of the kernel memory for them. */
  readonly tables: number;
  readonly tableBytes: number;
  readonly tableBytesMax: number;
  /** Current number of processes with mappings in the kernel program. */
  readonly processes: number;
  /** Runs and run time of the sampling program; 0 unless kernel.bpf_stats_enabled is set. */
  readonly programRuns: number;
  readonly programNanos: number;
  /** CPU time of the threads of the add-on. */
  readonly threadNanos: number;
}
