// querier.v1.QuerierService: turns Pyroscope's requests into queries, and answers into messages.
import protobuf from 'protobufjs/minimal.js';
import { google, querier, types } from '../../../../proto/gen/pyroscope.js';
import { querySliceMillis } from '../../../base/limits.ts';
import { Pacer, stoppablePacer } from '../../../base/pacer.ts';
import { floorTo } from '../../../base/int64.ts';
import { labelSetKey } from '../../../model/labels.ts';
import type { MetricsSeries, QueryEngine } from '../../../query/interface.ts';
import { decodeRequest } from '../../transport/call/message.ts';
import type { CallContext, UnaryMethod } from '../../transport/call/method.ts';
import {
  askDot,
  askGraph,
  askProfile,
  byTotal,
  dotNodesUsual,
  readLines,
  type QuerierParts,
} from './ask.ts';
import { labelMethods, wireLabels } from './label-service.ts';
import { pyroscopeEncodings } from './encode-answer.ts';
import {
  conditionsOfProfile,
  toExemplar,
  groupLabels,
  profileValues,
  type ProfileValue,
  timeOfProfileId,
} from './profile-values.ts';
import {
  callSiteView,
  toDiff,
  invalid,
  toMerge,
  nodesUsual,
  planSeries,
  readMaxNodes,
  type SelectedProfiles,
  type SeriesPlan,
} from './request.ts';

const messages = querier.v1;
const { ProfileFormat } = messages;

type Handler = (bytes: Uint8Array, context: CallContext) => Promise<Uint8Array>;

/** Returns the methods of the service. */
export function querierMethods(parts: QuerierParts): UnaryMethod[] {
  const { engine } = parts;
  const handlers: Readonly<Record<string, Handler>> = {
    SelectSeries: (bytes, context) => selectSeries(parts, bytes, context),
    SelectMergeStacktraces: (bytes, context) => mergeStacktraces(engine, bytes, context),
    SelectMergeSpanProfile: (bytes, context) => mergeSpanProfile(engine, bytes, context),
    SelectMergeProfile: (bytes, context) => mergeProfile(engine, bytes, context),
    Diff: (bytes, context) => diff(engine, bytes, context),
  };
  const own = Object.entries(handlers).map(([name, handle]): UnaryMethod => ({
    path: `/querier.v1.QuerierService/${name}`,
    kind: 'unary',
    handle,
  }));
  return [...labelMethods(parts), ...own];
}

async function selectSeries(
  { engine, clock }: QuerierParts,
  bytes: Uint8Array,
  context: CallContext,
): Promise<Uint8Array> {
  const request = decodeRequest(messages.SelectSeriesRequest, bytes);
  const view = callSiteView(request.stackTraceSelector);
  const plan = planSeries(request, { view });
  const found = await readLines(engine, plan.question, context);
  const pacer = stoppablePacer(new Pacer(clock, querySliceMillis), context.signal);
  const points = await pointFacts(engine, request, plan, pacer, context);
  const ranked = found.toSorted(byTotal);
  const limit = request.limit?.toNumber() ?? 0;
  if (limit < 0) throw invalid('limit must not be negative');
  const shown = limit === 0 ? ranked : ranked.slice(0, limit);
  const writer = protobuf.Writer.create();
  for (const line of shown) {
    writer.uint32(field(1, 2)).fork();
    writeLine(writer, line, plan, points, request.groupBy);
    writer.ldelim();
    const pausing = pacer.pause();
    if (pausing !== undefined) await pausing;
  }
  return writer.finish();
}

/** Facts about points, by the labels of their line and the start of their bucket. */
type PointFacts = ReadonlyMap<
  string,
  {
    /** Number of profiles if averages are requested, else 1. */
    divisor: number;
    /**
     * Profile, or part of a span, with the largest value; undefined if exemplars are not requested.
     */
    largest: ProfileValue | undefined;
  }
>;

const noPointFacts: PointFacts = new Map();

/**
 * Returns the facts about single profiles that the request needs; empty if it needs neither
 * averages nor exemplars.
 */
