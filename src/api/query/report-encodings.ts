// Encodings of reports: a table with a row for each report kind, which states the kind's report
// types in QueryService.
import { parca } from '../../../proto/gen/query.js';
import { AppError } from '../../base/errors.ts';
import { gzip } from '../../base/threads/zlib.ts';
import type { ArrowColumn } from '../../formats/arrow/column.ts';
import { encodeIpc, type EncodedStream } from '../../formats/arrow/ipc-stream.ts';
import { loadLz4Frames } from '../../formats/arrow/lz4-frame.ts';
import { encodePprof } from '../../formats/pprof/encode.ts';
import type { ColumnMemory } from '../../model/column-memory.ts';
import type { Report } from '../../query/interface.ts';
import type { FlameGraph } from '../../report/flame-graph.ts';
import type { SourceLines } from '../../report/source-lines.ts';
import type { Table } from '../../report/table.ts';
import type { Top } from '../../report/top.ts';
import { flameGraphColumns, sourceColumns, tableColumns } from './arrow-records.ts';
import { encodeCallGraph, encodeTop } from './encode-functions.ts';
import { encodeFlameGraphTable, encodeNestedFlameGraph } from './encode-nested.ts';
import { toLong } from './to-long.ts';
import { topColumns } from './top-record.ts';

const messages = parca.query.v1alpha1;
const { ReportType } = messages.QueryRequest;

/** Fields of a QueryResponse. */
export type Response = parca.query.v1alpha1.QueryResponse.$Properties;
type ReportKind = Report['kind'];
type ReportOf<K extends ReportKind> = Extract<Report, { readonly kind: K }>;
/** Merged stacks with the dictionary that they refer to. */
export type ProfileReport = ReportOf<'profile'>;

/** A record with its message, which is the value of a field of QueryResponse. */
export interface RecordBody {
  /** Number of the field of QueryResponse. */
  readonly field: number;
  readonly record: EncodedStream;
  /** Other fields of the message, encoded. */
  readonly others: Uint8Array;
  /** Number of the field of the message that has the record; 1 if absent. */
  readonly recordField?: number;
}

// Numbers of fields in query.proto. The record is field 1 of its message, except in Top.
const topField = 7;
const topRecordField = 101;
const flamegraphArrowField = 11;
const sourceField = 12;
const tableArrowField = 13;

/** Encoding of requests for reports of one kind, and of their answers. */
interface ReportEncoding<K extends ReportKind> {
  /**
   * ReportType values that request this report; empty for reports that only our own routes serve.
   */
  readonly wire: readonly number[];
  readonly encode: (
    report: ReportOf<K>,
    memory: ColumnMemory,
  ) => Response | RecordBody | Promise<Response | RecordBody>;
}

const encodings: { readonly [K in ReportKind]: ReportEncoding<K> } = {
  'flame-graph': {
    // A flame chart is a graph that `groupBy` splits by time.
    wire: [ReportType.REPORT_TYPE_FLAMEGRAPH_ARROW, ReportType.REPORT_TYPE_FLAMECHART],
    encode: ({ graph, valueType }, memory) => flameGraphBody(graph, valueType.unit, memory),
  },
  'nested-flame-graph': {
    wire: [ReportType.REPORT_TYPE_FLAMEGRAPH_UNSPECIFIED],
    encode: (report) => ({ flamegraph: nestedBody(report, encodeNestedFlameGraph) }),
  },
  'flame-graph-table': {
    wire: [ReportType.REPORT_TYPE_FLAMEGRAPH_TABLE],
    encode: (report) => ({ flamegraph: nestedBody(report, encodeFlameGraphTable) }),
  },
  top: {
    wire: [ReportType.REPORT_TYPE_TOP],
    encode: ({ top, isRecord, valueType: { unit } }, memory) =>
      isRecord ? topBody(top, unit, memory) : { top: encodeTop(top, unit) },
  },
  table: {
    wire: [ReportType.REPORT_TYPE_TABLE_ARROW],
    encode: ({ table, valueType }) => tableBody(table, valueType.unit),
  },
  'call-graph': {
    wire: [ReportType.REPORT_TYPE_CALLGRAPH],
    encode: ({ graph, total }) => ({
      callgraph: { ...encodeCallGraph(graph), cumulative: toLong(total) },
    }),
  },
  source: {
    wire: [ReportType.REPORT_TYPE_SOURCE],
    encode: ({ lines, valueType }) => sourceBody(lines, valueType.unit),
  },
  profile: {
    wire: [ReportType.REPORT_TYPE_PPROF],
    encode: async (report) => ({ pprof: await encodeProfile(report) }),
  },
  changes: { wire: [], encode: refuse },
  instructions: { wire: [], encode: refuse },
  functions: { wire: [], encode: refuse },
  metadata: {
    wire: [ReportType.REPORT_TYPE_PROFILE_METADATA],
    encode: ({ mappingFiles, labelNames }) => ({
      profileMetadata: { mappingFiles: [...mappingFiles], labels: [...labelNames] },
    }),
  },
};

