// Texts similar to a given one: for "did you mean" in messages, and for lists of suggestions.

/** Largest distance of a candidate that is worth naming, as a share of the word's length. */
const distanceShareMax = 0.5;

/**
 * Returns the candidate with the smallest edit distance to `word`, the first of equals; undefined
 * when none is near. Upper and lower case count as equal.
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

/**
 * Returns the number of insertions, deletions, replacements and swaps of neighbours from `a` to
 * `b`.
 */
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

/** Sorts by the number of letters that differ from `text`, then by the alphabet. */
export function sortByLikeness(text: string, candidates: readonly string[]): string[] {
  const wanted = text.toLowerCase();
  const distances = new Map(
    candidates.map((candidate) => [candidate, editDistance(wanted, candidate.toLowerCase())]),
  );
  const distanceOf = (candidate: string): number => distances.get(candidate) ?? 0;
  return candidates.toSorted((a, b) => distanceOf(a) - distanceOf(b) || (a < b ? -1 : 1));
}

/**
 * Returns the most similar text if it may be a slip of the finger: at most a third of the letters.
 */
export function probablyMeant(text: string, candidates: readonly string[]): string | undefined {
  const [best] = sortByLikeness(text, candidates);
  if (best === undefined) return undefined;
  const slips = Math.max(1, Math.floor(Math.max(text.length, best.length) / 3));
  return editDistance(text.toLowerCase(), best.toLowerCase()) <= slips ? best : undefined;
}
