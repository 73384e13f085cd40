// The last scrapes of a target, in a few hundred bytes: there may be ten thousand targets.
import { recentScrapesMax } from '../base/limits.ts';

/** One scrape. */
export interface RecentScrape {
  readonly startMillis: number;
  readonly durationMillis: number;
  readonly isGood: boolean;
}

/**
 * A ring of scrapes in one column: three numbers for each, start, duration and 1 for a good one.
 */
export class RecentScrapes {
  readonly #values = new Float64Array(3 * recentScrapesMax);
  #count = 0;

  add({ startMillis, durationMillis, isGood }: RecentScrape): void {
    const at = this.#count % recentScrapesMax;
    this.#values.set([startMillis, durationMillis, isGood ? 1 : 0], 3 * at);
    this.#count += 1;
  }

  /** Returns the scrapes, oldest first. */
  list(): RecentScrape[] {
    const length = Math.min(this.#count, recentScrapesMax);
    return Array.from({ length }, (_, i) => {
      const at = 3 * ((this.#count - length + i) % recentScrapesMax);
      const [startMillis, durationMillis, good] = this.#values.subarray(at, at + 3);
      return { startMillis, durationMillis, isGood: good === 1 };
    });
  }
}
