// Thread that sends heavy queries to a server, one after another, until it is stopped.
import { parentPort, workerData } from 'node:worker_threads';
import Long from 'long';
import { parca } from '../../proto/gen/query.js';
import { lowerThreadPriority } from '../../src/base/node/thread-priority.ts';
import { toTimestamp } from '../../src/api/transport/call/message.ts';
import { connect, unary } from '../../test/support/grpc-client.ts';
import type { HeavyQueries, QueriesAnswered } from './heavy-queries.ts';

const { ProfileDiffSelection, QueryRangeRequest, QueryRequest } = parca.query.v1alpha1;
const { ReportType } = QueryRequest;
const queryMillisMax = 300_000;
/** Trim threshold in percent, as the page sends it. */
const rootTrimThreshold = 0.05;
const queryPath = '/parca.query.v1alpha1.QueryService/Query';
const rangePath = '/parca.query.v1alpha1.QueryService/QueryRange';
const cpuType = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';

const { address, url, fromNanos, toNanos } = workerData as HeavyQueries;
const client = connect(address);
const flameGraph = ReportType.REPORT_TYPE_FLAMEGRAPH_ARROW;

/** Requests that select all rows. Each request has a new start time. */
const kinds: readonly ((count: number) => Promise<unknown>)[] = [
  merged({ reportType: flameGraph }),
  merged({ reportType: flameGraph, groupBy: { fields: ['labels.job'] } }),
  merged({ reportType: ReportType.REPORT_TYPE_TABLE_ARROW }),
  merged({ reportType: ReportType.REPORT_TYPE_CALLGRAPH }),
  merged({ reportType: ReportType.REPORT_TYPE_PPROF }),
  merged({ reportType: ReportType.REPORT_TYPE_TOP }),
  merged({ reportType: ReportType.REPORT_TYPE_FLAMEGRAPH_TABLE }),
  merged({ reportType: ReportType.REPORT_TYPE_PROFILE_METADATA }),
  merged({ reportType: flameGraph, invertCallStack: true }),
  (count) => {
    const merge = { query: cpuType, ...wireRange(count) };
    const side = { mode: ProfileDiffSelection.Mode.MODE_MERGE, merge };
    const diff = { mode: QueryRequest.Mode.MODE_DIFF, diff: { a: side, b: side } };
    return ask(queryPath, QueryRequest.encode({ ...diff, rootTrimThreshold }).finish());
  },
  (count) =>
    ask(
      rangePath,
      QueryRangeRequest.encode({
        query: `${cpuType} | focus "."`,
        sumBy: ['job'],
        ...wireRange(count),
        step: { seconds: Long.fromNumber(60) },
      }).finish(),
    ),
  (count) => insight('changes', count, { sort: 'cumulative' }),
  (count) => insight('functions', count, {}),
];

function merged(options: object): (count: number) => Promise<unknown> {
  const mode = QueryRequest.Mode.MODE_MERGE;
  return (count) => {
    const merge = { query: cpuType, ...wireRange(count) };
    return ask(
      queryPath,
      QueryRequest.encode({ mode, merge, rootTrimThreshold, ...options }).finish(),
    );
  };
}

function ask(path: string, request: Uint8Array): Promise<unknown> {
  return unary(client, path, request, queryMillisMax);
}

async function insight(
  name: string,
  count: number,
  options: Record<string, string>,
): Promise<void> {
  const [start, end] = nextRange(count).map((nanos) => new Date(Number(nanos / 1_000_000n)));
  const range = { start: start.toISOString(), end: end.toISOString() };
  const parameters = new URLSearchParams({ query: cpuType, ...range, ...options });
  const response = await fetch(`${url}/api/v1/${name}?${parameters}`);
  const text = await response.text();
  if (!response.ok) throw new Error(`cannot ask for ${name}: ${text}`);
}

function wireRange(count: number) {
  const [start, end] = nextRange(count).map(toTimestamp);
  return { start, end };
}

/**
 * Returns a range in nanoseconds. Each query starts a millisecond earlier than the last one,
 * because times in JSON are in milliseconds.
 */
function nextRange(count: number): [bigint, bigint] {
  return [fromNanos - BigInt(count + 1) * 1_000_000n, toNanos];
}

// The low priority compensates for running on the server's machine; clients usually run elsewhere
// and do not use the server's cores.
lowerThreadPriority('background');

let isOver = false;
parentPort?.once('message', () => (isOver = true));
for (let count = 0; !isOver; count += 1) {
  await kinds[count % kinds.length](count);
  const told: QueriesAnswered = { count: count + 1, kinds: kinds.length };
  parentPort?.postMessage(told);
}
client.close();
