// Requests values of functions over time, a few functions at a time.
import type { Span } from '../rpc/api.ts';
import type { Asking } from '../rpc/asking.ts';
import { getJson } from '../rpc/json.ts';
import type { SparkPoints } from '../parts/sparkline-path.ts';
import { timeBounds } from '../rpc/time-bounds.ts';

/** Maximum number of names in a request, as on the server. */
export const seriesNamesMax = 31;
const pointsMax = 60;
/** Minimum width of a bucket; narrower buckets would be empty for most programs. */
const stepSecondsMin = 10;

interface Values {
  readonly values: readonly string[];
}

/** Values by bucket; functions are in the order of the requested names. */
export interface FunctionsJson {
  readonly profileTypes: readonly string[];
  readonly unit: string;
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
  /** Version of the answer, to be sent with the next request. */
  readonly settled?: string;
  /** Time of the buckets that are not in the answer, because the client has them already. */
  readonly leftOut?: { readonly from: string; readonly to: string };
}

/** Points of functions by name, and the answer that the next request continues. */
export interface FunctionSeries {
  readonly points: ReadonlyMap<string, SparkPoints>;
  readonly answer: FunctionsJson;
}

/**
 * Requests points of functions in `span`. Buckets of `last`, an earlier answer for the same
 * functions, are not requested again as long as the server's data for them has not changed. Errors:
 * RpcError.
 */
export async function askFunctionSeries(
  base: string,
  query: string,
  span: Span,
  names: readonly string[],
  value: 'flat' | 'cumulative',
  asking: Asking,
  last?: FunctionsJson,
): Promise<FunctionSeries> {
  const step = Math.max(stepSecondsMin, Math.ceil((span.to - span.from) / 1_000 / pointsMax));
  const parameters = new URLSearchParams({ query, step: `${step}s`, ...timeBounds(span) });
  for (const name of names) parameters.append('function', name);
  const ask = async (): Promise<FunctionsJson> =>
    (await getJson(base, 'functions', parameters, asking)) as FunctionsJson;
  if (last?.settled !== undefined) parameters.set('known', last.settled);
  let answer = await ask();
  if (last !== undefined && answer.leftOut !== undefined) {
    const joined = joinAnswers(last, answer, span.from);
    if (joined === undefined) {
      parameters.delete('known');
      answer = await ask();
    } else answer = joined;
  }
  return { points: toPoints(answer, value, span, step), answer };
}

/**
 * Adds omitted buckets from the last answer. Returns undefined if the last answer has another unit
 * or other types. Drops the bucket that begins before `from`, because it is incomplete.
 */
export function joinAnswers(
  last: FunctionsJson,
  answer: FunctionsJson,
  from: number,
): FunctionsJson | undefined {
  const { leftOut } = answer;
  const [before, now] = [last, answer].map(({ unit, profileTypes }) => [unit, ...profileTypes]);
  if (leftOut === undefined || before.join() !== now.join()) return undefined;
  const first = Math.max(from, Date.parse(leftOut.from));
  const end = Date.parse(leftOut.to);
  const rows = [last, answer].flatMap(({ buckets }, which) =>
    buckets.time.map((time, i) => ({ which, i, time: Date.parse(time) })),
  );
  const kept = rows
    .filter(({ which, time }) => which === 1 || (time >= first && time <= end))
    .sort((a, b) => a.time - b.time);
  const pick = <T>(of: (from: FunctionsJson) => readonly T[]): T[] => {
    const columns = [of(last), of(answer)];
    return kept.map(({ which, i }) => columns[which][i]);
  };
  return {
    ...answer,
    buckets: {
      time: pick(({ buckets }) => buckets.time),
      coveredNanos: pick(({ buckets }) => buckets.coveredNanos),
      snapshots: pick(({ buckets }) => buckets.snapshots),
    },
    functions: answer.functions.map(({ name }, at) => ({
      name,
      flat: { values: pick(({ functions }) => functions[at].flat.values) },
      cumulative: { values: pick(({ functions }) => functions[at].cumulative.values) },
    })),
  };
}

/** Places each bucket at its position in the range, as a rate or an average. */
export function toPoints(
  { buckets, functions }: Pick<FunctionsJson, 'buckets' | 'functions'>,
  value: 'flat' | 'cumulative',
  { from, to }: Span,
  stepSeconds: number,
): ReadonlyMap<string, SparkPoints> {
  const bucketNumber = (millis: number): number => Math.floor(millis / 1_000 / stepSeconds);
  const first = bucketNumber(from);
  const count = bucketNumber(to) - first + 1;
  const points = new Map<string, SparkPoints>();
  const empty = (): (number | null)[] => Array.from({ length: count }, () => null);
  const places = buckets.time.map((time) => bucketNumber(Date.parse(time)) - first);
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
