// SelectHeatmap: counts profiles or spans by value and by step.
import Long from 'long';
import { querier, types } from '../../../../proto/gen/pyroscope.js';
import type { Clock } from '../../../base/clock.ts';
import { querySliceMillis } from '../../../base/limits.ts';
import { finishPausing, Pacer, type Steps, stoppablePacer } from '../../../base/pacer.ts';
import type { LabelSet } from '../../../model/labels.ts';
import type { QueryEngine } from '../../../query/interface.ts';
import { decodeRequest } from '../../transport/call/message.ts';
import type { CallContext, UnaryMethod } from '../../transport/call/method.ts';
import { toExemplar, groupLabels, profileValues, type ProfileValue } from './profile-values.ts';
import { divideBySamples, groupByLabels } from './sample-parts.ts';
import type { QuerierParts } from './ask.ts';
import { invalid, planSeries } from './request.ts';

const messages = querier.v1;

/** Rows of a heatmap, as in Pyroscope. */
const rowCount = 20;

/** Returns the method SelectHeatmap. */
export function heatmapMethods({ engine, clock }: QuerierParts): UnaryMethod[] {
  return [
    {
      path: '/querier.v1.QuerierService/SelectHeatmap',
      kind: 'unary',
      handle: (bytes, context) => selectHeatmap(engine, clock, bytes, context),
    },
  ];
}

/** A profile, or the part of a profile that belongs to a span. */
interface Measured {
  readonly profile: ProfileValue;
  readonly labels: LabelSet;
  /** End of the profile's step. */
  readonly slotMillis: bigint;
  readonly value: number;
}

async function selectHeatmap(
  engine: QueryEngine,
  clock: Clock,
  bytes: Uint8Array,
  context: CallContext,
): Promise<Uint8Array> {
  const request = decodeRequest(messages.SelectHeatmapRequest, bytes);
  const limit = request.limit?.toNumber() ?? 0;
  if (limit < 0) throw invalid('limit must not be negative');
  const isSpans = request.queryType === messages.HeatmapQueryType.HEATMAP_QUERY_TYPE_SPAN;
  const hasExemplars = request.exemplarType >= types.v1.ExemplarType.EXEMPLAR_TYPE_INDIVIDUAL;
  const pacer = stoppablePacer(new Pacer(clock, querySliceMillis), context.signal);
  const measured = await measure(engine, request, isSpans, pacer, context);
  const values = measured.map(({ value }) => value);
  const least = values.reduce((a, b) => Math.min(a, b), Infinity);
  const most = values.reduce((a, b) => Math.max(a, b), -Infinity);
  const height = (most - least) / rowCount;
  // Bounds of rows are whole numbers, because values are whole numbers.
  const yMin = Array.from({ length: rowCount }, (_, row) => Math.floor(least + row * height));
  const series = [];
  const groupBy = hasExemplars ? request.groupBy : undefined;
  for (const own of (await finishPausing(groupByLabels(measured), pacer)).values()) {
    series.push({
      labels: own[0].labels.map(({ name, value }) => ({ name, value })),
      slots: await finishPausing(toSlots(own, yMin, height, groupBy), pacer),
      total: own.reduce((sum, { value }) => sum + value, 0),
    });
  }
  series.sort((a, b) => b.total - a.total);
  const shown = limit === 0 ? series : series.slice(0, limit);
  return messages.SelectHeatmapResponse.encode({ series: shown }).finish();
}

/** Number of values that are handled in one step; each takes at most a microsecond. */
const valuesPerStep = 1_024;

function* toSlots(
  measured: readonly Measured[],
  yMin: readonly number[],
  height: number,
  groupBy: readonly string[] | undefined,
): Steps<types.v1.HeatmapSlot.$Properties[]> {
  const cellsBySlot = new Map<bigint, Cell[]>();
  for (const [i, { profile, slotMillis, value }] of measured.entries()) {
    if (i % valuesPerStep === valuesPerStep - 1) yield;
    const cells =
      cellsBySlot.get(slotMillis) ?? Array.from({ length: rowCount }, () => ({ ...emptyCell }));
    cellsBySlot.set(slotMillis, cells);
    // If all values are equal, they are in the last row, as in Pyroscope.
    const row = height === 0 ? rowCount - 1 : Math.floor((value - yMin[0]) / height);
    const cell = cells[Math.min(row, rowCount - 1)];
    cell.count += 1;
    if (value > (cell.largest?.value ?? -Infinity)) cell.largest = profile;
  }
  return Array.from(cellsBySlot, ([slot, cells]) => ({
    timestamp: Long.fromString(slot.toString()),
    yMin: [...yMin],
    counts: cells.map(({ count }) => count),
    exemplars: cellExemplars(cells, groupBy),
  })).sort((a, b) => a.timestamp.compare(b.timestamp));
}

/** Profiles of one row in one step. */
interface Cell {
  count: number;
  largest: ProfileValue | undefined;
}

const emptyCell: Cell = { count: 0, largest: undefined };

/** Returns the largest profile of each cell, if exemplars are requested. */
function cellExemplars(
  cells: readonly Cell[],
  groupBy: readonly string[] | undefined,
): types.v1.Exemplar.$Properties[] {
  if (groupBy === undefined) return [];
  return cells.flatMap(({ largest }) => {
    return largest === undefined ? [] : toExemplar(largest, groupBy);
  });
}

/** Returns the values of all profiles, or of spans, each with its step. */
async function measure(
  engine: QueryEngine,
  request: querier.v1.SelectHeatmapRequest,
  isSpans: boolean,
  pacer: Pick<Pacer, 'pause'>,
  context: CallContext,
): Promise<Measured[]> {
  const { question, pointMillis, offsetNanos } = planSeries(request);
  const options = { offsetNanos, isSpans };
  const found = await profileValues(engine, request, question, options, context);
  const { stepNanos } = question;
  const parts = await divideBySamples(engine, found, stepNanos, context, pacer);
  const measured: Measured[] = [];
  for (const { profile, timeNanos } of parts) {
    const pausing = pacer.pause();
    if (pausing !== undefined) await pausing;
    const time = timeNanos + offsetNanos;
    measured.push({
      profile,
      labels: groupLabels(profile, request.groupBy),
      slotMillis: pointMillis(time - (time % stepNanos)),
      value: profile.value,
    });
  }
  return measured;
}
