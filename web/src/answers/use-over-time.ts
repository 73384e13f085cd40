// Requests values over time, and the share of each line.
import { useMemo, useRef } from 'react';
import { type Coverage, perSecondFactor } from '../format/measure.ts';
import { isDiff, timeLeftOut } from '../language/query-text.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import { isIdle, type Resource, useResource } from '../page/use-resource.ts';
import type { RangeAnswer, Span } from '../rpc/api.ts';
import type { Asking } from '../rpc/asking.ts';
import type { AnsweredTree } from '../tree/tree-messages.ts';
import { buildLegend, type LegendShares, metricsData, type MetricsData } from './metrics-data.ts';
import { key, type describeRefresh } from './refreshing.ts';
import type { Question } from './use-question.ts';

/** Shares in the legend, and the total that they refer to. */
export interface LegendTotals extends LegendShares {
  readonly total: bigint;
  readonly coverage: Coverage;
}

/** Values over time, and the totals of the selected time. */
export interface OverTime {
  readonly metrics: Resource<RangeAnswer>;
  readonly part: Resource<RangeAnswer>;
  readonly lines: MetricsData | undefined;
  /** Answer that the page shows. */
  readonly shown: RangeAnswer | undefined;
  /** Totals of the selected time or the range; undefined while they belong to an earlier query. */
  readonly totals: RangeAnswer | undefined;
}

export function useOverTime(
  question: Question,
  refreshing: ReturnType<typeof describeRefresh>,
): OverTime {
  const { api } = useApp();
  const { sumBy, selection } = usePlace().state;
  const { query, isEmpty, span, selectedSpan, stepMillis, profileType, measure } = question;
  const asks = query !== '' && !isEmpty && !isDiff(query);
  const ask = (asked: Span, step: number, asking: Asking) =>
    api.queryRange({ query, span: asked, stepMillis: step, sumBy }, asking);
  const metricsKey = asks ? key('range', query, span, stepMillis, sumBy) : undefined;
  const metrics = useResource(
    metricsKey,
    (asking) => ask(span, stepMillis, asking),
    refreshing(sumBy),
  );
  const hasPart = asks && selection !== undefined;
  const partKey = hasPart ? key('part', query, selectedSpan, sumBy) : undefined;
  const wholeStep = selectedSpan.to - selectedSpan.from + 1;
  const part = useResource(
    partKey,
    (asking) => ask(selectedSpan, wholeStep, asking),
    refreshing(sumBy),
  );
  const lines = useMemo(() => {
    const type = metrics.value?.profileTypes.at(0) ?? profileType;
    const factor = perSecondFactor(type, measure);
    const leftOut = timeLeftOut(query);
    return metrics.value && metricsData(metrics.value.series, stepMillis, factor, leftOut);
  }, [metrics.value, query, stepMillis, profileType, measure]);
  const areCurrent = metrics.valueKey === metricsKey && (!hasPart || part.valueKey === partKey);
  return {
    metrics,
    part,
    lines,
    // Without a query there is no graph, but the last answer is kept.
    shown: metricsKey === undefined ? undefined : metrics.value,
    totals: areCurrent ? (hasPart ? part.value : metrics.value) : undefined,
  };
}

/**
 * Returns totals and headline for the same time; keeps the previous pair until both have arrived.
 */
export function useLegend(
  whole: Resource<AnsweredTree>,
  { metrics, part, lines, totals }: OverTime,
): LegendTotals | undefined {
  const tree = whole.value;
  const found = useMemo(() => {
    if (tree === undefined || lines === undefined || totals === undefined) return undefined;
    const { total, coverage } = tree;
    return { ...buildLegend(lines, totals.series), total, coverage };
  }, [tree, lines, totals]);
  const last = useRef<LegendTotals | undefined>(undefined);
  if (found !== undefined || [metrics, part, whole].every(isIdle)) last.current = found;
  return last.current;
}
