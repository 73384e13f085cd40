// Types of the native add-on: a sampler's options and its batches of samples.
//
// A batch consists of columns. It is self-contained, so its row numbers are not valid in other
// batches.

/** Options: processes, frequency and memory limits. */
export interface SamplerOptions {
  /** Samples per second on each CPU, 1 to 10000. */
  readonly frequencyHz: number;
  /**
   * Kernel memory for unwinding tables in bytes, at least 1 MiB, allocated at the start. Node and
   * its libraries need 5 MB, Bash and its libraries 0.5 MB. When the memory is almost full, tables
   * of files that were not sampled recently are dropped.
   */
  readonly tableBytesMax: number;
  /** Size of the ring buffer between kernel and add-on in bytes: a power of two, at least 64 KiB. */
  readonly ringBytes: number;
  /**
   * Maximum number of bytes of samples that are kept until `take` is called, at least 1 MiB.
   * Further samples are dropped and counted. A stack takes 16 bytes per frame, and each sample
   * takes 28 bytes.
   */
  readonly waitingBytesMax: number;
  /** Ids of the processes to sample; absent = all processes. */
  readonly pids?: readonly number[];
  /**
   * True to read the ids of control groups for `leaveOutCgroups`; this makes each sample more
   * expensive.
   */
  readonly readsCgroups?: boolean;
}

/** Host-wide sampling in native threads. Methods do not wait for these threads. */
export interface Sampler {
  /**
   * Returns the samples since the last call. If they take more than 4 MiB, returns only the oldest
   * of them, and `hasMore` is true. Batches need no clean-up.
   */
  take(): SampleBatch;
  /**
   * Stops sampling these processes of the last batch, and their children, until they run other
   * programs. Every ten minutes, all of them are sampled again, because they may have become
   * wanted.
   */
  leaveOut(pids: readonly number[]): void;
  /**
   * Stops sampling all current and future processes in these control groups. The ids are those in
   * `SampledProcess.cgroupId`. Every ten minutes, all of them are sampled again, as with
   * `leaveOut`.
   */
  leaveOutCgroups(ids: readonly bigint[]): void;
  /** Pauses or resumes sampling; while paused, it costs nothing. */
  setPaused(isPaused: boolean): void;
  /** Ends sampling and its threads, and releases kernel memory; idempotent. */
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
  /** Binaries by row, for `frames.binary`. Row 0 is the kernel. */
  readonly binaries: readonly Binary[];
  /** Functions by row, for `frames.function`. */
  readonly functions: readonly ScriptFunction[];
  /** Processes with samples in this batch, by row, for `samples.process`. */
  readonly processes: readonly SampledProcess[];
  /** Names of threads. */
  readonly threadNames: readonly string[];
  /** Started, changed and ended processes, oldest first. */
  readonly events: readonly ProcessEvent[];
  readonly counters: SamplerCounters;
}

/** Samples, one per row. Each sample represents `samplingPeriodNanos` of CPU time. */
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

/** Distinct stacks in a batch. Stacks of two processes may share a row. */
export interface StackColumns {
  readonly count: number;
  /**
   * Row of the first frame (the leaf) of each stack. There are `count + 1` elements. A stack ends
   * where the next element starts.
   */
  readonly frameStart: Uint32Array;
  /** Number of kernel frames; kernel frames come first. */
  readonly kernelFrameCount: Uint32Array;
  /** One of `stackStatus`. */
  readonly status: Uint8Array;
  /** Process address at which unwinding failed; 0 unless the status is a failure. */
  readonly failedAddress: BigUint64Array;
}

/** Frames from the leaf to the root. */
export interface FrameColumns {
  readonly count: number;
  /**
   * ELF virtual address in a file; for row 0, the kernel address; for binaries of kind 'anonymous'
   * or 'unknown', the process address. In callers it is the return address minus 1, which is inside
   * the call instruction.
   */
  readonly address: BigUint64Array;
  /** Row of `binaries`. */
  readonly binary: Uint32Array;
  /**
   * Index, plus 1, of the function in `functions` that the frame runs; 0 for native frames. Frames
   * of Python, Ruby and PHP have no address. The native frames of their interpreter follow them.
   */
  readonly function: Uint32Array;
}

/** A function of a script, as read from the runtime's structures in the memory of the process. */
export interface ScriptFunction {
  readonly language: 'javascript' | 'python' | 'ruby' | 'php';
  /**
   * Name of the function, with at most about 256 characters, or 2,048 in PHP. '' for functions
   * without a name, and for functions of Python, Ruby and PHP that could not be read.
   */
  readonly name: string;
  /**
   * Name of the script: a path, a `file:` URL, a name like 'node:fs' or '<string>', or ''. It is ''
   * for C functions of Ruby and PHP.
   */
  readonly fileName: string;
  /** First line of the function in the script, from 1; 0 = unknown. */
  readonly startLine: number;
  /** Current line; 0 = unknown, as in JavaScript. */
  readonly line: number;
}

