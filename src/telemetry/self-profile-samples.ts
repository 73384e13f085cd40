// Converts the profiler's samples to stacks with values, and leaves out idle time.
import { runtimeFrame, shownFile, type StackFrame, type StackProfile } from './stack-profile.ts';

/** The fields of the profiler's pprof objects that this program uses. */
export interface NativeProfile {
  readonly sample: readonly NativeSample[];
  readonly location: readonly {
    readonly line: readonly {
      readonly functionId: number | bigint;
      readonly line: number | bigint;
    }[];
  }[];
  readonly function: readonly {
    readonly name: number | bigint;
    readonly filename: number | bigint;
  }[];
  readonly stringTable: { readonly strings: readonly string[] };
}

interface NativeSample {
  /** 1-based indexes into `location`, leaf first. */
  readonly locationId: readonly (number | bigint)[];
  readonly value: readonly (number | bigint)[];
}

const idleName = '(idle)';
const otherThreadsName = 'Non JS threads activity';

/**
 * Adds the CPU samples of a slice to `profile`. The samples have the values hits, wall time and CPU
 * time; the stacks get the values samples and CPU time. Returns the CPU nanoseconds of all other
 * threads, which are not added.
 *
 * The profiler assigns the CPU time between two samples to the later sample. If a thread worked for
 * 5 ms and then slept, the time is counted as "(idle)". So the sum is right but the split is wrong,
 * and this function splits the sum by hits.
 */
export function addCpuSlice(
  slice: NativeProfile,
  projectFolder: string,
  profile: StackProfile,
): number {
  const frames = frameTable(slice, projectFolder);
  const busy: { readonly stack: readonly StackFrame[]; readonly hits: number }[] = [];
  let hitTotal = 0;
  let nanosTotal = 0;
  let otherNanos = 0;
  for (const sample of slice.sample) {
    const stack = sample.locationId.map((id) => frames[Number(id) - 1]);
    const [hits, , nanos] = sample.value.map(Number);
    if (stack[0]?.name === otherThreadsName) {
      otherNanos += nanos;
      continue;
    }
    nanosTotal += nanos;
    if (stack[0]?.name === idleName || hits === 0) continue;
    hitTotal += hits;
    busy.push({ stack, hits });
  }
  if (busy.length === 0 && nanosTotal > 0) profile.add([runtimeFrame], [0, nanosTotal]);
  let hitsDone = 0;
  let nanosDone = 0;
  for (const { stack, hits } of busy) {
    hitsDone += hits;
    const upTo = Math.round((nanosTotal * hitsDone) / hitTotal);
    profile.add(stack, [hits, upTo - nanosDone]);
    nanosDone = upTo;
  }
  return otherNanos;
}

/**
 * Adds the CPU time of threads that have no JavaScript stacks, such as the threads for garbage
 * collection and compression.
 */
export function addOtherThreads(nanos: number, profile: StackProfile): void {
  if (nanos > 0) profile.add([{ name: otherThreadsName, file: '', line: 0 }], [0, nanos]);
}

/** Adds samples of the heap unchanged. Their values are objects and bytes. */
export function addHeapSamples(
  heap: NativeProfile,
  projectFolder: string,
  profile: StackProfile,
): void {
  const frames = frameTable(heap, projectFolder);
  for (const sample of heap.sample) {
    const stack = sample.locationId.map((id) => frames[Number(id) - 1]);
    profile.add(stack, sample.value.map(Number));
  }
}

/** Returns the frame of each location. */
function frameTable(native: NativeProfile, projectFolder: string): StackFrame[] {
  const { strings } = native.stringTable;
  return native.location.map(({ line: [line] }) => {
    const described = native.function[Number(line.functionId) - 1];
    return {
      name: strings[Number(described.name)] ?? '',
      file: shownFile(strings[Number(described.filename)] ?? '', projectFolder),
      line: Math.max(0, Number(line.line)),
    };
  });
}
