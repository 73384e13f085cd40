// Makes the path of a sparkline: decides which points are joined, and where each one is.

export const sparkWidth = 120;
export const sparkHeight = 24;

/** Points that are further apart than this many usual distances have a gap between them. */
const joinedDistances = 3;

/** Values at equal distances, oldest first; null where there are no profiles. */
type Points = readonly (number | null)[];

/** Returns the path of values against `max`; a value without neighbours is a dot. */
export function sparkPath(points: Points, max: number): string {
  const place = (i: number): string => {
    const y = sparkHeight - 1 - ((points[i] ?? 0) / max) * (sparkHeight - 2);
    return `${sparkX(i, points.length)} ${y.toFixed(1)}`;
  };
  return stretchesOf(points)
    .map((stretch) => {
      // A line with no length is drawn as a dot.
      return `M${place(stretch[0])}${stretch.map((i) => `L${place(i)}`).join('')}`;
    })
    .join('');
}

/**
 * Returns the places of the values that belong together. Profiles that come once a minute leave
 * nulls in buckets of 30 s, so neighbours are joined across the usual distance between them.
 */
export function stretchesOf(points: Points): readonly (readonly number[])[] {
  const known = points.flatMap((point, i) => (point === null ? [] : [i]));
  const joined = joinedDistances * usualDistance(known);
  const stretches: number[][] = [];
  known.forEach((i, at) => {
    if (at > 0 && i - known[at - 1] <= joined) stretches[stretches.length - 1].push(i);
    else stretches.push([i]);
  });
  return stretches;
}

/** Returns the median distance between neighbours; 1 if there are none. */
function usualDistance(places: readonly number[]): number {
  const distances = places.slice(1).map((place, i) => place - places[i]);
  return distances.sort((a, b) => a - b)[Math.floor((distances.length - 1) / 2)] ?? 1;
}

/** Returns the place of point `i` of `count`. */
export function sparkX(i: number, count: number): string {
  return ((i / Math.max(1, count - 1)) * sparkWidth).toFixed(1);
}