const kinds = Object.keys(encodings) as ReportKind[];
const kindsByNumber = new Map(
  kinds.flatMap((kind) => encodings[kind].wire.map((number) => [number, kind] as const)),
);

/** Returns the kind of a ReportType; undefined for an unknown number. */
export function findReportKind(number: number): ReportKind | undefined {
  return kindsByNumber.get(number);
}

/** Encodes the part of a report that depends on its kind. */
export function encodeBody<K extends ReportKind>(
  report: ReportOf<K>,
  memory: ColumnMemory,
): Response | RecordBody | Promise<Response | RecordBody> {
  return encodings[report.kind as K].encode(report, memory);
}

function refuse({ kind }: Report): never {
  throw new AppError('unimplemented', `${kind} are answered as JSON only`);
}

async function flameGraphBody(
  graph: FlameGraph,
  unit: string,
  memory: ColumnMemory,
): Promise<RecordBody> {
  const { height, rowCount } = graph;
  const record = await encodeRecord(flameGraphColumns(graph, memory), rowCount);
  const others = { unit, height, trimmed: toLong(graph.trimmed) };
  const message = messages.FlamegraphArrow.encode(others);
  return { field: flamegraphArrowField, record, others: message.finish() };
}

async function topBody(top: Top, unit: string, memory: ColumnMemory): Promise<RecordBody> {
  const { rowCount: reported, functionCount: functions } = top;
  const record = await encodeRecord(topColumns(top, memory), reported);
  const others = messages.Top.encode({ reported, unit, functions }).finish();
  return { field: topField, record, others, recordField: topRecordField };
}

async function sourceBody(lines: SourceLines, unit: string): Promise<RecordBody> {
  const record = await encodeRecord(sourceColumns(lines), lines.rowCount);
  return { field: sourceField, record, others: messages.Source.encode({ unit }).finish() };
}

async function encodeRecord(
  columns: Iterable<ArrowColumn>,
  rowCount: number,
): Promise<EncodedStream> {
  return encodeIpc(columns, rowCount, await loadLz4Frames());
}

function nestedBody(
  report: ReportOf<'nested-flame-graph' | 'flame-graph-table'>,
  encode: typeof encodeNestedFlameGraph,
): parca.query.v1alpha1.Flamegraph.$Properties {
  return {
    ...encode(report.graph, report.valueType.unit),
    untrimmedTotal: toLong(report.total),
    trimmed: toLong(report.graph.trimmed),
  };
}

async function tableBody(table: Table, unit: string): Promise<RecordBody> {
  const record = await encodeRecord(tableColumns(table), table.rowCount);
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
    // If the two sides have different periods, the file has no period.
    period: new Set(periods).size === 1 ? periods[0] : 0n,
    timeNanos,
    durationNanos,
  };
  return gzip(encodePprof(report.dictionary, report.groups, meta), { level: 1 });
}
