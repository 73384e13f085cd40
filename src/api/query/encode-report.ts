// Encodes reports as QueryResponse messages.
import Long from 'long';
import protobuf from 'protobufjs/minimal.js';
import { parca } from '../../../proto/gen/query.js';
import { assertUnreachable } from '../../base/assert.ts';
import { AppError } from '../../base/errors.ts';
import { createOwnedBuffer } from '../../base/owned.ts';
import { gzip } from '../../base/threads/zlib.ts';
import type { ArrowColumn } from '../../formats/arrow/column.ts';
import { encodeIpc, type EncodedStream } from '../../formats/arrow/ipc-stream.ts';
import { loadLz4Frames } from '../../formats/arrow/lz4-frame.ts';
import { encodePprof } from '../../formats/pprof/encode.ts';
import { type ColumnMemory, ownMemory } from '../../model/column-memory.ts';
import { nameGapSentences } from '../../model/name-gaps.ts';
import { formatProfileType } from '../../model/profile-type.ts';
import type { AnswerFacts, Report } from '../../query/interface.ts';
import type { FlameGraph } from '../../report/flame-graph.ts';
import type { SourceLines } from '../../report/source-lines.ts';
import type { SearchTotals } from '../../report/name-search.ts';
import type { Table } from '../../report/table.ts';
import type { Top } from '../../report/top.ts';
import { flameGraphColumns, sourceColumns, tableColumns } from './arrow-records.ts';
import { topColumns } from './top-record.ts';
import { encodeCallGraph, encodeTop } from './encode-functions.ts';
import { encodeFlameGraphTable, encodeNestedFlameGraph } from './encode-nested.ts';

const messages = parca.query.v1alpha1;

type Response = parca.query.v1alpha1.QueryResponse.$Properties;
type NestedReport = Extract<Report, { kind: 'nested-flame-graph' | 'flame-graph-table' }>;
/** Merged stacks with the dictionary that they refer to. */
export type ProfileReport = Extract<Report, { kind: 'profile' }>;

/** A record, and the rest of the field of QueryResponse that holds it. */
interface RecordBody {
  /** Number of the field. */
  readonly field: number;
  readonly record: EncodedStream;
  /** Encoded fields of the same message. */
  readonly others: Uint8Array;
  /** Number of the field of that message that is the record; the first one if absent. */
  readonly recordField?: number;
}

// Numbers of fields of query.proto; the record is the first one of its message, but of Top.
const topField = 7;
const topRecordField = 101;
const flamegraphArrowField = 11;
const sourceField = 12;
const tableArrowField = 13;
const firstField = 1;

/**
 * Encodes a report as a QueryResponse. A record is copied once, into memory of its own; until then,
 * it is in `memory`.
 */
export async function encodeReport(
  report: Report,
  memory: ColumnMemory = ownMemory,
): Promise<Uint8Array> {
  const body = await bodyOf(report, memory);
  const head = {
    ...encodeFacts(report),
    ...(report.base && { base: encodeFacts(report.base) }),
    ...(report.load && { load: { ...report.load } }),
    ...(report.search && { search: encodeSearch(report.search) }),
    ...trimmingOf(report),
    warnings: [...report.missing, ...nameGapSentences(report.nameGaps), ...report.notes],
    profileTypes: report.profileTypes.map(formatProfileType),
  };
  if (!('field' in body)) return messages.QueryResponse.encode({ ...body, ...head }).finish();
  const { field, record, others, recordField = firstField } = body;
  const recordHead = fieldHead(recordField, record.byteLength);
  const pieces = [
    messages.QueryResponse.encode(head).finish(),
    fieldHead(field, others.length + recordHead.length + record.byteLength),
    others,
    recordHead,
  ];
  const recordStart = pieces.reduce((sum, { length }) => sum + length, 0);
  const message = new Uint8Array(createOwnedBuffer(recordStart + record.byteLength));
  let at = 0;
  for (const piece of pieces) {
    message.set(piece, at);
    at += piece.length;
  }
  record.moveTo(message, recordStart);
  return message;
}

/** Tag and length of a field of bytes. */
function fieldHead(field: number, byteLength: number): Uint8Array {
  return protobuf.Writer.create()
    .uint32((field << 3) | 2)
    .uint32(byteLength)
    .finish();
}

/** Trimmed value and zoomed frames; only flame graphs have them. */
function trimmingOf(report: Report): Pick<Response, 'trimmed' | 'zoomedFrames'> {
  const { kind } = report;
  const isFlameGraph =
    kind === 'flame-graph' || kind === 'nested-flame-graph' || kind === 'flame-graph-table';
  if (!isFlameGraph) return {};
  const { trimmed, zoomedFrames } = report.graph;
  return { trimmed: toLong(trimmed), zoomedFrames };
}

