// Limits the memory of the bodies that scrapes have received but that are not stored yet.
import { ScrapeError } from './scrape-error.ts';

/** Counts the bytes of all bodies. They accumulate when the disk or the process is slow. */
export class BodyMemory {
  readonly #bytesMax: number;
  #usedBytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Bytes currently in use. */
  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** Creates the lease of one scrape's body, which grows by `take` until `release`. */
  lease(): BodyLease {
    let taken = 0;
    return {
      take: (bytes) => {
        if (this.#usedBytes + bytes > this.#bytesMax) {
          const why = `profiles that are not stored yet have ${this.#bytesMax} bytes together`;
          throw new ScrapeError('memory', why);
        }
        this.#usedBytes += bytes;
        taken += bytes;
      },
      release: () => {
        this.#usedBytes -= taken;
        taken = 0;
      },
    };
  }
}

/** The memory of one body. */
export interface BodyLease {
  /**
   * Takes memory for `bytes`. Errors: ScrapeError 'memory' if all bodies together would exceed the
   * limit.
   */
  take(bytes: number): void;
  /** Releases the body's memory; idempotent. */
  release(): void;
}
