// Makes one profile for each label set of a batch of samples.
import { type SampleBatch, stackStatus } from '../../bpf/sampler.ts';
import { samplingPeriodNanos } from '../../bpf/sampling-period.ts';
import { type Label, type LabelSet, labelSetKey } from '../../src/model/labels.ts';
import { sampleTimeUnits } from '../../src/model/profiles/sample-times-codec.ts';
import type { Frame } from '../frames/frame.ts';
import { type FrameResolver, scriptFrame } from '../frames/frame-resolver.ts';
import type { KnownProcess, ProcessTable } from '../process/process-table.ts';
import { type PprofHead, ProfileSamples } from './profile-samples.ts';

/** Name of the profile, which is the first part of its type. */
export const profileName = 'parca_agent';

export interface ProfileOptions {
  readonly frequencyHz: number;
  /** True if samples have the label; the names are those of Parca Agent. */
  readonly withCpu: boolean;
  readonly withThreadId: boolean;
  readonly withThreadName: boolean;
  /** True if profiles have sample times. */
  readonly withSampleTimes: boolean;
  /** True to add the frame "aborted" to stacks that could not be walked to their root. */
  readonly withErrorFrames: boolean;
}

/** One profile, not encoded. */
export interface BatchProfile {
  readonly labels: LabelSet;
  readonly head: PprofHead;
  readonly samples: ProfileSamples;
}

/** Profiles of a batch, and the samples that are not in them. */
export interface BatchProfiles {
  readonly profiles: readonly BatchProfile[];
  /** Samples that are in `profiles`. */
  readonly sampleCount: number;
  /** Samples of processes that relabeling drops. */
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

/** Root of stacks that have more frames than are kept. */
const truncatedFrame: Frame = { ...errorFrame, mapping: '', functionName: '[truncated]' };

/** Stacks that could not be walked to their root. */
const incomplete: ReadonlySet<number> = new Set([
  stackStatus.pending,
  stackStatus.noMapping,
  stackStatus.noRule,
  stackStatus.unsupportedRule,
  stackStatus.unreadable,
]);

/**
 * Makes the profiles of a batch; counts its samples in `table`.
 *
 * Processes that have the same labels share a profile: two profiles of one series may not have the
 * same time.
 */
export function makeProfiles(
  batch: SampleBatch,
  table: ProcessTable,
  resolver: FrameResolver,
  options: ProfileOptions,
): BatchProfiles {
  const { samples, processes, binaries, threadNames } = batch;
  // Row 0 of the binaries is the kernel, which is no process's executable.
  const known = processes.map((process) =>
    table.find(process, process.binary === 0 ? undefined : binaries[process.binary]),
  );
  const writers = createWriters(known);
  // Numbers of stacks in the writers: all frames of a stack belong to one process.
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
 * Returns the unit that sample times are rounded down to, at most a fifth of the period; undefined
 * if profiles have none. A sample stands for a whole period, so finer times would take more bytes
 * without adding information.
 */
function timeUnitNanos({ frequencyHz, withSampleTimes }: ProfileOptions): bigint | undefined {
  if (!withSampleTimes) return undefined;
  const millisMax = 1_000 / frequencyHz / 5;
  return BigInt(sampleTimeUnits.find((unit) => unit <= millisMax) ?? 1) * 1_000_000n;
}

interface Writers {
  /** Undefined for processes that are dropped. */
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
