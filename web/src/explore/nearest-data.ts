// When a query that selects nothing in its range last had, or first will have, profiles.
import { emptyRange } from '../rpc/api.ts';
import type { Api, Span } from '../rpc/api.ts';
import { emptyWhenNotFound } from '../rpc/grpc-web.ts';
import { toNanos } from '../rpc/messages.ts';
import type { MetricsSeries } from '../rpc/messages.ts';

const hourMillis = 3_600_000;
/** How far to look, to both sides. */
const reachMillis = 400 * 24 * hourMillis;
const fineStepMillis = 10_000;

/** The time nearest to `span` with profiles, in milliseconds; undefined when there are none. */
export async function findNearestData(
  api: Pick<Api, 'queryRange'>,
  query: string,
  span: Span,
  signal: AbortSignal,
): Promise<number | undefined> {
  const look = async (from: number, to: number, stepMillis: number) => {
    const question = { query, span: { from: Math.max(0, from), to }, stepMillis, sumBy: [] };
    const answer = await emptyWhenNotFound(api.queryRange(question, signal), emptyRange);
    return nearestTime(answer.series, span);
  };
  const hour = await look(span.from - reachMillis, span.to + reachMillis, hourMillis);
  if (hour === undefined) return undefined;
  // A bucket is named by its start, so the hour around it is read closely.
  return (await look(hour - hourMillis, hour + hourMillis, fineStepMillis)) ?? hour;
}

/** Of all points, the one with the smallest distance to the span. */
export function nearestTime(
  series: readonly MetricsSeries[],
  { from, to }: Span,
): number | undefined {
  let nearest: number | undefined;
  const distance = (time: number) => Math.max(from - time, time - to, 0);
  for (const { samples } of series) {
    for (const { timestamp } of samples) {
      const time = Number(toNanos(timestamp) / 1_000_000n);
      if (nearest === undefined || distance(time) < distance(nearest)) nearest = time;
    }
  }
  return nearest;
}
