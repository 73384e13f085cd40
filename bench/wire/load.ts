// Load for benchmarks over the wire: uploads of the fleet, and an operator's queries.
import type { Client } from '@grpc/grpc-js';
import { toDuration, toTimestamp } from '../../src/api/transport/call/message.ts';
import { parca } from '../../proto/gen/query.js';
import { unary, writeRawPath, writeRawRequest } from '../../test/support/grpc-client.ts';
import { fleetDefaults, generateFleet } from '../fleet/fleet.ts';

const { QueryRequest, QueryResponse, QueryRangeRequest, QueryRangeResponse, ProfileDiffSelection } =
  parca.query.v1alpha1;
const service = '/parca.query.v1alpha1.QueryService';
const cpuType = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';

/** A query, the time that Parca v0.28.0 takes for it, and our goal. */
export interface TimedQuestion {
  readonly name: string;
  readonly parcaMillis: number;
  readonly goalMillis: number;
  readonly selected: readonly Upload[];
  /** Sends the query for a range that starts `leadMillis` before the first profile. */
  ask(leadMillis: number): Promise<void>;
}

/** A pushed profile, and its content. */
export interface Upload {
  readonly request: Uint8Array;
  readonly gzipped: Uint8Array;
  readonly job: string;
  readonly instance: string;
  readonly rows: number;
  readonly timeNanos: bigint;
  readonly cpuNanos: bigint;
}

/** Trimming for a page that is 1,440 pixels wide. */
const pageTrimming: parca.query.v1alpha1.QueryRequest.$Properties = { rootTrimThreshold: 0.035 };
const anHour = 3_600_000_000_000n;

/** Creates the uploads of all series, round by round. The first round is at `startNanos`. */
export function makeUploads(
  profilesPerSeries: number,
  startNanos: bigint = fleetDefaults.startNanos,
): Upload[] {
  const made: Upload[] = [];
  for (const profile of generateFleet({ profilesPerSeries, startNanos })) {
    const labels = Object.fromEntries(profile.labels.map(({ name, value }) => [name, value]));
    made.push({
      request: writeRawRequest({ __name__: profile.name, ...labels }, profile.gzipped),
      gzipped: profile.gzipped,
      job: labels['job'] ?? '',
      instance: labels['instance'] ?? '',
      rows: profile.rowCount,
      timeNanos: profile.timeNanos,
      cpuNanos: profile.totals[1],
    });
  }
  return made;
}

/**
 * Pushes the uploads from `first` up to, but not including, `end` with all clients. Calls `took`
 * with the milliseconds of each push.
 */
export async function pushAll(
  clients: readonly Client[],
  uploads: readonly Upload[],
  first: number,
  end: number,
  took: (millis: number) => void = () => undefined,
): Promise<void> {
  let next = first;
  const worker = async (client: Client): Promise<void> => {
    for (let i = next++; i < end; i = next++) {
      const sent = performance.now();
      await unary(client, writeRawPath, uploads[i].request);
      took(performance.now() - sent);
    }
  };
  await Promise.all(clients.map(worker));
}

/**
 * Returns the queries for `uploads` through `client`. Checks the sum of each response, except for
 * the diff if `isParca` is true, because Parca scales the base.
 */
export function makeQuestions(
  client: Client,
  uploads: readonly Upload[],
  isParca = false,
): TimedQuestion[] {
  const { job, instance } = uploads[3];
  const byJob = `job="${job}"`;
  const ofService = uploads.filter((upload) => upload.job === job);
  const ofInstance = uploads.filter((upload) => upload.instance === instance);
  const middle = medianTime(ofService);
  const endNanos = uploads[0].timeNanos + anHour;
  const startBefore = (leadMillis: number): bigint => startOfFirst(uploads, leadMillis);
  const { Mode } = QueryRequest;
  const flameGraph =
    (selector: string, selected: readonly Upload[], trimming = pageTrimming) =>
    (leadMillis: number) => {
      const merge = makeSelection(selector, startBefore(leadMillis), endNanos);
      return askReport(client, { mode: Mode.MODE_MERGE, merge, ...trimming }, selected);
    };
  return [
    {
      name: 'flame graph, all',
      parcaMillis: 3_932,
      goalMillis: 12,
      selected: uploads,
      ask: flameGraph('', uploads),
    },
    {
      name: "flame graph, all, Parca's trimming",
      parcaMillis: 4_562,
      goalMillis: 100,
      selected: uploads,
      ask: flameGraph('', uploads, {}),
    },
    {
      name: 'flame graph, one service',
      parcaMillis: 1_233,
      goalMillis: 6,
      selected: ofService,
      ask: flameGraph(byJob, ofService),
    },
    {
      name: 'flame graph, one instance',
      parcaMillis: 216,
      goalMillis: 1.5,
      selected: ofInstance,
      ask: flameGraph(`instance="${instance}"`, ofInstance),
    },
    {
      name: 'diff of halves, one service',
      parcaMillis: 1_313,
      goalMillis: 6,
      selected: ofService,
      ask: (leadMillis) => {
        const mode = ProfileDiffSelection.Mode.MODE_MERGE;
        const a = { mode, merge: makeSelection(byJob, startBefore(leadMillis), middle) };
        const b = { mode, merge: makeSelection(byJob, middle + 1n, endNanos) };
        const lastHalf = isParca
          ? undefined
          : ofService.filter(({ timeNanos }) => timeNanos > middle);
        return askReport(
          client,
          { mode: Mode.MODE_DIFF, diff: { a, b }, ...pageTrimming },
          lastHalf,
        );
      },
    },
    ...listQuestions(client, uploads),
  ];
}

