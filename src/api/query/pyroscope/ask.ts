// Queries the engine for Pyroscope's services.
import type { Clock } from '../../../base/clock.ts';
import { errorCode } from '../../../base/errors.ts';
import { labelSetKey } from '../../../model/labels.ts';
import type {
  EncodedReport,
  MetricsSeries,
  QueryEngine,
  RangeQuestion,
  ReportQuestion,
  ReportEncoding,
} from '../../../query/interface.ts';
import type { CallContext } from '../../transport/call/method.ts';
import { pyroscopeEncodings } from './encode-answer.ts';

/** Dependencies of the services. */
export interface QuerierParts {
  /** Engine whose profiles have Pyroscope's names. */
  readonly engine: QueryEngine;
  readonly clock: Clock;
}

/** Number of functions in a DOT graph if the request has no limit. */
export const dotNodesUsual = 100;

/** Returns the lines of a graph over time; an empty list if no profile matches. */
export async function readLines(
  engine: QueryEngine,
  question: RangeQuestion,
  context: CallContext,
): Promise<readonly MetricsSeries[]> {
  try {
    return (await engine.queryRange(question, context)).series;
  } catch (error) {
    if (errorCode(error) === 'not-found') return [];
    throw error;
  }
}

/** Compares lines, so that lines with larger totals come first. */
export function byTotal(a: MetricsSeries, b: MetricsSeries): number {
  if (a.total !== b.total) return a.total > b.total ? -1 : 1;
  return labelSetKey(a.labels) < labelSetKey(b.labels) ? -1 : 1;
}

/** Requests a flame graph with about `nodes` bars. */
export function askGraph(
  engine: QueryEngine,
  select: ReportQuestion['select'],
  nodes: number,
  view: ReportQuestion['view'],
  encoding: ReportEncoding,
  context: CallContext,
): Promise<EncodedReport> {
  // The root is a row, but not one of the nodes.
  const rowsMax = nodes + 1;
  return engine.encodedReport(
    {
      select,
      report: 'flame-graph',
      nodeTrimFraction: 0,
      rootTrimFraction: 0,
      rowsMax,
      groupBy: [],
      ...(view && { view }),
    },
    encoding,
    context,
  );
}

/** Requests a graph of calls in DOT. */
export function askDot(
  engine: QueryEngine,
  select: ReportQuestion['select'],
  nodes: number,
  view: ReportQuestion['view'],
  context: CallContext,
): Promise<EncodedReport> {
  return engine.encodedReport(
    {
      select,
      report: 'call-graph',
      nodeTrimFraction: 0,
      rootTrimFraction: 0,
      groupBy: [],
      ...(view && { view }),
    },
    `${pyroscopeEncodings.dot}${nodes}`,
    context,
  );
}

/** Requests a profile as a pprof message. */
export function askProfile(
  engine: QueryEngine,
  select: ReportQuestion['select'],
  view: ReportQuestion['view'],
  context: CallContext,
): Promise<EncodedReport> {
  return engine.encodedReport(
    {
      select,
      report: 'profile',
      nodeTrimFraction: 0,
      rootTrimFraction: 0,
      groupBy: [],
      ...(view && { view }),
    },
    pyroscopeEncodings.pprof,
    context,
  );
}
