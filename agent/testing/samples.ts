// Batches of samples for tests, in the sampler's format.
import {
  type Binary,
  type ProcessEvent,
  type SampleBatch,
  type SampledProcess,
  type SamplerCounters,
  type ScriptFunction,
  stackStatus,
} from '../../bpf/sampler.ts';

/**
 * A frame: a row of `binaries`, an address in that binary, and the index of an element of
 * `functions` plus 1.
 */
export type TestFrame = readonly [binary: number, address: bigint, scriptFunction?: number];

/** Samples of one thread with equal stacks. */
export interface TestSample {
  /** Row of `processes`. */
  readonly process: number;
  /** Leaf first. */
  readonly frames: readonly TestFrame[];
  readonly count?: number;
  readonly threadId?: number;
  readonly threadName?: string;
  readonly cpu?: number;
  readonly status?: number;
  readonly failedAddress?: bigint;
  /**
   * Time of the first sample in nanoseconds after the start of the batch; later samples are 100 ms
   * apart.
   */
  readonly at?: bigint;
}

/** The kernel, which is row 0 of every batch. */
export const kernelBinary: Binary = {
  kind: 'kernel',
  path: '',
  isDeleted: false,
  buildId: '',
  buildIdKind: 'none',
  fileBytes: 0,
  descriptor: -1,
  interpreter: '',
  codeStart: 0n,
  codeEnd: 0n,
};

/** Creates a file that cannot be opened. */
export function fileBinary(path: string, buildId: string): Binary {
  return { ...kernelBinary, kind: 'file', path, buildId, buildIdKind: 'gnu', fileBytes: 1 };
}

/** Creates a process that does not exist, so that nothing can be read about it. */
export function testProcess(given: Partial<SampledProcess>): SampledProcess {
  return {
    // One more than the largest process id on Linux, 4,194,304.
    pid: 4_194_305,
    startNanos: 1n,
    parentPid: 1,
    name: 'app',
    executable: '/usr/bin/app',
    commandLine: ['app', '--flag'],
    cgroup: '0::/\n',
    cgroupId: 0n,
    isKernelThread: false,
    namespacePid: given.pid ?? 4_194_305,
    binary: 1,
    ...given,
  };
}

/** Counters of a sampler without lost samples. */
export const noCounters: SamplerCounters = {
  samples: 0,
  lostSamples: 0,
  droppedSamples: 0,
  skippedSamples: 0,
  lostRecords: 0,
  stacksByStatus: [],
  pythonByStatus: [],
  rubyByStatus: [],
  phpByStatus: [],
  tablesBuilt: 0,
  tablesFailed: 0,
  tablesEvicted: 0,
  tableBuildNanos: 0,
  tables: 0,
  tableBytes: 0,
  tableBytesMax: 0,
  processes: 0,
  programRuns: 0,
  programNanos: 0,
  threadNanos: 0,
};

/** Creates a batch with a stack for each element of `samples`. */
export function testBatch(given: {
  readonly startNanos: bigint;
  readonly endNanos: bigint;
  readonly binaries: readonly Binary[];
  readonly processes: readonly SampledProcess[];
  readonly samples: readonly TestSample[];
  readonly functions?: readonly ScriptFunction[];
  readonly events?: readonly ProcessEvent[];
  readonly counters?: Partial<SamplerCounters>;
}): SampleBatch {
  const { startNanos, endNanos, binaries, processes, samples } = given;
  const rows = samples.flatMap((sample, stack) =>
    Array.from({ length: sample.count ?? 1 }, (_, i) => {
      const timeNanos = startNanos + (sample.at ?? 0n) + BigInt(i) * 100_000_000n;
      return { ...sample, stack, timeNanos };
    }),
  );
  const frames = samples.flatMap((sample) => sample.frames);
  const threadNames = [...new Set(rows.map(({ threadName }) => threadName ?? 'main'))];
  const starts = [0];
  for (const sample of samples) starts.push((starts.at(-1) ?? 0) + sample.frames.length);
  const column = (read: (row: (typeof rows)[number]) => number): Uint32Array =>
    Uint32Array.from(rows, read);
  return {
    startNanos,
    endNanos,
    binaries,
    processes,
    threadNames,
    hasMore: false,
    samples: {
      count: rows.length,
      timeNanos: BigInt64Array.from(rows, ({ timeNanos }) => timeNanos),
      process: column(({ process }) => process),
      threadId: column(({ threadId }) => threadId ?? 7),
      threadName: column(({ threadName }) => threadNames.indexOf(threadName ?? 'main')),
      cpu: column(({ cpu }) => cpu ?? 0),
      stack: column(({ stack }) => stack),
    },
    stacks: {
      count: samples.length,
      frameStart: Uint32Array.from(starts),
      kernelFrameCount: Uint32Array.from(
        samples,
        (sample) => sample.frames.filter(([binary]) => binary === 0).length,
      ),
      status: Uint8Array.from(samples, ({ status }) => status ?? stackStatus.complete),
      failedAddress: BigUint64Array.from(samples, ({ failedAddress }) => failedAddress ?? 0n),
    },
    frames: {
      count: frames.length,
      address: BigUint64Array.from(frames, ([, address]) => address),
      binary: Uint32Array.from(frames, ([binary]) => binary),
      function: Uint32Array.from(frames, ([, , scriptFunction]) => scriptFunction ?? 0),
    },
    functions: given.functions ?? [],
    events: given.events ?? [],
    counters: { ...noCounters, samples: rows.length, ...given.counters },
  };
}