function listQuestions(client: Client, uploads: readonly Upload[]): TimedQuestion[] {
  return [
    {
      name: 'range, all series in one',
      parcaMillis: 339,
      goalMillis: 2,
      selected: uploads,
      ask: (leadMillis) => askRange(client, uploads, leadMillis),
    },
    {
      name: 'label values (1,000)',
      parcaMillis: 252,
      goalMillis: 2,
      selected: uploads,
      ask: (leadMillis) => askValues(client, uploads, leadMillis),
    },
  ];
}

async function askReport(
  client: Client,
  asked: parca.query.v1alpha1.QueryRequest.$Properties,
  selected: readonly Upload[] | undefined,
): Promise<void> {
  const reportType = QueryRequest.ReportType.REPORT_TYPE_FLAMEGRAPH_ARROW;
  const bytes = await unary(
    client,
    `${service}/Query`,
    QueryRequest.encode({ ...asked, reportType }).finish(),
  );
  const response = QueryResponse.decode(bytes);
  if (selected !== undefined) expectSum(BigInt(String(response.total)), selected);
}

function makeSelection(
  selector: string,
  start: bigint,
  end: bigint,
): parca.query.v1alpha1.MergeProfile.$Properties {
  return { query: `${cpuType}{${selector}}`, start: toTimestamp(start), end: toTimestamp(end) };
}

async function askRange(
  client: Client,
  uploads: readonly Upload[],
  leadMillis: number,
): Promise<void> {
  const range = rangeFrom(uploads, leadMillis);
  const step = toDuration(10_000_000_000n);
  const request = QueryRangeRequest.encode({ query: `${cpuType}{}`, ...range, step }).finish();
  const bytes = await unary(client, `${service}/QueryRange`, request);
  let sum = 0n;
  for (const series of QueryRangeResponse.decode(bytes).series ?? []) {
    for (const sample of series.samples ?? []) sum += BigInt(String(sample.value));
  }
  expectSum(sum, uploads);
}

async function askValues(
  client: Client,
  uploads: readonly Upload[],
  leadMillis: number,
): Promise<void> {
  const { ValuesRequest, ValuesResponse } = parca.query.v1alpha1;
  const range = rangeFrom(uploads, leadMillis);
  const request = ValuesRequest.encode({ labelName: 'instance', ...range }).finish();
  const bytes = await unary(client, `${service}/Values`, request);
  const count = ValuesResponse.decode(bytes).labelValues?.length;
  if (count !== 1_000) throw new Error(`expected 1000 values, got ${count}`);
}

/** Returns a range that starts `leadMillis` and a second before the first profile. */
function rangeFrom(
  uploads: readonly Upload[],
  leadMillis: number,
): Pick<parca.query.v1alpha1.QueryRangeRequest.$Properties, 'start' | 'end'> {
  const end = toTimestamp(uploads[0].timeNanos + anHour);
  return { start: toTimestamp(startOfFirst(uploads, leadMillis)), end };
}

function startOfFirst(uploads: readonly Upload[], leadMillis: number): bigint {
  return uploads[0].timeNanos - 1_000_000_000n - BigInt(leadMillis) * 1_000_000n;
}

function medianTime(some: readonly Upload[]): bigint {
  const sorted = some.map(({ timeNanos }) => timeNanos).sort((a, b) => (a < b ? -1 : 1));
  return sorted[sorted.length >> 1];
}

function expectSum(sum: bigint, selected: readonly Upload[]): void {
  const expected = selected.reduce((total, upload) => total + upload.cpuNanos, 0n);
  if (sum !== expected) throw new Error(`expected a sum of ${expected}, got ${sum}`);
}
