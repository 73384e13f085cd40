// Which of several texts was probably meant.

/** Sorts by the number of letters that differ from `text`, the alphabet deciding ties. */
export function sortByLikeness(text: string, candidates: readonly string[]): string[] {
  const wanted = text.toLowerCase();
  const distances = new Map(
    candidates.map((candidate) => [candidate, editDistance(wanted, candidate.toLowerCase())]),
  );
  const distanceOf = (candidate: string) => distances.get(candidate) ?? 0;
  return candidates.toSorted((a, b) => distanceOf(a) - distanceOf(b) || (a < b ? -1 : 1));
}

/** The most alike text if it could be a slip of the finger: a third of the letters at most. */
export function probablyMeant(text: string, candidates: readonly string[]): string | undefined {
  const [best] = sortByLikeness(text, candidates);
  if (best === undefined) return undefined;
  const slips = Math.max(1, Math.floor(Math.max(text.length, best.length) / 3));
  return editDistance(text.toLowerCase(), best.toLowerCase()) <= slips ? best : undefined;
}

/** Letters to insert, remove, replace or swap with their neighbour to make `b` of `a`. */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(above[j - 1] + same, above[j] + 1, row[j - 1] + 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) best = Math.min(best, before[j - 2] + 1);
      row.push(best);
    }
    before = above;
    above = row;
  }
  return above[b.length];
}
