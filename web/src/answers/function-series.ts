// Asks the server for values of functions over time, a few names in each question.
import type { Span } from '../rpc/api.ts';
import type { Asking } from '../rpc/asking.ts';
import { getJson } from '../rpc/json.ts';
import type { SparkPoints } from '../parts/sparkline-path.ts';

/** Most names in one question: the server's limit. */
export const seriesNamesMax = 31;
const pointsMax = 60;
/** Narrower buckets would lie between the profiles of most programs. */
const stepSecondsMin = 10;

interface Values {
  readonly values: readonly string[];
}

interface FunctionsJson {
  readonly buckets: {
    readonly time: readonly string[];
    readonly coveredNanos: readonly string[];
    readonly snapshots: readonly number[];
  };
  readonly functions: readonly {
    readonly name: string;
    readonly flat: Values;
    readonly cumulative: Values;
  }[];
}

/** Asks for points of functions in `span`, by name. Errors: RpcError. */
export async function askFunctionSeries(
  base: string,
  query: string,
  { from, to }: Span,
  names: readonly string[],
  value: 'flat' | 'cumulative',
  asking: Asking,
): Promise<ReadonlyMap<string, SparkPoints>> {
  const step = Math.max(stepSecondsMin, Math.ceil((to - from) / 1_000 / pointsMax));
  const parameters = new URLSearchParams({ query, step: `${step}s` });
  parameters.set('start', new Date(from).toISOString());
  parameters.set('end', new Date(to).toISOString());
  for (const name of names) parameters.append('function', name);
  const json = (await getJson(base, 'functions', parameters, asking)) as FunctionsJson;
  return pointsOf(json, value, { from, to }, step);
}

/** Puts each bucket at its place in the range, as a rate or an average. */
export function pointsOf(
  { buckets, functions }: FunctionsJson,
  value: 'flat' | 'cumulative',
  { from, to }: Span,
  stepSeconds: number,
): ReadonlyMap<string, SparkPoints> {
  const placeOf = (millis: number): number => Math.floor(millis / 1_000 / stepSeconds);
  const first = placeOf(from);
  const count = placeOf(to) - first + 1;
  const points = new Map<string, SparkPoints>();
  const empty = (): (number | null)[] => Array.from({ length: count }, () => null);
  const places = buckets.time.map((time) => placeOf(Date.parse(time)) - first);
  const covered = empty();
  places.forEach((place, i) => (covered[place] = Number(buckets.coveredNanos[i]) || null));
  for (const one of functions) {
    const row = empty();
    places.forEach((place, i) => {
      const divisor = covered[place] ?? (buckets.snapshots[i] || 1);
      row[place] = Number(one[value].values[i]) / divisor;
    });
    points.set(one.name, { values: row, covered });
  }
  return points;
}
