// Increases of counters. Profiles that count since the start of a program become steps from one
// time to the next.
import { numberAt, asWords } from '../../base/int64.ts';
import { increaseGapNanosMax } from '../../base/limits.ts';
import type { ProfileColumns } from './profile-columns.ts';

/**
 * Steps of one series in order of time. Each step leads from one time at which the series was
 * profiled to a later time. The value of a step is the value at its end minus the value at its
 * start, or only the value at its end if the counter began at 0.
 */
export interface IncreaseSteps {
  readonly length: number;
  readonly fromNanos: BigInt64Array;
  /** End of each step. Ends are distinct, and within the range of the steps. */
  readonly toNanos: BigInt64Array;
  /** 1 if the program restarted within the step, so that values begin at 0. */
  readonly isFromZero: Uint8Array;
}

/**
 * Returns the steps that end at `from` or later. `columns` has all profiles of a series since
 * `increaseGapNanosMax` before `from`; profiles with the same time are treated as one. Two
 * successive times form a step unless they are more than `increaseGapNanosMax` apart. A falling
 * total means that the program restarted.
 */
export function computeSteps(columns: ProfileColumns, from: bigint): IncreaseSteps {
  const { profileCount: count, timeNanos, total } = byMoment(columns, false);
  const times = asWords(timeNanos);
  const totals = asWords(total);
  const start = asWords(BigInt64Array.of(from));
  const fromNanos = new BigInt64Array(count);
  const toNanos = new BigInt64Array(count);
  const isFromZero = new Uint8Array(count);
  let length = 0;
  for (let i = 1; i < count; i += 1) {
    if (compareWords(times, i, start, 0) < 0) continue;
    if (distance(times, i - 1, i) > increaseGapNanosMax) continue;
    fromNanos[length] = timeNanos[i - 1];
    toNanos[length] = timeNanos[i];
    if (compareWords(totals, i, totals, i - 1) < 0) isFromZero[length] = 1;
    length += 1;
  }
  return firstSteps({ length: count, fromNanos, toNanos, isFromZero }, length);
}

/** Returns the steps that end in one of the ranges, which include their ends. */
export function stepsEndingIn(
  { length: count, fromNanos, toNanos, isFromZero }: IncreaseSteps,
  ranges: readonly { readonly from: bigint; readonly to: bigint }[],
): IncreaseSteps {
  const left = {
    fromNanos: new BigInt64Array(count),
    toNanos: new BigInt64Array(count),
    isFromZero: new Uint8Array(count),
  };
  let length = 0;
  for (let i = 0; i < count; i += 1) {
    const end = toNanos[i];
    if (!ranges.some(({ from, to }) => end >= from && end <= to)) continue;
    left.fromNanos[length] = fromNanos[i];
    left.toNanos[length] = end;
    left.isFromZero[length] = isFromZero[i];
    length += 1;
  }
  return firstSteps({ length: count, ...left }, length);
}

/** Joins adjacent steps into one with the same sum. */
export function joinSteps({
  length: count,
  fromNanos,
  toNanos,
  isFromZero,
}: IncreaseSteps): IncreaseSteps {
  const froms = asWords(fromNanos);
  const tos = asWords(toNanos);
  const joined = {
    fromNanos: new BigInt64Array(count),
    toNanos: new BigInt64Array(count),
    isFromZero: new Uint8Array(count),
  };
  let length = 0;
  for (let i = 0; i < count; i += 1) {
    const goesOn = i > 0 && isFromZero[i] === 0 && compareWords(froms, i, tos, i - 1) === 0;
    if (!goesOn) {
      joined.fromNanos[length] = fromNanos[i];
      joined.isFromZero[length] = isFromZero[i];
      length += 1;
    }
    joined.toNanos[length - 1] = toNanos[i];
  }
  return firstSteps({ length: count, ...joined }, length);
}

/** Returns copies of the first `length` steps. */
function firstSteps(
  { fromNanos, toNanos, isFromZero }: IncreaseSteps,
  length: number,
): IncreaseSteps {
  return {
    length,
    fromNanos: fromNanos.slice(0, length),
    toNanos: toNanos.slice(0, length),
    isFromZero: isFromZero.slice(0, length),
  };
}

/**
 * Steps by profile: the step that ends at the profile, and the step that begins at it; -1 = none.
 */
