// Sums of profiles by period, regardless of how the profiles are split into spans.
import { numberAt, asWords } from '../../base/int64.ts';
import type { TimedSpan } from './timeline.ts';

/** The sums of all profiles that share a period. */
export interface PeriodSum {
  /** Period; 0 = unknown. */
  readonly period: bigint;
  readonly profileCount: number;
  /** Sum of the profiles' values, modulo 2^64. */
  readonly total: bigint;
  /** Approximate sum of the magnitudes of the profiles' totals. */
  readonly magnitude: number;
  /** Number of nonzero rows. */
  readonly count: number;
}

/** Adds up spans in any order. */
export class PeriodSums {
  readonly #byPeriod = new Map<bigint, PeriodSum>();

  get all(): readonly PeriodSum[] {
    return [...this.#byPeriod.values()];
  }

  /**
   * Adds a span by its digest or, if periods differ, profile by profile. Returns undefined if
   * nothing had to be read.
   */
  add(span: TimedSpan): Promise<void> | undefined {
    const { digest } = span;
    if (digest.period === undefined) return this.#addProfiles(span);
    const { period, profileCount, total, magnitude, count } = digest;
    this.addSum({ period, profileCount, total, magnitude, count });
    return undefined;
  }

  async #addProfiles(span: TimedSpan): Promise<void> {
    const { profileCount, period, total, count } = await span.columns();
    const totals = asWords(total);
    for (let i = 0; i < profileCount; i += 1) {
      const magnitude = Math.abs(numberAt(totals, i));
      const [one, rows] = [total[i], count[i]];
      this.addSum({ period: period[i], profileCount: 1, total: one, magnitude, count: rows });
    }
  }

  /** Adds sums of other profiles. */
  addSum({ period, profileCount, total, magnitude, count }: PeriodSum): void {
    const before = this.#byPeriod.get(period);
    this.#byPeriod.set(period, {
      period,
      profileCount: (before?.profileCount ?? 0) + profileCount,
      total: BigInt.asIntN(64, (before?.total ?? 0n) + total),
      magnitude: (before?.magnitude ?? 0) + magnitude,
      count: (before?.count ?? 0) + count,
    });
  }
}
