// Requests the nearest profiles for a query without results.
import type { Span } from './api.ts';
import type { Asking } from './asking.ts';
import { getJson } from './json.ts';
import { timeBounds } from './time-bounds.ts';

/** A label matcher, and alternatives; see docs/api.md. */
export interface NearestCondition {
  readonly label: string;
  readonly operator: string;
  readonly value: string;
  /** True if profiles of the type have the label and satisfy the matcher. */
  readonly hasName: boolean;
  readonly hasMatch: boolean;
  /** Alternative names if the name is unknown, otherwise alternative values. */
  readonly alternatives: readonly string[];
  readonly meant: string | null;
}

/** Times in milliseconds since the epoch; undefined if there are no profiles. */
export interface NearestAnswer {
  readonly hasData: boolean;
  readonly earlier: number | undefined;
  readonly later: number | undefined;
  readonly conditions: readonly NearestCondition[];
}

/** Requests the profiles nearest to a query that selects none in `span`. */
export async function askNearest(
  base: string,
  query: string,
  span: Span,
  asking: Asking,
): Promise<NearestAnswer> {
  const parameters = new URLSearchParams({ query, ...timeBounds(span) });
  const json = await getJson(base, 'nearest', parameters, asking);
  const answer = json as NearestAnswer & { readonly [side in 'earlier' | 'later']: string | null };
  return { ...answer, earlier: parseMillis(answer.earlier), later: parseMillis(answer.later) };
}

function parseMillis(time: string | null): number | undefined {
  return time === null ? undefined : Date.parse(time);
}

/** Returns the time closest to `span`; undefined if there is none. */
export function nearestTime(
  { earlier, later }: Pick<NearestAnswer, 'earlier' | 'later'>,
  { from, to }: Span,
): number | undefined {
  if (earlier === undefined || later === undefined) return earlier ?? later;
  return from - earlier <= later - to ? earlier : later;
}