export interface StepsOfProfiles {
  readonly ending: Int32Array;
  readonly starting: Int32Array;
}

/** Returns the steps that begin or end at each of the given times, which ascend. */
export function stepsAt(
  { length, fromNanos, toNanos, isFromZero }: IncreaseSteps,
  timeNanos: BigInt64Array,
): StepsOfProfiles {
  const times = asWords(timeNanos);
  const froms = asWords(fromNanos);
  const tos = asWords(toNanos);
  const ending = new Int32Array(timeNanos.length).fill(-1);
  const starting = new Int32Array(timeNanos.length).fill(-1);
  let end = 0;
  let start = 0;
  for (let i = 0; i < timeNanos.length; i += 1) {
    while (end < length && compareWords(tos, end, times, i) < 0) end += 1;
    while (start < length && compareWords(froms, start, times, i) < 0) start += 1;
    if (end < length && compareWords(tos, end, times, i) === 0) ending[i] = end;
    const isStart = start < length && compareWords(froms, start, times, i) === 0;
    if (isStart && isFromZero[start] === 0) starting[i] = start;
  }
  return { ending, starting };
}

/** A profile at the start or the end of a step, as a row of the table of steps. */
export interface StepRow {
  /** Time of the profile. */
  readonly atNanos: bigint;
  /** 1 at the end of the step, -1 at its start. */
  readonly factor: bigint;
  /** Start of the step, and its length. */
  readonly timeNanos: bigint;
  readonly durationNanos: bigint;
}

/** Yields the rows of all steps, one or two for each step. */
export function* stepRows(steps: IncreaseSteps | undefined): Generator<StepRow> {
  for (let i = 0; steps !== undefined && i < steps.length; i += 1) {
    const [timeNanos, end] = [steps.fromNanos[i], steps.toNanos[i]];
    const step = { timeNanos, durationNanos: end - timeNanos };
    yield { atNanos: end, factor: 1n, ...step };
    if (steps.isFromZero[i] === 0) yield { atNanos: timeNanos, factor: -1n, ...step };
  }
}

/** Amount of data to read for steps. */
export interface StepParts {
  /** Number of profiles at the starts and ends of steps. */
  readonly profileCount: number;
  /** Number of nonzero rows in these profiles. */
  readonly rowCount: number;
}

export function partsOfSteps(steps: IncreaseSteps, columns: ProfileColumns): StepParts {
  const { ending, starting } = stepsAt(steps, columns.timeNanos);
  let profileCount = 0;
  let rowCount = 0;
  for (let i = 0; i < columns.profileCount; i += 1) {
    if (ending[i] === -1 && starting[i] === -1) continue;
    profileCount += 1;
    rowCount += columns.count[i];
  }
  return { profileCount, rowCount };
}

/**
 * Returns each step as a profile. Its time is the end of the step, its duration is the length of
 * the step, its value comes from the totals of `columns`, and its row count is that of the profile
 * at the end. `columns` may lack some times of the series; steps that end at these times are left
 * out.
 */
export function profilesOfSteps(
  steps: IncreaseSteps,
  columns: ProfileColumns,
  isScaled: boolean,
): ProfileColumns {
  const moments = byMoment(columns, isScaled);
  const times = asWords(moments.timeNanos);
  const froms = asWords(steps.fromNanos);
  const tos = asWords(steps.toNanos);
  const timeNanos = new BigInt64Array(steps.length);
  const durationNanos = new BigInt64Array(steps.length);
  const period = new BigInt64Array(steps.length);
  const total = new BigInt64Array(steps.length);
  const count = new Uint32Array(steps.length);
  const { profileCount } = moments;
  let [at, start, end] = [0, 0, 0];
  for (let step = 0; step < steps.length; step += 1) {
    while (start < profileCount && compareWords(times, start, froms, step) < 0) start += 1;
    while (end < profileCount && compareWords(times, end, tos, step) < 0) end += 1;
    const hasEnd = end < profileCount && compareWords(times, end, tos, step) === 0;
    const isAtStart = start < profileCount && compareWords(times, start, froms, step) === 0;
    const hasStart = isAtStart && steps.isFromZero[step] === 0;
    if (!hasEnd && !hasStart) continue;
    timeNanos[at] = steps.toNanos[step];
    durationNanos[at] = steps.toNanos[step] - steps.fromNanos[step];
    if (hasEnd) {
      period[at] = moments.period[end];
      total[at] = moments.total[end];
      count[at] = moments.count[end];
    }
    if (hasStart) total[at] -= moments.total[start];
    at += 1;
  }
  return {
    profileCount: at,
    timeNanos: timeNanos.subarray(0, at),
    durationNanos: durationNanos.subarray(0, at),
    period: period.subarray(0, at),
    total: total.subarray(0, at),
    count: count.subarray(0, at),
  };
}

