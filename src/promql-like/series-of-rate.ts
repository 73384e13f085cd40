// Finds the recorded series that `rate(x [5m])` means if no profiles have the name `x`.
import type { SeriesRange } from './expression.ts';
import type { Query } from './query.ts';
import { seriesNameLabel } from './recorded-series.ts';

/** Returns the recorded series that `rate` may mean; undefined for a diff or with stages. */
export function seriesOfRate(
  { operand, stages }: Query,
  windowNanos: bigint,
  windowOffsetNanos: bigint,
): SeriesRange | undefined {
  if (operand.kind === 'diff' || stages.length > 0 || operand.profile === undefined) {
    return undefined;
  }
  const { profile, matchers, offset } = operand;
  const named = { name: seriesNameLabel, operator: '=', value: profile.text } as const;
  const conditions = matchers.map(({ name, operator, value }) => ({ name, operator, value }));
  const offsetNanos = windowOffsetNanos + (offset?.nanos ?? 0n);
  const series = { matchers: [named, ...conditions], offsetNanos, span: profile.span };
  return { kind: 'range', name: 'rate', series: { kind: 'series', ...series }, windowNanos };
}
