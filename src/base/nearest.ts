// The nearest known name to a wrong one, for "did you mean" in messages.

/** Candidates within this share of the word's length are near enough to be worth naming. */
const distanceShareMax = 0.5;

/**
 * The candidate with the smallest edit distance to `word`, the first of equals; undefined when
 * none is near. Upper and lower case count as equal.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(word.length * distanceShareMax)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance >= bestDistance) continue;
    best = candidate;
    bestDistance = distance;
  }
  return best;
}

/** Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`. */
export function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = previous[column - 1] + (a[row - 1] === b[column - 1] ? 0 : 1);
      const changed = Math.min(replaced, previous[column] + 1, current[column - 1] + 1);
      const isSwap =
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current.push(isSwap ? Math.min(changed, beforePrevious[column - 2] + 1) : changed);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length];
}
