// Creates one profile per label set from a batch of samples.
import { type SampleBatch, stackStatus } from '../../bpf/sampler.ts';
import { samplingPeriodNanos } from '../../bpf/sampling-period.ts';
import { type Label, type LabelSet, labelSetKey } from '../../src/model/labels.ts';
import { sampleTimeUnits } from '../../src/model/profiles/sample-times-codec.ts';
import type { Frame } from '../frames/frame.ts';
import { type FrameResolver, scriptFrame } from '../frames/frame-resolver.ts';
import type { KnownProcess, ProcessTable } from '../process/process-table.ts';
import { type PprofHead, ProfileSamples } from './profile-samples.ts';

/** Profile name, the first part of the profile type. */
export const profileName = 'parca_agent';

export interface ProfileOptions {
  readonly frequencyHz: number;
  /** True to add a label for the CPU to samples; label names are from Parca Agent. */
  readonly withCpu: boolean;
  readonly withThreadId: boolean;
  readonly withThreadName: boolean;
  /** True if profiles contain sample times. */
  readonly withSampleTimes: boolean;
  /** True to add the frame "aborted" to stacks that could not be unwound completely. */
  readonly withErrorFrames: boolean;
}

/** A profile before encoding. */
export interface BatchProfile {
  readonly labels: LabelSet;
  readonly head: PprofHead;
  readonly samples: ProfileSamples;
}

/** Profiles of a batch, and numbers of samples. */
export interface BatchProfiles {
  readonly profiles: readonly BatchProfile[];
  /** Number of samples in `profiles`. */
  readonly sampleCount: number;
  /** Number of samples of processes that relabeling drops. */
  readonly droppedCount: number;
}

const errorFrame: Frame = {
  mapping: 'agent-internal-error-frame',
  buildId: '',
  address: 0n,
  functionName: 'aborted',
  fileName: '',
  startLine: 0,
  line: 0,
};

/** Root frame of stacks that exceed the limit. */
const truncatedFrame: Frame = { ...errorFrame, mapping: '', functionName: '[truncated]' };

/** Statuses of stacks that could not be unwound completely. */
const incomplete: ReadonlySet<number> = new Set([
  stackStatus.pending,
  stackStatus.noMapping,
  stackStatus.noRule,
  stackStatus.unsupportedRule,
  stackStatus.unreadable,
]);

/**
 * Creates the profiles of a batch, and counts its samples in `table`.
 *
 * Processes with the same labels share a profile, because two profiles of one series must not have
 * the same time.
 */
export function makeProfiles(
  batch: SampleBatch,
  table: ProcessTable,
  resolver: FrameResolver,
  options: ProfileOptions,
): BatchProfiles {
  const { samples, processes, binaries, threadNames } = batch;
  // Row 0 of the binaries is the kernel, which is not the executable of any process.
  const known = processes.map((process) =>
    table.find(process, process.binary === 0 ? undefined : binaries[process.binary]),
  );
  const writers = createWriters(known);
  // For each process, the writer's stack numbers by the batch's stack numbers. All frames of a
  // stack belong to one process.
  const stackNumbers = processes.map(() => new Map<number, number>());
  const lastRows = new Uint32Array(processes.length);
  const timeUnit = timeUnitNanos(options);
  let sampleCount = 0;
  for (let row = 0; row < samples.count; row += 1) {
    const process = known[samples.process[row]];
    const writer = writers.byProcess[samples.process[row]];
    process.samples += 1;
    lastRows[samples.process[row]] = row;
    if (writer === undefined) continue;
    sampleCount += 1;
    const labels: Label[] = [];
    if (options.withCpu) labels.push({ name: 'cpu', value: String(samples.cpu[row]) });
    if (options.withThreadId) {
      labels.push({ name: 'thread_id', value: String(samples.threadId[row]) });
    }
    if (options.withThreadName) {
      labels.push({ name: 'thread_name', value: threadNames[samples.threadName[row]] });
    }
    const stack = samples.stack[row];
    const numbers = stackNumbers[samples.process[row]];
    const number =
      numbers.get(stack) ??
      writer.addStack(resolveFrames(batch, stack, process, resolver, options));
    numbers.set(stack, number);
    const time = samples.timeNanos[row];
    writer.add(number, labels, timeUnit && time - (time % timeUnit));
  }
  for (const [i, row] of lastRows.entries()) known[i].sampledNanos = samples.timeNanos[row];
  const head = makeHead(batch, options.frequencyHz);
  return {
    profiles: writers.all.flatMap(({ labels, writer }) =>
      writer.isEmpty ? [] : [{ labels, head, samples: writer }],
    ),
    sampleCount,
    droppedCount: samples.count - sampleCount,
  };
}

/**
 * Returns the unit to which sample times are rounded down; undefined if profiles have no times. The
 * unit is at most a fifth of the period. A sample represents a whole period, so finer times would
 * only take more space.
 */
function timeUnitNanos({ frequencyHz, withSampleTimes }: ProfileOptions): bigint | undefined {
  if (!withSampleTimes) return undefined;
  const millisMax = 1_000 / frequencyHz / 5;
  return BigInt(sampleTimeUnits.find((unit) => unit <= millisMax) ?? 1) * 1_000_000n;
}

interface Writers {
  /** Undefined for processes that relabeling drops. */
  readonly byProcess: readonly (ProfileSamples | undefined)[];
  readonly all: readonly { readonly labels: LabelSet; readonly writer: ProfileSamples }[];
}

function createWriters(known: readonly KnownProcess[]): Writers {
  const byLabels = new Map<string, { labels: LabelSet; writer: ProfileSamples }>();
  const byProcess = known.map(({ labels }) => {
    if (labels === undefined) return undefined;
    const key = labelSetKey(labels);
    const entry = byLabels.get(key) ?? { labels, writer: new ProfileSamples() };
    byLabels.set(key, entry);
    return entry.writer;
  });
  return { byProcess, all: [...byLabels.values()] };
}

function resolveFrames(
  { stacks, frames, functions }: SampleBatch,
  stack: number,
  { process }: KnownProcess,
  resolver: FrameResolver,
  options: ProfileOptions,
): readonly Frame[] {
  const found: Frame[] = [];
  for (let row = stacks.frameStart[stack]; row < stacks.frameStart[stack + 1]; row += 1) {
    const scriptFunction = frames.function[row];
    found.push(
      scriptFunction === 0
        ? resolver.resolve(process, frames.binary[row], frames.address[row])
        : scriptFrame(functions[scriptFunction - 1]),
    );
  }
  const status = stacks.status[stack];
  if (status === stackStatus.truncated) found.push(truncatedFrame);
  else if (options.withErrorFrames && incomplete.has(status)) found.push(errorFrame);
  return found;
}

function makeHead({ startNanos, endNanos }: SampleBatch, frequencyHz: number): PprofHead {
  return {
    sampleType: { type: 'samples', unit: 'count' },
    periodType: { type: 'cpu', unit: 'nanoseconds' },
    period: BigInt(samplingPeriodNanos(frequencyHz)),
    timeNanos: startNanos,
    durationNanos: endNanos - startNanos,
  };
}