/** Returns the approximate sum of the magnitudes of the steps' values, even if it is above 2^63. */
export function magnitudeOfSteps(
  steps: IncreaseSteps,
  columns: ProfileColumns,
  isScaled: boolean,
): number {
  const { ending, starting } = stepsAt(steps, columns.timeNanos);
  const totals = asWords(columns.total);
  const periods = asWords(columns.period);
  const worth = new Float64Array(steps.length);
  for (let i = 0; i < columns.profileCount; i += 1) {
    const value = numberAt(totals, i) * (isScaled ? numberAt(periods, i) : 1);
    if (ending[i] !== -1) worth[ending[i]] += value;
    if (starting[i] !== -1) worth[starting[i]] -= value;
  }
  return worth.reduce((sum, value) => sum + Math.abs(value), 0);
}

/** Returns the exact value of each step, which is slow. */
export function worthOfSteps(
  steps: IncreaseSteps,
  { profileCount, timeNanos, total, period }: ProfileColumns,
  isScaled: boolean,
): bigint[] {
  const { ending, starting } = stepsAt(steps, timeNanos);
  const worth = Array.from({ length: steps.length }, () => 0n);
  for (let i = 0; i < profileCount; i += 1) {
    const value = isScaled ? total[i] * period[i] : total[i];
    if (ending[i] !== -1) worth[ending[i]] += value;
    if (starting[i] !== -1) worth[starting[i]] -= value;
  }
  return worth;
}

/**
 * Joins profiles with the same time into one, which has the sums of their values. It has their
 * period if they share one.
 */
function byMoment(columns: ProfileColumns, isScaled: boolean): ProfileColumns {
  const { profileCount, timeNanos, durationNanos, period } = columns;
  const total = isScaled ? scaledTotals(columns) : columns.total;
  const times = asWords(timeNanos);
  let repeated = 0;
  for (let i = 1; i < profileCount; i += 1) {
    if (compareWords(times, i - 1, times, i) === 0) repeated += 1;
  }
  if (repeated === 0) {
    return { profileCount, timeNanos, durationNanos, period, total, count: columns.count };
  }
  const moments = {
    profileCount: profileCount - repeated,
    timeNanos: new BigInt64Array(profileCount - repeated),
    durationNanos: new BigInt64Array(profileCount - repeated),
    period: new BigInt64Array(profileCount - repeated),
    total: new BigInt64Array(profileCount - repeated),
    count: new Uint32Array(profileCount - repeated),
  };
  let at = -1;
  for (let i = 0; i < profileCount; i += 1) {
    if (i === 0 || compareWords(times, i - 1, times, i) !== 0) {
      at += 1;
      moments.timeNanos[at] = timeNanos[i];
      moments.durationNanos[at] = durationNanos[i];
      moments.period[at] = period[i];
    } else if (moments.period[at] !== period[i]) {
      moments.period[at] = 0n;
    }
    moments.total[at] += total[i];
    moments.count[at] += columns.count[i];
  }
  return moments;
}

function scaledTotals({ profileCount, total, period }: ProfileColumns): BigInt64Array {
  const scaled = new BigInt64Array(profileCount);
  for (let i = 0; i < profileCount; i += 1) scaled[i] = BigInt.asIntN(64, total[i] * period[i]);
  return scaled;
}

/** Compares values `i` and `j` without creating BigInts; negative if value `i` is smaller. */
function compareWords(a: Int32Array, i: number, b: Int32Array, j: number): number {
  const high = a[i * 2 + 1] - b[j * 2 + 1];
  return high === 0 ? (a[i * 2] >>> 0) - (b[j * 2] >>> 0) : high;
}

/** Returns the difference from value `i` to value `j`; exact up to 2^53. */
function distance(words: Int32Array, i: number, j: number): number {
  const high = words[j * 2 + 1] - words[i * 2 + 1];
  return high * 0x1_0000_0000 + ((words[j * 2] >>> 0) - (words[i * 2] >>> 0));
}
