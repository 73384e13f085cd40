// Encodes reports as QueryResponse messages.
import Long from 'long';
import protobuf from 'protobufjs/minimal.js';
import { parca } from '../../../proto/gen/query.js';
import { assertUnreachable } from '../../base/assert.ts';
import { AppError } from '../../base/errors.ts';
import { gzip } from '../../base/threads/zlib.ts';
import { encodeIpcStream } from '../../formats/arrow/ipc-stream.ts';
import { loadLz4Frames } from '../../formats/arrow/lz4-frame.ts';
import { encodePprof } from '../../formats/pprof/encode.ts';
import type { AnswerFacts, Report } from '../../query/interface.ts';
import type { FlameGraph } from '../../report/flame-graph.ts';
import type { SourceLines } from '../../report/source-lines.ts';
import type { SearchTotals } from '../../report/name-search.ts';
import type { Table } from '../../report/table.ts';
import { flameGraphColumns, sourceColumns, tableColumns } from './arrow-records.ts';
import { encodeCallGraph, encodeTop } from './encode-functions.ts';
import { encodeFlameGraphTable, encodeNestedFlameGraph } from './encode-nested.ts';

type Response = parca.query.v1alpha1.QueryResponse.$Properties;
type NestedReport = Extract<Report, { kind: 'nested-flame-graph' | 'flame-graph-table' }>;
/** Merged stacks with the dictionary that they refer to. */
export type ProfileReport = Extract<Report, { kind: 'profile' }>;

/** Encodes a report as a QueryResponse. */
export async function encodeReport(report: Report): Promise<Uint8Array> {
  const body = await bodyOf(report);
  const head = {
    ...encodeFacts(report),
    ...(report.base && { base: encodeFacts(report.base) }),
    ...(report.search && { search: encodeSearch(report.search) }),
    ...trimmingOf(report),
    warnings: [...report.missing, ...report.notes],
  };
  return parca.query.v1alpha1.QueryResponse.encode({ ...body, ...head }, writerFor(body)).finish();
}

/** Usual size of an answer without its record; a writer grows when this is too small. */
const besideRecordBytes = 4096;

/** Makes a writer with room for the record. Growth by doubling would need twice the memory. */
function writerFor({ flamegraphArrow, tableArrow, source }: Response): protobuf.Writer {
  const writer = protobuf.Writer.create();
  const record = (flamegraphArrow ?? tableArrow ?? source)?.record;
  if (record) writer.buf = Buffer.allocUnsafe(record.length + besideRecordBytes);
  return writer;
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

async function bodyOf(report: Report): Promise<Response> {
  switch (report.kind) {
    case 'flame-graph':
      return flameGraphBody(report.graph, report.valueType.unit);
    case 'nested-flame-graph':
    case 'flame-graph-table':
      return { flamegraph: nestedBody(report) };
    case 'top':
      return { top: encodeTop(report.top, report.valueType.unit) };
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
      throw new AppError('unimplemented', `${report.kind} are answered as JSON alone`);
    case 'metadata': {
      const { mappingFiles, labelNames } = report;
      return { profileMetadata: { mappingFiles: [...mappingFiles], labels: [...labelNames] } };
    }
    default:
      return assertUnreachable(report);
  }
}

async function flameGraphBody(graph: FlameGraph, unit: string): Promise<Response> {
  const compress = await loadLz4Frames();
  const record = await encodeIpcStream(flameGraphColumns(graph), graph.rowCount, compress);
  const { height } = graph;
  return { flamegraphArrow: { record, unit, height, trimmed: toLong(graph.trimmed) } };
}

async function sourceBody(lines: SourceLines, unit: string): Promise<Response> {
  const compress = await loadLz4Frames();
  const record = await encodeIpcStream(sourceColumns(lines), lines.rowCount, compress);
  return { source: { record, source: '', unit } };
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

async function tableBody(table: Table, unit: string): Promise<Response> {
  const compress = await loadLz4Frames();
  const record = await encodeIpcStream(tableColumns(table), table.rowCount, compress);
  return { tableArrow: { record, unit } };
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
    ...{ timeNanos, durationNanos },
  };
  return gzip(encodePprof(report.dictionary, report.groups, meta), { level: 1 });
}

/** Converts an int64 for the generated code. */
function toLong(value: bigint): Long {
  return Long.fromBits(Number(BigInt.asIntN(32, value)), Number(BigInt.asIntN(32, value >> 32n)));
}
