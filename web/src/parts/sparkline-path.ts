// The path of a sparkline: which points are joined, and where each one stands.

export const sparkWidth = 120;
export const sparkHeight = 24;

/** Points that are further apart than this many usual distances have a gap between them. */
const joinedDistances = 3;

/**
 * Returns the path of values at equal distances against `max`, oldest first; null where there are
 * no profiles. Profiles that come once a minute leave nulls in buckets of 30 s, so neighbours are
 * joined across the usual distance between them. A value without neighbours is a dot.
 */
export function sparkPath(points: readonly (number | null)[], max: number): string {
  const known = points.flatMap((point, i) => (point === null ? [] : [{ i, point }]));
  const joined = joinedDistances * usualDistance(known.map(({ i }) => i));
  let path = '';
  known.forEach(({ i, point }, at) => {
    const y = sparkHeight - 1 - (point / max) * (sparkHeight - 2);
    const place = `${sparkX(i, points.length)} ${y.toFixed(1)}`;
    const isJoined = at > 0 && i - known[at - 1].i <= joined;
    // A line without length is drawn as a dot.
    path += isJoined ? `L${place}` : `M${place}L${place}`;
  });
  return path;
}

/** Returns the median distance between neighbours; 1 where there are none. */
function usualDistance(places: readonly number[]): number {
  const distances = places.slice(1).map((place, i) => place - places[i]);
  return distances.sort((a, b) => a - b)[Math.floor((distances.length - 1) / 2)] ?? 1;
}

/** Returns where point `i` of `count` stands. */
export function sparkX(i: number, count: number): string {
  return ((i / Math.max(1, count - 1)) * sparkWidth).toFixed(1);
}
