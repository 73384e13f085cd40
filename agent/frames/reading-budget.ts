// Limits how many bytes are read in a period of time, so that large files do not delay the agent.
import type { Clock } from '../../src/base/clock.ts';
import { perfMapReadingBytesMax, perfMapRereadMillis } from '../limits.ts';

/** Number of bytes that may still be read until `#endMillis`. */
export class ReadingBudget {
  readonly #clock: Clock;
  #bytes = 0;
  #endMillis = -Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get bytes(): number {
    const now = this.#clock.monotonicMillis();
    if (now >= this.#endMillis) {
      this.#bytes = perfMapReadingBytesMax;
      this.#endMillis = now + perfMapRereadMillis;
    }
    return this.#bytes;
  }

  /** Counts bytes as read. */
  use(count: number): void {
    this.#bytes -= count;
  }
}