function encodeSearch(totals: SearchTotals): parca.query.v1alpha1.SearchTotals.$Properties {
  const { cumulativeDiff = 0n, flatDiff = 0n } = totals;
  return {
    cumulative: toLong(totals.cumulative),
    flat: toLong(totals.flat),
    cumulativeDiff: toLong(cumulativeDiff),
    flatDiff: toLong(flatDiff),
    names: totals.nameCount,
  };
}

function encodeFacts(facts: AnswerFacts): parca.query.v1alpha1.AnswerFacts.$Properties {
  return {
    total: toLong(facts.total),
    filtered: toLong(facts.filtered),
    profileCount: Long.fromNumber(facts.profileCount),
    sampleCount: toLong(facts.sampleCount),
    coveredNanos: toLong(facts.durationNanos),
    period: toLong(facts.period),
    snapshots: facts.snapshots,
  };
}

async function bodyOf(report: Report, memory: ColumnMemory): Promise<Response | RecordBody> {
  switch (report.kind) {
    case 'flame-graph':
      return flameGraphBody(report.graph, report.valueType.unit, memory);
    case 'nested-flame-graph':
    case 'flame-graph-table':
      return { flamegraph: nestedBody(report) };
    case 'top':
      return report.isRecord
        ? topBody(report.top, report.valueType.unit, memory)
        : { top: encodeTop(report.top, report.valueType.unit) };
    case 'table':
      return tableBody(report.table, report.valueType.unit);
    case 'call-graph': {
      const cumulative = toLong(report.total);
      return { callgraph: { ...encodeCallGraph(report.graph), cumulative } };
    }
    case 'source':
      return sourceBody(report.lines, report.valueType.unit);
    case 'profile':
      return { pprof: await encodeProfile(report) };
    case 'changes':
    case 'functions':
      throw new AppError('unimplemented', `${report.kind} are answered as JSON only`);
    case 'metadata': {
      const { mappingFiles, labelNames } = report;
      return { profileMetadata: { mappingFiles: [...mappingFiles], labels: [...labelNames] } };
    }
    default:
      return assertUnreachable(report);
  }
}

async function flameGraphBody(
  graph: FlameGraph,
  unit: string,
  memory: ColumnMemory,
): Promise<RecordBody> {
  const { height, rowCount } = graph;
  const record = await recordOf(flameGraphColumns(graph, memory), rowCount);
  const others = { unit, height, trimmed: toLong(graph.trimmed) };
  const message = messages.FlamegraphArrow.encode(others);
  return { field: flamegraphArrowField, record, others: message.finish() };
}

async function topBody(top: Top, unit: string, memory: ColumnMemory): Promise<RecordBody> {
  const { rowCount: reported, functionCount: functions } = top;
  const record = await recordOf(topColumns(top, memory), reported);
  const others = messages.Top.encode({ reported, unit, functions }).finish();
  return { field: topField, record, others, recordField: topRecordField };
}

async function sourceBody(lines: SourceLines, unit: string): Promise<RecordBody> {
  const record = await recordOf(sourceColumns(lines), lines.rowCount);
  return { field: sourceField, record, others: messages.Source.encode({ unit }).finish() };
}

async function recordOf(columns: Iterable<ArrowColumn>, rowCount: number): Promise<EncodedStream> {
  return encodeIpc(columns, rowCount, await loadLz4Frames());
}

function nestedBody(report: NestedReport): parca.query.v1alpha1.Flamegraph.$Properties {
  const encode =
    report.kind === 'flame-graph-table' ? encodeFlameGraphTable : encodeNestedFlameGraph;
  return {
    ...encode(report.graph, report.valueType.unit),
    untrimmedTotal: toLong(report.total),
    trimmed: toLong(report.graph.trimmed),
  };
}

async function tableBody(table: Table, unit: string): Promise<RecordBody> {
  const record = await recordOf(tableColumns(table), table.rowCount);
  return { field: tableArrowField, record, others: messages.TableArrow.encode({ unit }).finish() };
}

/** Encodes merged stacks as gzipped pprof. */
export async function encodeProfile(report: ProfileReport): Promise<Uint8Array> {
  const { profileType, valueType, timeNanos, durationNanos, base } = report;
  const sides = [report, ...(base === undefined ? [] : [base])];
  const periods = sides.filter(({ profileCount }) => profileCount > 0).map(({ period }) => period);
  const meta = {
    sampleType: valueType,
    periodType: profileType.period,
    // Sides with different periods have no common period.
    period: new Set(periods).size === 1 ? periods[0] : 0n,
    timeNanos,
    durationNanos,
  };
  return gzip(encodePprof(report.dictionary, report.groups, meta), { level: 1 });
}

/** Converts an int64 for the generated code. */
function toLong(value: bigint): Long {
  return Long.fromBits(Number(BigInt.asIntN(32, value)), Number(BigInt.asIntN(32, value >> 32n)));
}