/** End of a user stack. */
export const stackStatus = {
  /** Reached the first function of the thread. */
  complete: 0,
  /** The stack has more than about 1,000 frames; the frames nearest to the leaf are kept. */
  truncated: 1,
  /** Only kernel frames: a kernel thread, or a process during exec. */
  kernelOnly: 2,
  /** A 32-bit process, whose user frames are not unwound. */
  compat: 3,
  /** The process's tables are not ready yet, for example in its first samples. */
  pending: 4,
  /** The address is not in a known mapping. */
  noMapping: 5,
  /** The table has no rule for the address, and the frame pointer is invalid. */
  noRule: 6,
  /** The kernel program does not support the rule for the address. */
  unsupportedRule: 7,
  /** Stack memory could not be read, for example because its page is swapped out. */
  unreadable: 8,
} as const;

/** State of the Python, Ruby or PHP frames in a sample. */
export const interpreterStatus = {
  /** There were no interpreted frames. */
  unseen: 0,
  /** Interpreted frames are in the stack. */
  found: 1,
  /** The thread does not belong to the interpreter, for example while the interpreter starts. */
  noThread: 2,
  /** Memory could not be read. */
  unreadable: 3,
  /** Interpreted frames do not match the native frames, or memory did not contain a frame. */
  odd: 4,
  /** There are more interpreted frames than the limit. */
  truncated: 5,
} as const;

/** A file with code, or other memory with code. */
export interface Binary {
  readonly kind: 'kernel' | 'file' | 'vdso' | 'anonymous' | 'unknown';
  /** Path as the process sees it, without " (deleted)"; '' unless the binary is a file. */
  readonly path: string;
  readonly isDeleted: boolean;
  /** Hexadecimal for 'gnu' and 'hash', a string for 'go'; '' if the file could not be read. */
  readonly buildId: string;
  /** Source of the id; 'hash' is SHA-256 of the first and last 4 KiB and the size. */
  readonly buildIdKind: 'gnu' | 'go' | 'hash' | 'none';
  /** Size of the file in bytes; 0 unless it was opened. */
  readonly fileBytes: number;
  /**
   * Descriptor of the file in this process; -1 = none. `/proc/self/fd/<descriptor>` opens it even
   * if it is deleted or in a container. Valid until the next call to `take` returns; the add-on
   * closes it.
   */
  readonly descriptor: number;
  /**
   * Description of the file's interpreter and of whether its frames can be unwound; '' for files
   * without an interpreter.
   */
  readonly interpreter: string;
  /** Start and end address of code in the ELF file; 0 = unknown. */
  readonly codeStart: bigint;
  readonly codeEnd: bigint;
}

/** A program that a process runs. An exec creates another row with the same id and start. */
export interface SampledProcess {
  readonly pid: number;
  /** Start of the process. The pair of id and start is unique until the next boot. */
  readonly startNanos: bigint;
  readonly parentPid: number;
  /** Name of its first thread, at most 15 bytes. */
  readonly name: string;
  /** Path of the executable as the process sees it; '' if it could not be read. */
  readonly executable: string;
  /** Arguments, at most 4096 bytes in total; empty if they could not be read. */
  readonly commandLine: readonly string[];
  /** Content of /proc/PID/cgroup, at most 4096 bytes; '' if it could not be read. */
  readonly cgroup: string;
  /**
   * The kernel's id of the process's version 2 control group. 0n if it is unknown: without
   * `readsCgroups`, on kernels without control groups, and if the process's threads are in several
   * groups.
   */
  readonly cgroupId: bigint;
  readonly isKernelThread: boolean;
  /** Id in the innermost PID namespace, by which perf maps are named; `pid` outside containers. */
  readonly namespacePid: number;
  /** Row of the executable in `binaries`; 0 = unknown. */
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
  /** Samples that were skipped because of their process or control group. */
  readonly skippedSamples: number;
  /** Number of process records that the kernel lost; these processes are read again from /proc. */
  readonly lostRecords: number;
  /** Number of samples by stack status; the index is a value of `stackStatus`. */
  readonly stacksByStatus: readonly number[];
  /**
   * Number of samples by `interpreterStatus`. Samples of programs without an interpreter count as
   * samples of Python with the status 'unseen'.
   */
  readonly pythonByStatus: readonly number[];
  readonly rubyByStatus: readonly number[];
  readonly phpByStatus: readonly number[];
  readonly tablesBuilt: number;
  readonly tablesFailed: number;
  readonly tablesEvicted: number;
  /** Time spent on building unwind tables. */
  readonly tableBuildNanos: number;
  /** Current number of tables; then the bytes of kernel memory that they use, and the limit. */
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
