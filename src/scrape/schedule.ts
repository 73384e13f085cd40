// Decides when to scrape a target next: pure arithmetic on monotonic milliseconds.

/** Schedule of a target's scrapes. */
export interface Schedule {
  /** Monotonic time of the first tick. */
  readonly firstMillis: number;
  readonly intervalMillis: number;
  /**
   * Span of profiles that are scraped without gaps: the next fetch starts when the previous one has
   * ended.
   */
  readonly backToBackMillis: number | undefined;
}

/** A scrape that ended. */
export interface FinishedScrape {
  readonly startMillis: number;
  readonly endMillis: number;
  readonly isGood: boolean;
}

/** Share of the requested span: an answer that comes earlier cannot cover the span. */
const earlyShare = 0.5;

/**
 * Returns the delay from now to the first tick. At a tick, the time modulo the interval is the
 * target's offset, so that ticks are the same after a restart and spread over the interval.
 *
 * `offsetShare` is the target's offset in the interval, 0 <= share < 1.
 */
export function firstDelayMillis(
  wallMillis: number,
  intervalMillis: number,
  offsetShare: number,
): number {
  const offset = Math.floor(offsetShare * intervalMillis);
  const phase = wallMillis % intervalMillis;
  return (offset - phase + intervalMillis) % intervalMillis;
}

/**
 * Returns the number of ticks without a scrape between two starts; back-to-back profiles have no
 * ticks.
 */
export function skippedTicks(schedule: Schedule, startMillis: number, nextMillis: number): number {
  if (schedule.backToBackMillis !== undefined) return 0;
  return Math.round((nextMillis - startMillis) / schedule.intervalMillis) - 1;
}

/**
 * Returns the start of the next scrape. Ticks that passed during a scrape are skipped. A target
 * that fails, or that answers too early with a profile over a span, is not scraped again
 * immediately.
 */
export function nextStartMillis(schedule: Schedule, last: FinishedScrape): number {
  const { firstMillis, intervalMillis, backToBackMillis } = schedule;
  if (backToBackMillis !== undefined && last.isGood) {
    const isEarly = last.endMillis - last.startMillis < backToBackMillis * earlyShare;
    return isEarly ? last.startMillis + backToBackMillis : last.endMillis;
  }
  const passed = Math.floor((last.endMillis - firstMillis) / intervalMillis);
  return firstMillis + (passed + 1) * intervalMillis;
}
