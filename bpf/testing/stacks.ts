// Collects the stacks of selected processes from a sampler's batches.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Binary,
  type SampleBatch,
  type SampledProcess,
  type Sampler,
  type ScriptFunction,
  stackStatus,
} from '../sampler.ts';

export interface StackFrame {
  readonly address: bigint;
  readonly binary: Binary;
  readonly scriptFunction: ScriptFunction | undefined;
}

/** A sample with its stack, leaf first. */
export interface SampledStack {
  readonly process: SampledProcess;
  readonly status: keyof typeof stackStatus;
  readonly user: readonly StackFrame[];
  readonly kernel: readonly StackFrame[];
}

const statusNames = Object.entries(stackStatus).reduce<(keyof typeof stackStatus)[]>(
  (names, [name, value]) => {
    // `Object.entries` returns plain strings, but all keys of the table have this type.
    names[value] = name as keyof typeof stackStatus;
    return names;
  },
  [],
);

/** Returns the samples of selected processes in a batch. */
export function chooseStacks(
  batch: SampleBatch,
  isChosen: (process: SampledProcess) => boolean,
): SampledStack[] {
  const { samples, stacks, frames } = batch;
  const functions = [undefined, ...batch.functions];
  const found: SampledStack[] = [];
  for (let i = 0; i < samples.count; i++) {
    const process = batch.processes[samples.process[i]];
    if (!isChosen(process)) continue;
    const row = samples.stack[i];
    const [start, end] = [stacks.frameStart[row], stacks.frameStart[row + 1]];
    const all = Array.from({ length: end - start }, (_, at) => ({
      address: frames.address[start + at],
      binary: batch.binaries[frames.binary[start + at]],
      scriptFunction: functions[frames.function[start + at]],
    }));
    const kernelCount = stacks.kernelFrameCount[row];
    found.push({
      process,
      status: statusNames[stacks.status[row]],
      kernel: all.slice(0, kernelCount),
      user: all.slice(kernelCount),
    });
  }
  return found;
}

/**
 * Takes batches until there are `count` stacks of selected processes. Drops the stacks before the
 * first complete stack, because the tables were not ready yet. Throws after `secondsMax`.
 */
export async function collectStacks(
  sampler: Sampler,
  isChosen: (process: SampledProcess) => boolean,
  count: number,
  secondsMax = 120,
): Promise<SampledStack[]> {
  const stacks: SampledStack[] = [];
  const isGood = ({ status }: SampledStack): boolean =>
    status === 'complete' || status === 'truncated';
  for (let waited = 0; stacks.length < count; waited++) {
    if (waited > secondsMax * 5) {
      throw new Error(`${stacks.length} of ${count} stacks in ${secondsMax} s`);
    }
    await sleep(200);
    const taken = chooseStacks(sampler.take(), isChosen);
    const first = stacks.length > 0 ? 0 : taken.findIndex(isGood);
    if (first >= 0) stacks.push(...taken.slice(first));
  }
  return stacks;
}

/**
 * Returns the share of stacks that reach the first function of their thread. Truncated stacks and
 * stacks with only kernel frames do not count. Pending stacks in the first half do not count
 * either, because programs still load libraries at that time.
 */
export function completeShare(stacks: readonly SampledStack[]): number {
  const isCounted = ({ status }: SampledStack, i: number): boolean =>
    status !== 'kernelOnly' &&
    status !== 'truncated' &&
    (status !== 'pending' || i >= stacks.length / 2);
  const counted = stacks.filter(isCounted);
  return counted.filter(({ status }) => status === 'complete').length / counted.length;
}

/** Describes stacks for error messages: counts by status and by the address of the last frame. */
export function describeStacks(stacks: readonly SampledStack[]): string {
  const counts = new Map<string, number>();
  for (const { status, user } of stacks) {
    const last = user.at(-1);
    const place = last && `${last.binary.path || last.binary.kind}+0x${last.address.toString(16)}`;
    const key = status === 'complete' ? status : `${status} at ${place} after ${user.length}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].map(([key, count]) => `${count} ${key}`).join(', ');
}
