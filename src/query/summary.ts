// What is said about a report besides its tree: how many profiles, samples, and how much time.
import type { ProfileType } from '../model/profile-type.ts';
import type { TimeRange } from '../storage/interface.ts';
import type { QueryContext } from './context.ts';
import { averagingDivisor } from './coverage.ts';
import type { ReportHead } from './interface.ts';
import type { SpannedSeries } from './spans.ts';

type Times = Pick<
  ReportHead,
  'profileCount' | 'timeNanos' | 'durationNanos' | 'snapshots' | 'period'
>;

/** What a selection says about itself. */
export interface Summary {
  readonly times: Times;
  /** Sum of the stored values, before scaling, modulo 2^64. */
  readonly stored: bigint;
  /** Rows that are not 0. */
  readonly rowCount: bigint;
}

export async function summarize(
  series: readonly SpannedSeries[],
  type: ProfileType,
  range: TimeRange,
  context: QueryContext,
): Promise<Summary> {
  let profileCount = 0;
  let rowCount = 0;
  let stored = 0n;
  let first: bigint | undefined;
  const periods = new Set<bigint>();
  for (const { spans } of series) {
    const pausing = context.pause();
    if (pausing !== undefined) await pausing;
    for (const { digest } of spans) {
      profileCount += digest.profileCount;
      rowCount += digest.count;
      stored += digest.total;
      if (first === undefined || digest.firstNanos < first) first = digest.firstNanos;
      periods.add(digest.period ?? 0n);
    }
  }
  const [period] = periods;
  const divisor = await averagingDivisor(
    series.map(({ spans }) => spans),
    type.delta,
    Number(range.to - range.from),
    context,
  );
  const times = {
    profileCount,
    timeNanos: first ?? range.from,
    durationNanos: type.delta ? BigInt(Math.round(divisor)) : 0n,
    snapshots: type.delta ? 0 : divisor,
    period: periods.size === 1 ? period : 0n,
  };
  return { times, stored: BigInt.asIntN(64, stored), rowCount: BigInt(rowCount) };
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