async function pointFacts(
  engine: QueryEngine,
  request: querier.v1.SelectSeriesRequest,
  { question, offsetNanos }: SeriesPlan,
  pacer: Pick<Pacer, 'pause'>,
  context: CallContext,
): Promise<PointFacts> {
  const { ExemplarType, TimeSeriesAggregationType } = types.v1;
  const { exemplarType, groupBy } = request;
  const isSpans = exemplarType === ExemplarType.EXEMPLAR_TYPE_SPAN;
  const hasExemplars = isSpans || exemplarType === ExemplarType.EXEMPLAR_TYPE_INDIVIDUAL;
  const { TIME_SERIES_AGGREGATION_TYPE_AVERAGE } = TimeSeriesAggregationType;
  const isAverage = request.aggregation === TIME_SERIES_AGGREGATION_TYPE_AVERAGE;
  if (!hasExemplars && !isAverage) return noPointFacts;
  const options = { offsetNanos, isSpans };
  const { profiles } = await profileValues(engine, request, question, options, context);
  const facts = new Map<string, { divisor: number; largest: ProfileValue | undefined }>();
  for (const profile of profiles) {
    const pausing = pacer.pause();
    if (pausing !== undefined) await pausing;
    const bucket = floorTo(profile.timeNanos + offsetNanos, question.stepNanos);
    const key = `${labelSetKey(groupLabels(profile, groupBy))} ${bucket}`;
    const known = facts.get(key) ?? { divisor: 0, largest: undefined };
    facts.set(key, known);
    known.divisor += 1;
    const isLargest = profile.value > (known.largest?.value ?? -Infinity);
    if (hasExemplars && isLargest) known.largest = profile;
  }
  if (!isAverage || isSpans) for (const one of facts.values()) one.divisor = 1;
  return facts;
}

function writeLine(
  writer: protobuf.Writer,
  { labels, timeNanos, value }: MetricsSeries,
  { pointMillis }: SeriesPlan,
  points: PointFacts,
  groupBy: readonly string[],
): void {
  const key = labelSetKey(labels);
  for (const label of wireLabels(labels)) {
    types.v1.LabelPair.encode(label, writer.uint32(field(1, 2)).fork()).ldelim();
  }
  for (let i = 0; i < timeNanos.length; i += 1) {
    const facts = points.get(`${key} ${timeNanos[i]}`);
    const divisor = facts?.divisor ?? 1;
    writer.uint32(field(2, 2)).fork();
    writer.uint32(field(1, 1)).double(Number(value[i]) / divisor);
    writer.uint32(field(2, 0)).int64(Number(pointMillis(timeNanos[i])));
    if (facts?.largest !== undefined) {
      const exemplar = toExemplar(facts.largest, groupBy);
      types.v1.Exemplar.encode(exemplar, writer.uint32(field(4, 2)).fork()).ldelim();
    }
    writer.ldelim();
  }
}

async function mergeStacktraces(
  engine: QueryEngine,
  bytes: Uint8Array,
  context: CallContext,
): Promise<Uint8Array> {
  const request = decodeRequest(messages.SelectMergeStacktracesRequest, bytes);
  return answerStacks(engine, request, context);
}

async function mergeSpanProfile(
  engine: QueryEngine,
  bytes: Uint8Array,
  context: CallContext,
): Promise<Uint8Array> {
  const request = decodeRequest(messages.SelectMergeSpanProfileRequest, bytes);
  return answerStacks(engine, request, context);
}

type StacksRequest = SelectedProfiles &
  Pick<querier.v1.SelectMergeStacktracesRequest, 'maxNodes' | 'format' | 'spanSelector'> &
  Partial<
    Pick<
      querier.v1.SelectMergeStacktracesRequest,
      'stackTraceSelector' | 'traceIdSelector' | 'profileIdSelector'
    >
  >;

/** Answers with stacks in the requested format; if the format is unknown, with a flame graph. */
async function answerStacks(
  engine: QueryEngine,
  request: StacksRequest,
  context: CallContext,
): Promise<Uint8Array> {
  const { format } = request;
  const view = callSiteView(request.stackTraceSelector);
  const { spanSelector, traceIdSelector = [], profileIdSelector = [] } = request;
  const conditions = [...spanConditions(spanSelector), ...traceConditions(traceIdSelector)];
  const select = await selectById(engine, request, profileIdSelector, conditions, context);
  if (format === ProfileFormat.PROFILE_FORMAT_DOT) {
    const nodes = readMaxNodes(request.maxNodes, dotNodesUsual);
    const dot = await askDot(engine, select, nodes, view, context);
    return inField(3, dot.bytes);
  }
  if (format === ProfileFormat.PROFILE_FORMAT_PPROF) {
    readMaxNodes(request.maxNodes, nodesUsual);
    const profile = await askProfile(engine, select, view, context);
    return inField(5, inField(1, profile.bytes));
  }
  const isTree = format === ProfileFormat.PROFILE_FORMAT_TREE;
  const encoding = isTree ? pyroscopeEncodings.tree : pyroscopeEncodings.flameGraph;
  const nodes = readMaxNodes(request.maxNodes, nodesUsual);
  const graph = await askGraph(engine, select, nodes, view, encoding, context);
  return inField(isTree ? 2 : 1, graph.bytes);
}

