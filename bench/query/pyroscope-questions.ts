// Compares queries through Pyroscope's API with the same queries through our own API, in turns and
// over the same transport. A call may take at most 10 % longer than through our own API. A running
// Pyroscope server can be included in the comparison.
//
// node bench/query/pyroscope-questions.ts [--peer http://127.0.0.1:4040]
//
// The peer first gets the profiles through PusherService. BENCH_PROFILES_PER_SERIES is the number
// of profiles in each of the 1,000 series (10), BENCH_TURNS the number of queries of each kind
// (15).
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Long from 'long';
import { parca } from '../../proto/gen/query.js';
import { querier } from '../../proto/gen/pyroscope.js';
import { toDuration, toTimestamp } from '../../src/api/transport/call/message.ts';
import { scratchDirectory, startServer } from '../../test/support/server.ts';
import { connect } from '../../test/support/grpc-client.ts';
import { fleetDefaults } from '../fleet/fleet.ts';
import { median } from '../measure.ts';
import { makeUploads, pushAll, type Upload } from '../wire/load.ts';
import { pushesAtOnce } from '../wire/peer-process.ts';
import { postMessage, pushToPyroscope } from '../wire/pyroscope.ts';

const { QueryRequest, QueryRangeRequest, ProfileDiffSelection } = parca.query.v1alpha1;
const ownService = 'parca.query.v1alpha1.QueryService';
const stepSeconds = 15;
const turns = Number(process.env['BENCH_TURNS'] ?? 15);
/** Turns that are not counted, because V8 compiles hot code during them. */
const warmUpTurns = 5;

/** Times in milliseconds; in a diff, the middle separates the two sides. */
interface Times {
  readonly start: number;
  readonly middle: number;
  readonly end: number;
}

/** Path below the server's address, and message of a call. */
interface Call {
  readonly path: string;
  readonly body: Uint8Array;
}

/** A query in both APIs. */
interface Question {
  readonly name: string;
  readonly own: (times: Times) => Call;
  readonly pyroscope: (times: Times) => Call;
}

const { peer } = parseArgs({ options: { peer: { type: 'string' } } }).values;
/** The profiles are recent, because Pyroscope refuses and hides old profiles. */
const startNanos = BigInt(Math.floor(Date.now() / 1_000) - 900) * 1_000_000_000n;
const uploads = makeUploads(Number(process.env['BENCH_PROFILES_PER_SERIES'] ?? 10), startNanos);
const scratch = await scratchDirectory();
const server = await startServer({ storagePath: join(scratch.path, 'data') });
try {
  const clients = Array.from({ length: 4 }, () => connect(server.address));
  await pushAll(clients, uploads, 0, uploads.length);
  for (const client of clients) client.close();
  if (peer !== undefined) await pushToPyroscope(peer, uploads, pushesAtOnce);
  for (const question of makeQuestions(uploads)) await compare(question);
} finally {
  await server.stop();
  await scratch.remove();
}

/** Sends a query to all servers in turns, and prints the times. */
async function compare({ name, own, pyroscope }: Question): Promise<void> {
  const asked = [
    { who: 'own API', url: server.url, call: own },
    { who: "Pyroscope's API", url: server.url, call: pyroscope },
    ...(peer === undefined ? [] : [{ who: 'peer', url: peer, call: pyroscope }]),
  ];
  const millis = asked.map((): number[] => []);
  const bytes = asked.map(() => 0);
  for (let turn = -warmUpTurns; turn < turns; turn += 1) {
    for (const [i, { url, call }] of asked.entries()) {
      // Each query has a different range, so that no response comes from a cache.
      const { path, body } = call(makeTimes(turn * asked.length + i));
      const begun = performance.now();
      const answer = await postMessage(`${url}/${path}`, body);
      if (turn >= 0) millis[i].push(performance.now() - begun);
      bytes[i] = answer.length;
    }
  }
  const medians = millis.map(median);
  const texts = asked.map(
    ({ who }, i) => `${who} ${medians[i].toFixed(1)} ms (${(bytes[i] / 1_000).toFixed(0)} KB)`,
  );
  const ratio = median(millis[1].map((one, turn) => one / millis[0][turn]));
  const toPeer = peer === undefined ? '' : `, to the peer ${(medians[1] / medians[2]).toFixed(3)}`;
  const verdict = ratio <= 1.1 ? 'ok' : 'NOT';
  console.log(`${name}: ${texts.join(', ')}; ratio ${ratio.toFixed(2)} ${verdict}${toPeer}`);
}

