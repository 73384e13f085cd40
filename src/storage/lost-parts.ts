// Parts of a store that cannot be opened, so that answers can report which data they lack.
import type { TimeRange } from './interface.ts';

export interface LostPart {
  /**
   * Latest time that a profile of the part can have if the clocks were correct. The earliest time
   * is unknown.
   */
  readonly lastNanos: bigint;
  readonly sentence: string;
}

export class LostParts {
  readonly #parts = new Map<string, LostPart>();

  get count(): number {
    return this.#parts.size;
  }

  /** Adds a part. `sentence` is added to answers that may lack its profiles. */
  add(id: string, lastNanos: bigint, sentence: string): void {
    this.#parts.set(id, { lastNanos, sentence });
  }

  /** Removes a part that can be read again or is no longer needed. */
  remove(id: string): void {
    this.#parts.delete(id);
  }

  all(): LostPart[] {
    return [...this.#parts.values()];
  }

  /** Returns sentences about parts whose profiles an answer about a range may lack. */
  sentencesIn({ from }: TimeRange): string[] {
    if (this.#parts.size === 0) return [];
    const within = [...this.#parts.values()].filter(({ lastNanos }) => lastNanos >= from);
    return within.map(({ sentence }) => sentence);
  }
}
