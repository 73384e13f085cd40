// Statistics of a report: numbers of profiles and samples, and covered time.
import type { ProfileType } from '../../model/profile-type.ts';
import type { PeriodSum } from '../../model/profiles/period-sums.ts';
import type { Timeline } from '../../model/profiles/timeline.ts';
import { averagingDivisor } from './coverage.ts';
import type { ReportHead } from '../interface.ts';

type Times = Pick<
  ReportHead,
  'profileCount' | 'timeNanos' | 'durationNanos' | 'snapshots' | 'period'
>;

/** Facts about a selection. */
export interface Summary {
  readonly times: Times;
  /** True if all profiles have the same period, known or not. */
  readonly hasOnePeriod: boolean;
  /** Sum of all values before filters, each multiplied by its period, modulo 2^64. */
  readonly value: bigint;
  /** Number of samples in `value`, computed with each profile's own period. */
  readonly samples: bigint;
  /** Number of rows whose value is not 0. */
  readonly rowCount: bigint;
  /** True for deltas and increases, whose values cover spans of time and therefore have rates. */
  readonly isOverTime: boolean;
  /** Sentences about what is unknown. */
  readonly unknown: readonly string[];
}

/**
 * Summarizes a selection; `periods` and `timelines` must describe the same profiles. The requested
 * range begins at `from` and is `lengthNanos` long.
 */
export function summarize(
  periods: readonly PeriodSum[],
  timelines: readonly Timeline[],
  { type, isOverTime }: { readonly type: ProfileType; readonly isOverTime: boolean },
  { from, lengthNanos }: { readonly from: bigint; readonly lengthNanos: number },
): Omit<Summary, 'unknown'> {
  let [profileCount, rowCount] = [0, 0];
  for (const sum of periods) {
    profileCount += sum.profileCount;
    rowCount += sum.count;
  }
  const firsts = timelines.map(({ stretches }) => stretches[0].from);
  const first = firsts.reduce((least, one) => (one < least ? one : least), firsts[0] ?? from);
  const divisor = averagingDivisor(timelines, isOverTime, lengthNanos);
  const times = {
    profileCount,
    timeNanos: first,
    durationNanos: isOverTime ? BigInt(Math.round(divisor)) : 0n,
    snapshots: isOverTime ? 0 : divisor,
    period: periods.length === 1 ? periods[0].period : 0n,
  };
  const sums = { ...countPeriods(periods, countsSamples(type)), rowCount: BigInt(rowCount) };
  return { times, hasOnePeriod: periods.length === 1, ...sums, isOverTime };
}

/**
 * Adds up values and numbers of samples. With `areCounts`, values are numbers of samples; otherwise
 * they are multiples of the period.
 */
function countPeriods(
  periods: readonly PeriodSum[],
  areCounts: boolean,
): Pick<Summary, 'value' | 'samples'> {
  let value = 0n;
  let samples = 0n;
  for (const { period, total, count } of periods) {
    value += areCounts ? total * period : total;
    if (areCounts) samples += total;
    // If the period is unknown, each row counts as a sample.
    else samples += period > 0n ? total / period : BigInt(count);
  }
  return { value: BigInt.asIntN(64, value), samples };
}

function countsSamples({ sample }: ProfileType): boolean {
  return sample.type === 'samples' && sample.unit === 'count';
}

/**
 * Returns the number of samples in `total`. It is exact if values are numbers of samples or
 * multiples of the period. If periods differ, it is exact for the complete selection; after
 * filters, it is estimated as a proportion.
 */
export function countSamples(
  { times, value, samples, rowCount }: Summary,
  types: readonly ProfileType[],
  total: bigint,
  isScaled: boolean,
): bigint {
  const counts = types.every(countsSamples);
  if (counts && !isScaled) return total;
  if (!counts && !types.every(isOfPeriod)) return rowCount;
  if (times.period > 0n) return total / times.period;
  return total === value || value === 0n ? samples : (samples * total) / value;
}

/**
 * Returns true if the period measures the same as the values: a sample is taken after an amount of
 * CPU time if values are CPU time, or of `space` if values are memory in use (`inuse_space`), as in
 * Go.
 */
function isOfPeriod({ sample, period }: ProfileType): boolean {
  const { type } = sample;
  return (type === period.type || type.endsWith(`_${period.type}`)) && sample.unit === period.unit;
}
