// From rows, as a database answers, to the columns of the seam.
import type { MergedStacks } from '../model/merged-stacks.ts';
import type { ProfileColumns } from '../model/profiles/profile-columns.ts';
import type { LineOverTime, ProfileTimes } from './interface.ts';

export interface ProfileRow extends ProfileTimes {
  readonly period: bigint;
  readonly total: bigint;
  /** Rows of the profile that are not 0. */
  readonly count: number;
}

/** Rows are in order of time. */
export function profileColumns(rows: readonly ProfileRow[]): ProfileColumns {
  return {
    profileCount: rows.length,
    timeNanos: BigInt64Array.from(rows, ({ timeNanos }) => timeNanos),
    durationNanos: BigInt64Array.from(rows, ({ durationNanos }) => durationNanos),
    period: BigInt64Array.from(rows, ({ period }) => period),
    total: BigInt64Array.from(rows, ({ total }) => total),
    count: Uint32Array.from(rows, ({ count }) => count),
  };
}

export interface StackRow {
  readonly stack: number;
  readonly value: bigint;
}

/** Sums rows by stack, in any order; without sums of 0. */
export function mergedStacks(rows: Iterable<StackRow>): MergedStacks {
  const sums = new Map<number, bigint>();
  for (const { stack, value } of rows) {
    sums.set(stack, BigInt.asIntN(64, (sums.get(stack) ?? 0n) + value));
  }
  const stacks = Uint32Array.from(sums.keys()).sort();
  const left = stacks.filter((stack) => sums.get(stack) !== 0n);
  return { stacks: left, values: BigInt64Array.from(left, (stack) => sums.get(stack) ?? 0n) };
}

/** One bucket of a LineOverTime. */
export interface BucketRow {
  readonly startNanos: bigint;
  readonly firstNanos: bigint;
  readonly isMixed: boolean;
  readonly durationNanos: bigint;
  readonly value: bigint;
  readonly count: number;
  readonly longValue: bigint;
  readonly longRate: number;
}

export function bucketColumns(
  rows: readonly BucketRow[],
): Omit<LineOverTime, 'labels' | 'total' | 'shares'> {
  return {
    startNanos: BigInt64Array.from(rows, ({ startNanos }) => startNanos),
    firstNanos: BigInt64Array.from(rows, ({ firstNanos }) => firstNanos),
    isMixed: Uint8Array.from(rows, ({ isMixed }) => (isMixed ? 1 : 0)),
    durationNanos: BigInt64Array.from(rows, ({ durationNanos }) => durationNanos),
    value: BigInt64Array.from(rows, ({ value }) => value),
    count: Uint32Array.from(rows, ({ count }) => count),
    longValue: BigInt64Array.from(rows, ({ longValue }) => longValue),
    longRate: Float64Array.from(rows, ({ longRate }) => longRate),
  };
}
