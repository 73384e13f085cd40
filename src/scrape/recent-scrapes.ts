// Keeps the recent scrapes of a target in a few hundred bytes, because there may be ten thousand
// targets.
import { recentScrapesMax } from './limits.ts';

/** One scrape. */
export interface RecentScrape {
  readonly startMillis: number;
  readonly durationMillis: number;
  readonly isGood: boolean;
}

/**
 * Ring buffer of scrapes. It is a list of numbers with three numbers per scrape: start, duration,
 * and 1 for a success. A list grows with the number of scrapes, and therefore takes less memory
 * than a typed array.
 */
export class RecentScrapes {
  readonly #values: number[] = [];
  #count = 0;

  add({ startMillis, durationMillis, isGood }: RecentScrape): void {
    const at = 3 * (this.#count % recentScrapesMax);
    this.#values[at] = startMillis;
    this.#values[at + 1] = durationMillis;
    this.#values[at + 2] = isGood ? 1 : 0;
    this.#count += 1;
  }

  /** Returns the scrapes, oldest first. */
  list(): RecentScrape[] {
    const length = Math.min(this.#count, recentScrapesMax);
    return Array.from({ length }, (_, i) => {
      const at = 3 * ((this.#count - length + i) % recentScrapesMax);
      const [startMillis, durationMillis, good] = this.#values.slice(at, at + 3);
      return { startMillis, durationMillis, isGood: good === 1 };
    });
  }
}
