// What belongs to a store and cannot be opened, so that answers say what they lack.
import type { TimeRange } from './interface.ts';

interface LostPart {
  /** Nothing in it is later, as far as clocks can be believed; how early it begins is not known. */
  readonly lastNanos: bigint;
  readonly sentence: string;
}

export class LostParts {
  readonly #parts = new Map<string, LostPart>();

  get count(): number {
    return this.#parts.size;
  }

  /** `sentence` is what answers say that may lack something of it. */
  add(id: string, lastNanos: bigint, sentence: string): void {
    this.#parts.set(id, { lastNanos, sentence });
  }

  /** It is there again, or nobody needs it any longer. */
  remove(id: string): void {
    this.#parts.delete(id);
  }

  /** What an answer about a range may lack. */
  sentencesIn({ from }: TimeRange): string[] {
    if (this.#parts.size === 0) return [];
    const within = [...this.#parts.values()].filter(({ lastNanos }) => lastNanos >= from);
    return within.map(({ sentence }) => sentence);
  }
}
