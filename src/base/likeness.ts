// Which of several texts was probably meant, where any of them may be offered.
import { editDistance } from './nearest.ts';

/** Sorts by the number of letters that differ from `text`, the alphabet deciding ties. */
export function sortByLikeness(text: string, candidates: readonly string[]): string[] {
  const wanted = text.toLowerCase();
  const distances = new Map(
    candidates.map((candidate) => [candidate, editDistance(wanted, candidate.toLowerCase())]),
  );
  const distanceOf = (candidate: string): number => distances.get(candidate) ?? 0;
  return candidates.toSorted((a, b) => distanceOf(a) - distanceOf(b) || (a < b ? -1 : 1));
}

/** The most alike text if it could be a slip of the finger: a third of the letters at most. */
export function probablyMeant(text: string, candidates: readonly string[]): string | undefined {
  const [best] = sortByLikeness(text, candidates);
  if (best === undefined) return undefined;
  const slips = Math.max(1, Math.floor(Math.max(text.length, best.length) / 3));
  return editDistance(text.toLowerCase(), best.toLowerCase()) <= slips ? best : undefined;
}