/** Returns the condition on span ids; no condition without ids. */
function spanConditions(spans: readonly string[]): string[] {
  if (spans.length === 0) return [];
  const bad = spans.find((span) => !/^[0-9a-fA-F]{16}$/.test(span));
  if (bad !== undefined) {
    throw invalid(`invalid span id ${JSON.stringify(bad)}: expected 16 hexadecimal digits`);
  }
  const either = spans.map((span) => span.toLowerCase()).join('|');
  return [`__span_id__=~"${either}"`];
}

/** Returns the condition on trace ids; no condition without ids. */
function traceConditions(ids: readonly string[]): string[] {
  if (ids.length === 0) return [];
  const bad = ids.find((id) => !/^[0-9a-fA-F]{32}$/.test(id));
  if (bad !== undefined) {
    throw invalid(`invalid trace id ${JSON.stringify(bad)}: expected 32 hexadecimal digits`);
  }
  return [`trace_id=~"${ids.map((id) => id.toLowerCase()).join('|')}"`];
}

/**
 * Returns the selection of a request. If the request has the id of a profile, only this profile is
 * selected.
 */
async function selectById(
  engine: QueryEngine,
  request: SelectedProfiles,
  ids: readonly string[],
  conditions: readonly string[],
  context: CallContext,
): Promise<ReturnType<typeof toMerge>> {
  const select = toMerge(request, conditions);
  const [id, ...others] = ids;
  if (id === undefined) return select;
  if (others.length > 0) throw invalid('cannot select several profiles by id: ask for one');
  const time = timeOfProfileId(id);
  const { from, to } = select.range;
  const isWithin = time >= from && time <= to;
  const range = { from: time, to: time };
  const question = { query: select.query, range, stepNanos: 0n, sumBy: [], limit: 0 };
  const options = { offsetNanos: 0n, isSpans: false };
  const { profiles } = isWithin
    ? await profileValues(engine, request, question, options, context)
    : { profiles: [] };
  const own = conditionsOfProfile(id, profiles) ?? noProfile;
  return { ...toMerge(request, [...conditions, ...own]), range };
}

/** A condition that no profile satisfies. */
const noProfile = ['__profile_type__=""'];

/** Returns a message with one field of bytes. */
function inField(number: number, bytes: Uint8Array): Uint8Array {
  const head = protobuf.Writer.create().uint32(field(number, 2)).uint32(bytes.length).finish();
  return Buffer.concat([head, bytes]);
}

async function mergeProfile(
  engine: QueryEngine,
  bytes: Uint8Array,
  context: CallContext,
): Promise<Uint8Array> {
  const request = decodeRequest(messages.SelectMergeProfileRequest, bytes);
  const view = callSiteView(request.stackTraceSelector);
  readMaxNodes(request.maxNodes, nodesUsual);
  const { profileIdSelector } = request;
  const conditions = traceConditions(request.traceIdSelector);
  const select = await selectById(engine, request, profileIdSelector, conditions, context);
  const { bytes: profile, profileCount } = await askProfile(engine, select, view, context);
  return profileCount === 0 ? emptyProfile : profile;
}

const emptyProfile = google.v1.Profile.encode({}).finish();

async function diff(
  engine: QueryEngine,
  bytes: Uint8Array,
  context: CallContext,
): Promise<Uint8Array> {
  const { left, right } = decodeRequest(messages.DiffRequest, bytes);
  if (left === null || right === null) throw invalid('left and right: cannot be blank');
  if (left.profileTypeID !== right.profileTypeID) {
    throw invalid('left and right must have the same profile type');
  }
  const nodes = Math.max(
    readMaxNodes(left.maxNodes, nodesUsual),
    readMaxNodes(right.maxNodes, nodesUsual),
  );
  const select = toDiff(left, right);
  const view = callSiteView(left.stackTraceSelector);
  const { flameGraph } = pyroscopeEncodings;
  const graph = await askGraph(engine, select, nodes, view, flameGraph, context);
  return inField(1, graph.bytes);
}

function field(number: number, wireType: number): number {
  return (number << 3) | wireType;
}