/** Returns times that contain all profiles and differ by turn. */
function makeTimes(turn: number): Times {
  const first = Number(startNanos / 1_000_000n);
  const rounds = uploads.length / fleetDefaults.series;
  const last = first + rounds * 10_000;
  return {
    start: first - 1_000 - (turn + 1_000),
    middle: first + Math.floor(rounds / 2) * 10_000 - 5_000,
    end: last + 60_000,
  };
}

function makeQuestions([, , , { job, instance }]: readonly Upload[]): Question[] {
  return [
    flameGraph('flame graph, fleet', ''),
    flameGraph('flame graph, one service', `job="${job}"`),
    flameGraph('flame graph, one instance', `job="${job}",instance="${instance}"`),
    overTime('series, fleet in one line', '', []),
    overTime('series, fleet by service', '', ['job']),
    overTime('series, one service', `job="${job}"`, []),
    diffOfHalves('diff of halves, one service', `job="${job}"`),
  ];
}

function flameGraph(name: string, selector: string): Question {
  return {
    name,
    own: (times) => ownReport({ mode: QueryRequest.Mode.MODE_MERGE, merge: own(selector, times) }),
    pyroscope: (times) => {
      const { SelectMergeStacktracesRequest } = querier.v1;
      const request = SelectMergeStacktracesRequest.encode(selected(selector, times)).finish();
      return pyroscopeCall('SelectMergeStacktraces', request);
    },
  };
}

function diffOfHalves(name: string, selector: string): Question {
  const halves = ({ start, middle, end }: Times): readonly [Times, Times] => [
    { start, middle, end: middle },
    { start: middle + 1, middle, end },
  ];
  return {
    name,
    own: (times) => {
      const mode = ProfileDiffSelection.Mode.MODE_MERGE;
      const [a, b] = halves(times).map((half) => ({ mode, merge: own(selector, half) }));
      return ownReport({ mode: QueryRequest.Mode.MODE_DIFF, diff: { a, b } });
    },
    pyroscope: (times) => {
      const [left, right] = halves(times).map((half) => selected(selector, half));
      return pyroscopeCall('Diff', querier.v1.DiffRequest.encode({ left, right }).finish());
    },
  };
}

function overTime(name: string, selector: string, by: readonly string[]): Question {
  return {
    name,
    own: ({ start, end }) => {
      const query = `process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta{${selector}}`;
      const range = { start: timestamp(start), end: timestamp(end) };
      const step = toDuration(BigInt(stepSeconds) * 1_000_000_000n);
      const request = QueryRangeRequest.encode({ query, ...range, step, sumBy: [...by] });
      return { path: `${ownService}/QueryRange`, body: request.finish() };
    },
    pyroscope: (times) => {
      const groupBy = by.map((label) => (label === 'job' ? 'service_name' : label));
      const asked = { ...selected(selector, times), step: stepSeconds, groupBy };
      const request = querier.v1.SelectSeriesRequest.encode(asked).finish();
      return pyroscopeCall('SelectSeries', request);
    },
  };
}

function own(
  selector: string,
  { start, end }: Times,
): parca.query.v1alpha1.MergeProfile.$Properties {
  const query = `process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta{${selector}}`;
  return { query, start: timestamp(start), end: timestamp(end) };
}

function ownReport(asked: parca.query.v1alpha1.QueryRequest.$Properties): Call {
  const reportType = QueryRequest.ReportType.REPORT_TYPE_FLAMEGRAPH_ARROW;
  const body = QueryRequest.encode({ ...asked, reportType, rootTrimThreshold: 0.035 }).finish();
  return { path: `${ownService}/Query`, body };
}

function selected(selector: string, { start, end }: Times) {
  return {
    profileTypeID: 'process_cpu:cpu:nanoseconds:cpu:nanoseconds',
    labelSelector: `{${selector.replace('job=', 'service_name=')}}`,
    start: Long.fromNumber(start),
    end: Long.fromNumber(end),
  };
}

function pyroscopeCall(method: string, body: Uint8Array): Call {
  return { path: `querier.v1.QuerierService/${method}`, body };
}

function timestamp(millis: number): ReturnType<typeof toTimestamp> {
  return toTimestamp(BigInt(millis) * 1_000_000n);
}
