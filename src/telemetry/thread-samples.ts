// Converts V8's profiles of worker threads to stacks. Each stack is below a root frame with the
// thread's name.
import { runtimeFrame, shownFile, type StackFrame, type StackProfile } from './stack-profile.ts';

/**
 * The fields of V8's CPU profiles that this program uses. Source: DevTools protocol,
 * Profiler.Profile.
 */
export interface V8CpuProfile {
  /** The root first. */
  readonly nodes: readonly V8Node[];
}

interface V8Node {
  readonly id: number;
  /** Number of samples in which this node is the innermost frame. */
  readonly hitCount?: number;
  readonly children?: readonly number[];
  readonly callFrame: {
    readonly functionName: string;
    readonly url: string;
    /** 0-based line number; -1 if unknown. */
    readonly lineNumber: number;
  };
}

/** Samples and CPU time of one thread. */
export interface ThreadSamples {
  readonly name: string;
  readonly cpuNanos: number;
  readonly profiles: readonly V8CpuProfile[];
}

const idleFrames = new Set(['(root)', '(idle)']);

/** Parses a CPU profile in JSON. Errors: SyntaxError. */
export function readCpuProfile(text: string): V8CpuProfile {
  return JSON.parse(text) as V8CpuProfile;
}

/**
 * Adds the CPU time of a thread to `profile`, with the values samples and CPU time. The time is
 * split by stack, in proportion to the samples in which the thread worked. A sample in `profile`
 * stands for `periodNanos` nanoseconds.
 */
export function addThreadSamples(
  { name, cpuNanos, profiles }: ThreadSamples,
  projectFolder: string,
  periodNanos: number,
  profile: StackProfile,
): void {
  if (cpuNanos === 0) return;
  const root: StackFrame = { name: `thread ${name}`, file: '', line: 0 };
  const busy = profiles.flatMap((one) => busyStacks(one, projectFolder));
  const shares = busy.length === 0 ? [{ stack: [runtimeFrame], hits: 1 }] : busy;
  const hitTotal = shares.reduce((sum, { hits }) => sum + hits, 0);
  let hitsDone = 0;
  let nanosDone = 0;
  for (const { stack, hits } of shares) {
    hitsDone += hits;
    const upTo = Math.round((cpuNanos * hitsDone) / hitTotal);
    // V8 samples with another period than `profile`, so the number of samples is computed from the
    // CPU time.
    const samples = Math.round(upTo / periodNanos) - Math.round(nanosDone / periodNanos);
    profile.add([...stack, root], [samples, upTo - nanosDone]);
    nanosDone = upTo;
  }
}

interface BusyStack {
  /** Leaf first. */
  readonly stack: readonly StackFrame[];
  readonly hits: number;
}

function busyStacks({ nodes }: V8CpuProfile, projectFolder: string): BusyStack[] {
  const parents = new Map<number, V8Node>();
  for (const node of nodes) for (const child of node.children ?? []) parents.set(child, node);
  const frames = new Map(nodes.map((node) => [node.id, toFrame(node, projectFolder)]));
  return nodes
    .filter(
      ({ hitCount = 0, callFrame }) => hitCount > 0 && !idleFrames.has(callFrame.functionName),
    )
    .map((node) => {
      const stack: StackFrame[] = [];
      for (let at: V8Node | undefined = node; at !== undefined; at = parents.get(at.id)) {
        const frame = frames.get(at.id);
        if (frame !== undefined && !idleFrames.has(frame.name)) stack.push(frame);
      }
      return { stack, hits: node.hitCount ?? 0 };
    });
}

function toFrame({ callFrame }: V8Node, projectFolder: string): StackFrame {
  const { functionName, url, lineNumber } = callFrame;
  return {
    name: functionName === '' ? '(anonymous)' : functionName,
    file: shownFile(url, projectFolder),
    line: Math.max(0, lineNumber + 1),
  };
}
