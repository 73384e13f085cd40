// What is said about a report besides its tree: how many profiles, samples, and how much time.
import { sumValues } from '../model/merge.ts';
import type { ProfileType } from '../model/profile-type.ts';
import type { TimeRange } from '../storage/interface.ts';
import { averagingDivisor } from './coverage.ts';
import type { ReportHead } from './interface.ts';
import type { LoadedSelection } from './loaded-selection.ts';

type Times = Pick<
  ReportHead,
  'profileCount' | 'timeNanos' | 'durationNanos' | 'snapshots' | 'period'
>;

/** What a selection says about itself. */
export interface Summary {
  readonly times: Times;
  /** Sum of the stored values, before scaling. */
  readonly stored: bigint;
  /** Rows that are not 0. */
  readonly rowCount: bigint;
}

/** Reads the columns of a selection, so it comes before the next await. */
export function summarize(
  { series }: LoadedSelection,
  type: ProfileType,
  range: TimeRange,
): Summary {
  let profileCount = 0;
  let rowCount = 0;
  let stored = 0n;
  let first: bigint | undefined;
  const periods = new Set<bigint>();
  for (const one of series) {
    if (one.profileCount === 0) continue;
    profileCount += one.profileCount;
    for (let i = 0; i < one.profileCount; i += 1) rowCount += one.count[i];
    stored += sumValues(one.total);
    if (first === undefined || one.timeNanos[0] < first) first = one.timeNanos[0];
    periods.add(commonPeriod(one.period));
  }
  const [period] = periods;
  const divisor = averagingDivisor(series, type.delta, Number(range.to - range.from));
  const times = {
    profileCount,
    timeNanos: first ?? range.from,
    durationNanos: type.delta ? BigInt(Math.round(divisor)) : 0n,
    snapshots: type.delta ? 0 : divisor,
    period: periods.size === 1 ? period : 0n,
  };
  return { times, stored, rowCount: BigInt(rowCount) };
}

/** Samples behind `total`: exact where values count them or are multiples of the period. */
export function countSamples(
  { times, stored, rowCount }: Summary,
  { sample, period }: ProfileType,
  total: bigint,
  isScaled: boolean,
): bigint {
  const counts = sample.type === 'samples' && sample.unit === 'count';
  if (counts && !isScaled) return total;
  const isTimesPeriod = counts || (sample.type === period.type && sample.unit === period.unit);
  if (isTimesPeriod && times.period > 0n) return total / times.period;
  return counts ? stored : rowCount;
}

/** The value that all elements share, else 0. */
function commonPeriod(period: BigInt64Array): bigint {
  const words = new Int32Array(period.buffer, period.byteOffset, period.length * 2);
  for (let i = 2; i < words.length; i += 2) {
    if (words[i] !== words[0] || words[i + 1] !== words[1]) return 0n;
  }
  return period[0];
}
