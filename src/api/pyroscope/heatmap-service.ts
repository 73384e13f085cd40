// SelectHeatmap: how many profiles, or spans, had which values in each step.
import Long from 'long';
import { querier, type types } from '../../../proto/gen/pyroscope.js';
import { createLabelSet, type LabelSet, labelSetKey } from '../../model/labels.ts';
import type { QueryEngine } from '../../query/interface.ts';
import { decodeRequest } from '../call/message.ts';
import type { CallContext, UnaryMethod } from '../call/method.ts';
import { linesOf } from './ask.ts';
import type { QuerierParts } from './querier-service.ts';
import { invalid, planSeries } from './request.ts';
import { parsePyroscopeSelector, profilesQuery } from './selector.ts';

const messages = querier.v1;

/** Rows of a heatmap, as in Pyroscope. */
const rowCount = 20;

const spanNames: ReadonlySet<string> = new Set(['span_id', 'profile_id', 'trace_id']);

/** Returns the method. */
export function heatmapMethods({ engine }: QuerierParts): UnaryMethod[] {
  return [
    {
      path: '/querier.v1.QuerierService/SelectHeatmap',
      kind: 'unary',
      handle: (bytes, context) => selectHeatmap(engine, bytes, context),
    },
  ];
}

/** One profile, or the part of it that a span has. */
interface Measured {
  readonly labels: LabelSet;
  /** End of its step. */
  readonly slotMillis: bigint;
  readonly value: number;
}

async function selectHeatmap(
  engine: QueryEngine,
  bytes: Uint8Array,
  context: CallContext,
): Promise<Uint8Array> {
  const request = decodeRequest(messages.SelectHeatmapRequest, bytes);
  const limit = request.limit?.toNumber() ?? 0;
  if (limit < 0) throw invalid('limit must not be negative');
  const isSpans = request.queryType === messages.HeatmapQueryType.HEATMAP_QUERY_TYPE_SPAN;
  const measured = await measure(engine, request, isSpans, context);
  const values = measured.map(({ value }) => value);
  const least = values.reduce((a, b) => Math.min(a, b), Infinity);
  const most = values.reduce((a, b) => Math.max(a, b), -Infinity);
  const height = (most - least) / rowCount;
  const yMin = Array.from({ length: rowCount }, (_, row) => least + row * height);
  const series = Array.from(
    Map.groupBy(measured, ({ labels }) => labelSetKey(labels)).values(),
    (own) => ({
      labels: own[0].labels.map(({ name, value }) => ({ name, value })),
      slots: slotsOf(own, yMin, height),
      total: own.reduce((sum, { value }) => sum + value, 0),
    }),
  ).sort((a, b) => b.total - a.total);
  const shown = limit === 0 ? series : series.slice(0, limit);
  return messages.SelectHeatmapResponse.encode({ series: shown }).finish();
}

function slotsOf(
  measured: readonly Measured[],
  yMin: readonly number[],
  height: number,
): types.v1.HeatmapSlot.$Properties[] {
  const countsOf = new Map<bigint, number[]>();
  for (const { slotMillis, value } of measured) {
    const counts = countsOf.get(slotMillis) ?? Array.from({ length: rowCount }, () => 0);
    countsOf.set(slotMillis, counts);
    // Equal values are all in the last row, as in Pyroscope.
    const row = height === 0 ? rowCount - 1 : Math.floor((value - yMin[0]) / height);
    counts[Math.min(row, rowCount - 1)] += 1;
  }
  return Array.from(countsOf, ([slot, counts]) => ({
    timestamp: Long.fromString(slot.toString()),
    yMin: [...yMin],
    counts,
  })).sort((a, b) => a.timestamp.compare(b.timestamp));
}

/** Returns the values of all profiles: each moment of a line by all labels is one. */
async function measure(
  engine: QueryEngine,
  request: querier.v1.SelectHeatmapRequest,
  isSpans: boolean,
  context: CallContext,
): Promise<Measured[]> {
  const { profileTypeID, labelSelector, groupBy } = request;
  const { question, pointMillis } = planSeries(request);
  const { conditions } = parsePyroscopeSelector(labelSelector);
  const match = [profilesQuery(profileTypeID, conditions)];
  const names = await engine.labelNames({ match, profileType: '', range: question.range }, context);
  const own = names.filter((name) => {
    return !name.startsWith('__') && (isSpans || !spanNames.has(name));
  });
  const sumBy = [...new Set([...groupBy, ...own])];
  const lines = await linesOf(engine, { ...question, stepNanos: 0n, sumBy }, context);
  const { stepNanos } = question;
  return lines.flatMap(({ labels, timeNanos, value }): Measured[] => {
    const isSpan = labels.some(({ name }) => name === 'span_id' || name === 'profile_id');
    if (isSpans && !isSpan) return [];
    const shown = createLabelSet(labels.filter(({ name }) => groupBy.includes(name)));
    return Array.from(timeNanos, (time, i) => ({
      labels: shown,
      slotMillis: pointMillis(time - (time % stepNanos)),
      value: Number(value[i]),
    }));
  });
}
