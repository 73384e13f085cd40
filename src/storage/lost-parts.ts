// Parts of a store that cannot be opened. They are kept so that answers can report which data is
// missing.
import type { TimeRange } from './interface.ts';

export interface LostPart {
  /**
   * Latest time that a profile of the part can have, assuming that all clocks were correct. The
   * earliest time is unknown.
   */
  readonly lastNanos: bigint;
  readonly sentence: string;
}

export class LostParts {
  readonly #parts = new Map<string, LostPart>();

  get count(): number {
    return this.#parts.size;
  }

  /** Adds a part. Answers that may lack its profiles report `sentence`. */
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

  /**
   * Returns sentences about the parts whose profiles may be missing from an answer about a range.
   */
  sentencesIn({ from }: TimeRange): string[] {
    if (this.#parts.size === 0) return [];
    const within = [...this.#parts.values()].filter(({ lastNanos }) => lastNanos >= from);
    return within.map(({ sentence }) => sentence);
  }
}
