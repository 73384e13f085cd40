// Finds names similar to a given one: for "did you mean" in messages, and for lists of suggestions.

/** Largest edit distance at which a candidate is suggested, as a share of the word's length. */
const distanceShareMax = 0.5;
/**
 * Maximum number of characters at the start of a string that are compared; of the rest, only the
 * length counts. This limits the time of a comparison to 40 us. Without it, comparing two values of
 * 4,000 characters took 0.3 s.
 */
const comparedCharactersMax = 64;

/**
 * Returns the candidate with the smallest edit distance to `word`, the first one if several are
 * equally near; undefined if none is near. Case is ignored.
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

/** Rows of the distance table: the second to last, the last and the current row. */
let rows = [0, 1, 2].map(() => new Int32Array(comparedCharactersMax + 1));

/**
 * Returns the number of insertions, deletions, replacements and swaps of neighbours that turn `a`
 * into `b`. Only the starts of long strings are compared.
 */
export function editDistance(a: string, b: string): number {
  const height = Math.min(a.length, comparedCharactersMax);
  const width = Math.min(b.length, comparedCharactersMax);
  const rest = Math.abs(a.length - height - (b.length - width));
  let [beforePrevious, previous, current] = rows;
  for (let column = 0; column <= width; column += 1) previous[column] = column;
  for (let row = 1; row <= height; row += 1) {
    current[0] = row;
    for (let column = 1; column <= width; column += 1) {
      const replaced =
        previous[column - 1] + (a.charCodeAt(row - 1) === b.charCodeAt(column - 1) ? 0 : 1);
      const changed = Math.min(replaced, previous[column] + 1, current[column - 1] + 1);
      const isSwap =
        row > 1 &&
        column > 1 &&
        a.charCodeAt(row - 1) === b.charCodeAt(column - 2) &&
        a.charCodeAt(row - 2) === b.charCodeAt(column - 1);
      current[column] = isSwap ? Math.min(changed, beforePrevious[column - 2] + 1) : changed;
    }
    [beforePrevious, previous, current] = [previous, current, beforePrevious];
  }
  rows = [beforePrevious, previous, current];
  return previous[width] + rest;
}

/** A candidate and its distance from a wanted string, ignoring case. */
export interface Likeness {
  readonly candidate: string;
  readonly distance: number;
}

/** Returns how similar a candidate is to `text`. */
export function likeness(text: string, candidate: string): Likeness {
  return { candidate, distance: editDistance(text.toLowerCase(), candidate.toLowerCase()) };
}

/** Orders the most similar first, and equally similar candidates alphabetically. */
export function compareLikeness(a: Likeness, b: Likeness): number {
  return a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1);
}

/** Sorts by the number of letters that differ from `text`, then alphabetically. */
export function sortByLikeness(text: string, candidates: readonly string[]): string[] {
  const likenesses = candidates.map((candidate) => likeness(text, candidate));
  return likenesses.toSorted(compareLikeness).map(({ candidate }) => candidate);
}

/** Returns true for a possible typing error: at most a third of the letters differ. */
export function isSlip(text: string, { candidate, distance }: Likeness): boolean {
  return distance <= Math.max(1, Math.floor(Math.max(text.length, candidate.length) / 3));
}

/**
 * Maximum number of names that are compared with an unknown name, and number of names that a
 * message suggests.
 */
const comparedNamesMax = 10_000;
const namedMax = 3;

/** Lists the known names that are nearest to the unknown `name`. */
export function nearestSentence(name: string, names: readonly string[]): string {
  const known = names.slice(0, comparedNamesMax);
  const word = name.toLowerCase();
  // The name is more likely incomplete, such as `heavy` for `main.heavy`, than misspelled.
  const holding = known.filter((one) => one.toLowerCase().includes(word));
  const near = sortByLikeness(name, holding.length > 0 ? holding : known).slice(0, namedMax);
  if (near.length === 0) return 'there are none';
  return `the nearest are ${near.map((one) => JSON.stringify(one)).join(', ')}`;
}
