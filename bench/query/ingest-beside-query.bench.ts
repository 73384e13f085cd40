// How long writes take to be acknowledged by the real server, alone and while heavy queries run.
//
// BENCH_ROWS: rows that are stored before, 10 million by default. All queries ask for all of them,
// from another time each, so that none gets the answer of an earlier one.
import { join } from 'node:path';
import Long from 'long';
import { toTimestamp } from '../../src/api/wire-time.ts';
import { seededRandom } from '../../src/base/random.ts';
import { parca } from '../../proto/gen/query.js';
import { connect, unary, writeRawPath, writeRawRequest } from '../../test/support/grpc-client.ts';
import { scratchDirectory, startServer } from '../../test/support/server.ts';
import { createUniverse } from '../fleet/universe.ts';
import { writeCpuProfile } from '../fleet/write-profile.ts';

const { ProfileDiffSelection, QueryRangeRequest, QueryRequest } = parca.query.v1alpha1;
const { ReportType } = QueryRequest;
const rowsWanted = Number(process.env['BENCH_ROWS'] ?? 10_000_000);
const writesTimed = 300;
const writePauseMillis = 20;
const delayGoalMillis = 50;
const queryMillisMax = 300_000;
/** Percent; as the page asks. */
const rootTrimThreshold = 0.05;
const startNanos = 1_760_000_000_000_000_000n;
const stepNanos = 10_000_000_000n;
const queryPath = '/parca.query.v1alpha1.QueryService/Query';
const rangePath = '/parca.query.v1alpha1.QueryService/QueryRange';
const cpuType = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';

/** Profiles with all stacks of a program each: as many rows as there can be in an upload. */
const universe = createUniverse(seededRandom(1));
const profiles = universe.programs.map((program) => {
  const counts = new Map(program.stacks.map((_, stack) => [stack, 1 + (stack % 9)]));
  const meta = { timeNanos: startNanos, durationNanos: stepNanos, periodNanos: 10_000_000n };
  return { rows: counts.size, plain: writeCpuProfile(universe.runtime, program, counts, meta) };
});

const scratch = await scratchDirectory();
const server = await startServer({
  storagePath: join(scratch.path, 'data'),
  flags: ['--query-timeout=0', '--http-write-timeout=10m'],
});
const client = connect(server.address);
const asker = connect(server.address);
let uploads = 0;

/** The next upload, at a time of its own: the last of several time fields of a message counts. */
function nextUpload(): { readonly rows: number; readonly request: Uint8Array } {
  const service = uploads % profiles.length;
  const { rows, plain } = profiles[service];
  const timed = [...varintField(9, startNanos + BigInt(uploads) * stepNanos)];
  const labels = { __name__: 'process_cpu', job: `service-${service}` };
  uploads += 1;
  return { rows, request: writeRawRequest(labels, Buffer.concat([plain, Buffer.from(timed)])) };
}

function* varintField(field: number, value: bigint): Generator<number> {
  yield field << 3;
  let rest = value;
  for (; rest > 0x7fn; rest >>= 7n) yield Number(rest & 0x7fn) | 0x80;
  yield Number(rest);
}

/** Milliseconds from sending a write to its acknowledgement, ascending. */
async function timeWrites(): Promise<number[]> {
  const millis: number[] = [];
  while (millis.length < writesTimed) {
    const { request } = nextUpload();
    const sent = performance.now();
    await unary(client, writeRawPath, request);
    millis.push(performance.now() - sent);
    await new Promise((resolve) => setTimeout(resolve, writePauseMillis));
  }
  return millis.sort((a, b) => a - b);
}

/** Heavy queries of every kind, one after the other, until it is told to stop. */
async function query(isOver: () => boolean): Promise<number> {
  let count = 0;
  for (; !isOver(); count += 1) await kinds[count % kinds.length](count);
  return count;
}

const flameGraph = ReportType.REPORT_TYPE_FLAMEGRAPH_ARROW;

/** Each asks for all rows, from another time than the one before. */
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
        ...{ query: `${cpuType} | focus "."`, sumBy: ['job'], ...wireRange(count) },
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
  return unary(asker, path, request, queryMillisMax);
}

async function insight(
  name: string,
  count: number,
  options: Record<string, string>,
): Promise<void> {
  const [start, end] = rangeOf(count).map((nanos) => new Date(Number(nanos / 1_000_000n)));
  const range = { start: start.toISOString(), end: end.toISOString() };
  const parameters = new URLSearchParams({ query: cpuType, ...range, ...options });
  const response = await fetch(`${server.url}/api/v1/${name}?${parameters}`);
  const text = await response.text();
  if (!response.ok) throw new Error(`cannot ask for ${name}: ${text}`);
}

function wireRange(count: number) {
  const [start, end] = rangeOf(count).map(toTimestamp);
  return { start, end };
}

/** Nanoseconds; another millisecond for each question, as no other differs in JSON. */
function rangeOf(count: number): [bigint, bigint] {
  return [startNanos - BigInt(count + 1) * 1_000_000n, startNanos + BigInt(uploads) * stepNanos];
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

try {
  let rows = 0;
  while (rows < rowsWanted) {
    const batch = Array.from({ length: 4 }, nextUpload);
    await Promise.all(batch.map(({ request }) => unary(client, writeRawPath, request)));
    for (const upload of batch) rows += upload.rows;
  }
  const alone = await timeWrites();
  let isOver = false;
  const timing = timeWrites().finally(() => (isOver = true));
  const [beside, count] = await Promise.all([timing, query(() => isOver)]);
  for (const [name, millis] of [
    ['alone', alone],
    [`beside ${count} queries of ${rows} rows`, beside],
  ] as const) {
    const [p50, p99, most] = [0.5, 0.99, 1].map((share) => at(millis, share).toFixed(1));
    console.log(`acknowledged ${name}: p50 ${p50} ms, p99 ${p99} ms, longest ${most} ms`);
  }
  const delay = at(beside, 0.99) - at(alone, 0.99);
  const verdict = delay <= delayGoalMillis ? 'ok' : 'NOT';
  console.log(`p99 is ${delay.toFixed(1)} ms longer, goal <= ${delayGoalMillis}, ${verdict}`);
} finally {
  client.close();
  asker.close();
  await server.stop();
  await scratch.remove();
}
