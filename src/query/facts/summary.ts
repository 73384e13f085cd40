// What is said about a report besides its tree: how many profiles, samples, and how much time.
import type { ProfileType } from '../../model/profile-type.ts';
import type { TimeRange } from '../../storage/interface.ts';
import type { QueryContext } from '../running/context.ts';
import { averagingDivisor, type TimedSpan } from './coverage.ts';
import type { ReportHead } from '../interface.ts';

type Times = Pick<
  ReportHead,
  'profileCount' | 'timeNanos' | 'durationNanos' | 'snapshots' | 'period'
>;

/** What a selection says about itself. */
export interface Summary {
  readonly times: Times;
  /** Whether all profiles share a period, known or not. */
  readonly hasOnePeriod: boolean;
  /** Before filters: what the values add up to when each counts its period, modulo 2^64. */
  readonly value: bigint;
  /** The samples behind `value`, by each profile's own period. */
  readonly samples: bigint;
  /** Rows that are not 0. */
  readonly rowCount: bigint;
  /** Whether values are of spans of time, of which rates can be made: deltas, or increases. */
  readonly isOverTime: boolean;
  /** What is not known of it, as sentences. */
  readonly unknown: readonly string[];
}

export async function summarize(
  series: readonly { readonly spans: readonly TimedSpan[] }[],
  { type, isOverTime }: { readonly type: ProfileType; readonly isOverTime: boolean },
  range: TimeRange,
  context: QueryContext,
): Promise<Omit<Summary, 'unknown'>> {
  let profileCount = 0;
  let rowCount = 0;
  const totals = new PeriodTotals();
  let first: bigint | undefined;
  for (const { spans } of series) {
    const pausing = context.pause();
    if (pausing !== undefined) await pausing;
    for (const span of spans) {
      const { digest } = span;
      if (digest.period !== undefined) totals.add(digest.period, digest.total, digest.count);
      else await totals.addEach(span);
      profileCount += digest.profileCount;
      rowCount += digest.count;
      if (first === undefined || digest.firstNanos < first) first = digest.firstNanos;
    }
  }
  const divisor = await averagingDivisor(
    series.map(({ spans }) => spans),
    isOverTime,
    Number(range.to - range.from),
    context,
  );
  const times = {
    profileCount,
    timeNanos: first ?? range.from,
    durationNanos: isOverTime ? BigInt(Math.round(divisor)) : 0n,
    snapshots: isOverTime ? 0 : divisor,
    period: totals.common(),
  };
  const sums = { ...totals.count(countsSamples(type)), rowCount: BigInt(rowCount) };
  return { times, hasOnePeriod: totals.hasOne, ...sums, isOverTime };
}

/** What profiles of each period add up to; so the answer is one however they are split. */
class PeriodTotals {
  readonly #byPeriod = new Map<bigint, { total: bigint; rows: number }>();

  add(period: bigint, total: bigint, rows: number): void {
    const known = this.#byPeriod.get(period);
    if (known === undefined) this.#byPeriod.set(period, { total, rows });
    else {
      known.total += total;
      known.rows += rows;
    }
  }

  /** Profiles whose periods differ, one by one. */
  async addEach(span: TimedSpan): Promise<void> {
    const { profileCount, total, period, count } = await span.columns();
    for (let i = 0; i < profileCount; i += 1) this.add(period[i], total[i], count[i]);
  }

  get hasOne(): boolean {
    return this.#byPeriod.size === 1;
  }

  /** The period of all; 0 when they differ. */
  common(): bigint {
    const [period = 0n] = this.#byPeriod.keys();
    return this.hasOne ? period : 0n;
  }

  /** `areCounts`: values count samples, else they are multiples of the period. */
  count(areCounts: boolean): Pick<Summary, 'value' | 'samples'> {
    let value = 0n;
    let samples = 0n;
    for (const [period, { total, rows }] of this.#byPeriod) {
      value += areCounts ? total * period : total;
      if (areCounts) samples += total;
      // Where the period is not known, a row is taken for a sample.
      else samples += period > 0n ? total / period : BigInt(rows);
    }
    return { value: BigInt.asIntN(64, value), samples };
  }
}

function countsSamples({ sample }: ProfileType): boolean {
  return sample.type === 'samples' && sample.unit === 'count';
}

/**
 * Samples behind `total`: exact where values count them or are multiples of the period. Where
 * periods differ it is exact of the whole selection; filters leave a share of it.
 */
export function countSamples(
  { times, value, samples, rowCount }: Summary,
  type: ProfileType,
  total: bigint,
  isScaled: boolean,
): bigint {
  const counts = countsSamples(type);
  if (counts && !isScaled) return total;
  const { sample, period } = type;
  const isTimesPeriod = counts || (sample.type === period.type && sample.unit === period.unit);
  if (!isTimesPeriod) return rowCount;
  if (times.period > 0n) return total / times.period;
  return total === value || value === 0n ? samples : (samples * total) / value;
}
