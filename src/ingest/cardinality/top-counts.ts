// The strings with the largest counts. Each count must be reported whenever it grows.
import type { TextCount } from '../interface.ts';

/** Number of strings that are kept in memory for each string that is shown. */
const keptPerShown = 8;

/**
 * Finds the strings with the largest counts. The result is exact: a string that was dropped is
 * reported again before its count can be one of the largest.
 */
export class TopCounts {
  readonly #shown: number;
  readonly #counts = new Map<string, number>();
  #countMin = 0;

  constructor(shown: number) {
    this.#shown = shown;
  }

  note(text: string, count: number): void {
    if (count <= this.#countMin) return;
    this.#counts.set(text, count);
    if (this.#counts.size > 2 * keptPerShown * this.#shown) this.#drop();
  }

  /** Returns the strings with the largest counts, largest first. */
  top(): TextCount[] {
    return selectTop(this.#counts, this.#shown);
  }

  #drop(): void {
    const kept = selectTop(this.#counts, keptPerShown * this.#shown);
    this.#countMin = kept[kept.length - 1].count - 1;
    this.#counts.clear();
    for (const { text, count } of kept) this.#counts.set(text, count);
  }
}

/** Returns the largest counts, largest first; equal counts are sorted by their strings. */
export function selectTop(counts: Iterable<readonly [string, number]>, shown: number): TextCount[] {
  let kept: TextCount[] = [];
  for (const [text, count] of counts) {
    if (count === 0) continue;
    kept.push({ text, count });
    if (kept.length >= 4 * shown) kept = largest(kept, shown);
  }
  return largest(kept, shown);
}

function largest(counts: TextCount[], shown: number): TextCount[] {
  counts.sort((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1));
  return counts.slice(0, shown);
}
