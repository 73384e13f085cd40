// Encodes reports for Pyroscope's clients, on the thread that makes the report.
import { AppError } from '../../../base/errors.ts';
import { encodePprof } from '../../../formats/pprof/encode.ts';
import type { Report, ReportEncoding } from '../../../query/interface.ts';
import { encodeDot } from './encode-dot.ts';
import {
  encodeFlamebearer,
  encodeFlameGraph,
  encodeTree,
  type FlameGraphAnswer,
} from './encode-flame-graph.ts';

/** Names of the encodings, which requests to the engine contain. */
export const pyroscopeEncodings = {
  flameGraph: 'pyroscope-flame-graph',
  tree: 'pyroscope-tree',
  flamebearer: 'pyroscope-flamebearer',
  pprof: 'pyroscope-pprof',
  /** Prefix of an encoding whose name ends in the largest number of functions. */
  dot: 'pyroscope-dot-',
} as const;

type PyroscopeEncoding = Extract<ReportEncoding, `pyroscope-${string}`>;

/** Returns true if the encoding is one of this file's encodings. */
export function isPyroscopeEncoding(encoding: ReportEncoding): encoding is PyroscopeEncoding {
  return encoding.startsWith('pyroscope-');
}

/** Encodes a report. Errors: AppError 'internal' for a report of another kind. */
export function encodePyroscope(encoding: PyroscopeEncoding, report: Report): Uint8Array {
  switch (encoding) {
    case pyroscopeEncodings.flameGraph:
      return encodeFlameGraph(requireGraph(report));
    case pyroscopeEncodings.tree:
      return encodeTree(requireGraph(report));
    case pyroscopeEncodings.flamebearer:
      return encodeFlamebearer(requireGraph(report));
    case pyroscopeEncodings.pprof:
      return requirePprof(report);
    default:
      return encodeDotAnswer(encoding, report);
  }
}

function requireGraph(report: Report): FlameGraphAnswer {
  if (report.kind !== 'flame-graph') throw wrongReport(report);
  return { graph: report.graph, total: report.total, base: report.base?.total };
}

function requirePprof(report: Report): Uint8Array {
  if (report.kind !== 'profile') throw wrongReport(report);
  const { dictionary, groups, profileType, valueType, period, timeNanos, durationNanos } = report;
  const periodType = profileType.period;
  const meta = { sampleType: valueType, periodType, period, timeNanos, durationNanos };
  return encodePprof(dictionary, groups, meta);
}

function encodeDotAnswer(encoding: PyroscopeEncoding, report: Report): Uint8Array {
  if (report.kind !== 'call-graph') throw wrongReport(report);
  const nodesMax = Number(encoding.slice(pyroscopeEncodings.dot.length));
  const { total, valueType } = report;
  const text = encodeDot(report.graph, {
    total,
    unit: valueType.unit,
    title: valueType.type,
    nodesMax,
  });
  return Buffer.from(text);
}

function wrongReport({ kind }: Report): AppError {
  return new AppError('internal', `got a ${kind} report`);
}
