// Makes the paths of a sparkline: decides which points are connected, and computes their positions.
import { isUnfinished, findMedian } from './unfinished.ts';

export const sparkWidth = 120;
export const sparkHeight = 24;

/** Multiple of the usual distance beyond which there is a gap between points. */
const joinedDistances = 3;

/** Values at equal distances, oldest first; null if there are no profiles. */
type Values = readonly (number | null)[];

/** A line over time. */
export interface SparkPoints {
  readonly values: Values;
  /** Covered time of each value, in any unit; null if unknown. */
  readonly covered: readonly (number | null)[];
}

/** A line without points. */
export const noPoints: SparkPoints = { values: [], covered: [] };

/** Paths of a line. */
export interface SparkPaths {
  readonly whole: string;
  /** Values of unfinished buckets and the lines to them, which are drawn dashed. */
  readonly unfinished: string;
}

/** Returns the paths of values, scaled to `max`; a value without neighbours is a dot. */
export function sparkPaths({ values, covered }: SparkPoints, max: number): SparkPaths {
  const usual = findMedian(covered.flatMap((one) => one ?? []));
  const isPart = values.map((_, i) => isUnfinished(covered[i] ?? null, usual));
  const place = (i: number): string => {
    const y = sparkHeight - 1 - ((values[i] ?? 0) / max) * (sparkHeight - 2);
    return `${sparkX(i, values.length)} ${y.toFixed(1)}`;
  };
  const paths = { whole: '', unfinished: '' };
  for (const stretch of splitStretches(values)) {
    let before: keyof SparkPaths | undefined;
    stretch.forEach((i, at) => {
      const last = stretch[Math.max(0, at - 1)];
      const next = stretch[at + 1];
      // The first point belongs to the following line.
      const isOfPart = isPart[i] || isPart[at === 0 ? (next ?? i) : last];
      const kind = isOfPart ? 'unfinished' : 'whole';
      // A line with no length is drawn as a dot.
      if (kind !== before) paths[kind] += `M${place(last)}`;
      paths[kind] += `L${place(i)}`;
      before = kind;
    });
  }
  return paths;
}

/**
 * Returns the positions of connected values. Profiles that arrive once a minute leave nulls in
 * buckets of 30 s, so points at the usual distance are connected.
 */
function splitStretches(points: Values): readonly (readonly number[])[] {
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

/** Returns the x coordinate of point `i` of `count`. */
export function sparkX(i: number, count: number): string {
  return ((i / Math.max(1, count - 1)) * sparkWidth).toFixed(1);
}
