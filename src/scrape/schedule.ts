// Computes when to scrape a target next, in monotonic milliseconds.

/** Schedule of a target's scrapes. */
export interface Schedule {
  /** Monotonic time of the first tick. */
  readonly firstMillis: number;
  readonly intervalMillis: number;
  /**
   * Time span of profiles that are scraped without gaps. Their next fetch starts when the previous
   * fetch ends. Undefined for other profiles.
   */
  readonly backToBackMillis: number | undefined;
}

/** Times of a finished scrape. */
export interface FinishedScrape {
  readonly startMillis: number;
  readonly endMillis: number;
  readonly isGood: boolean;
}

/**
 * Fraction of the requested time span. A response that arrives before this is too early to cover
 * the span.
 */
const earlyShare = 0.5;

/**
 * Returns the delay from now to the first tick. Each target has a fixed offset in the interval, so
 * ticks do not change after a restart, and are spread over the interval.
 *
 * `offsetShare` is the offset as a fraction of the interval, 0 <= offsetShare < 1.
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
 * Returns the number of skipped ticks between two starts; 0 for back-to-back profiles, which have
 * no ticks.
 */
export function skippedTicks(schedule: Schedule, startMillis: number, nextMillis: number): number {
  if (schedule.backToBackMillis !== undefined) return 0;
  return Math.round((nextMillis - startMillis) / schedule.intervalMillis) - 1;
}

/**
 * Returns the start of the next scrape. Skips the ticks that passed during a scrape. A target is
 * not scraped again immediately if it failed, or if its response was too early to cover the time
 * span.
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
